#include "tessera/device/cuda/memory/memory.h"

#include <algorithm>
#include <bit>
#include <map>
#include <shared_mutex>
#include <utility>

#include "tessera/device/cuda/driver.h"

namespace tessera::device::cuda {
namespace {

constexpr std::int64_t alignment = 256;
constexpr std::int64_t small_guard = 1024;  // unused, on each side of a small allocation
constexpr std::int64_t small_up_to = (std::int64_t{1} << 20) - 2 * small_guard;
constexpr std::int64_t large_pages_from = std::int64_t{256} << 20;

/// The spans of all devices, so that an address tells where it lies.
struct address_book {
  std::shared_mutex mutex;
  struct range {
    std::uintptr_t end;
    const device_memory* owner;
  };
  std::map<std::uintptr_t, range> ranges;  // by their first address
};

address_book& addresses() {
  static auto* const book = new address_book;
  return *book;
}

std::uintptr_t number(const std::byte* p) { return reinterpret_cast<std::uintptr_t>(p); }
std::byte* pointer(CUdeviceptr p) { return reinterpret_cast<std::byte*>(p); }

std::size_t class_of(std::int64_t bytes) {
  return static_cast<std::size_t>(
      std::bit_width(static_cast<std::uint64_t>(std::max(bytes, alignment) + 2 * small_guard) - 1));
}

}  // namespace

const device_memory* memory_at(const std::byte* address) noexcept {
  address_book& book = addresses();
  const std::shared_lock lock(book.mutex);
  const auto next = book.ranges.upper_bound(number(address));
  if (next == book.ranges.begin()) return nullptr;
  const address_book::range& r = std::prev(next)->second;
  return number(address) < r.end ? r.owner : nullptr;
}

/// Large pages are for large spans on devices that hold many of them.
page_pool::size device_memory::unit_of(std::int64_t span_bytes) const noexcept {
  constexpr std::int64_t many = 64;
  const bool large = span_bytes >= large_pages_from && budget_ >= many * page_pool::bytes(page_pool::size::large);
  return large ? page_pool::size::large : page_pool::size::small;
}

std::int64_t device_memory::guard_bytes(std::int64_t bytes) noexcept { return bytes <= small_up_to ? small_guard : 0; }

std::int64_t device_memory::page_bytes(std::int64_t span_bytes) const noexcept {
  return span_bytes <= small_up_to ? span_bytes : page_pool::bytes(unit_of(span_bytes));
}

device_memory::~device_memory() {
  gpu_.holders.remove(*this);
  for (auto& [data, s] : spans_) drop(s);
  for (auto& [data, s] : kept_) drop(s);
}

std::byte* device_memory::reserve(std::int64_t bytes) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (bytes < 0) return nullptr;
    if (bytes <= small_up_to) return take_small(bytes);
    std::byte* const kept = take_kept(bytes);
    return kept != nullptr ? kept : make_span(bytes, unit_of(bytes));
  } catch (...) {
    return nullptr;
  }
}

std::byte* device_memory::make_span(std::int64_t bytes, page_pool::size unit) {
  const std::int64_t page = page_pool::bytes(unit);
  span s;
  s.unit = unit;
  if (bytes > (std::int64_t{1} << 46)) return nullptr;
  s.pages.resize(static_cast<std::size_t>((bytes + page - 1) / page));
  s.is_idle.resize(s.pages.size());
  s.reserved_bytes = (s.pages.size() + 2) * static_cast<std::size_t>(page);
  gpu_.make_current();
  const CUresult result =
      driver().cuMemAddressReserve(&s.reserved, s.reserved_bytes, static_cast<std::size_t>(page), 0, 0);
  if (result != CUDA_SUCCESS) return nullptr;
  std::byte* const data = pointer(s.reserved) + page;
  {
    const std::lock_guard lock(addresses().mutex);
    addresses().ranges.emplace(s.reserved, address_book::range{s.reserved + s.reserved_bytes, this});
  }
  spans_.emplace(data, std::move(s));
  return data;
}

std::byte* device_memory::take_small(std::int64_t bytes) {
  const std::size_t c = class_of(bytes);
  auto& unused = unused_.at(c);
  if (!has_room(bytes)) return nullptr;
  make_room(bytes);
  if (unused.empty()) {
    const std::int64_t slab_bytes = page_pool::bytes(page_pool::size::small);
    std::byte* const slab = make_span(slab_bytes, page_pool::size::small);
    if (slab == nullptr) return nullptr;
    span& s = spans_.at(slab);
    if (!back_run(s, 0, 1)) return nullptr;
    const std::int64_t room = std::int64_t{1} << c;
    for (std::int64_t at = slab_bytes - room; at >= 0; at -= room) unused.push_back(slab + at + small_guard);
  }
  std::byte* const buffer = unused.back();
  unused.pop_back();
  used_ += bytes;
  return buffer;
}

/// Lets the GPU and its peers use pages that were mapped. Where that fails for peers, the driver still has its own way
/// for copies.
bool device_memory::open(CUdeviceptr at, std::size_t bytes) const noexcept {
  const auto allow = [&](int ordinal) {
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = ordinal;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return driver().cuMemSetAccess(at, bytes, &access, 1) == CUDA_SUCCESS;
  };
  if (!allow(gpu_.ordinal)) return false;
  for (const int peer : peers_) static_cast<void>(allow(peer));
  return true;
}

bool device_memory::map_page(const span& s, std::size_t page, CUmemGenericAllocationHandle& handle) {
  const auto bytes = static_cast<std::size_t>(page_pool::bytes(s.unit));
  CUmemGenericAllocationHandle taken = 0;
  if (!gpu_.pages.take(s.unit, taken)) {
    drop_idle();
    gpu_.holders.give_up_idle_pages(*this);
    if (!gpu_.pages.take(s.unit, taken)) return false;
  }
  if (driver().cuMemMap(s.reserved + (page + 1) * bytes, bytes, 0, taken, 0) != CUDA_SUCCESS) {
    gpu_.pages.give(s.unit, taken);
    return false;
  }
  handle = taken;
  return true;
}

/// Maps the pages [begin, end) of a span that has none of them, and opens them by one call: that takes 30 us, for one
/// page as for a hundred. Pages that were mapped before another could not be stay.
bool device_memory::back_run(span& s, std::size_t begin, std::size_t end) {
  const auto bytes = static_cast<std::size_t>(page_pool::bytes(s.unit));
  std::size_t mapped = begin;
  while (mapped < end && map_page(s, mapped, s.pages[mapped])) ++mapped;
  if (mapped > begin && !open(s.reserved + (begin + 1) * bytes, (mapped - begin) * bytes))
    while (mapped > begin) unmap_page(s, --mapped);
  return mapped == end;
}

void device_memory::unmap_page(span& s, std::size_t page) noexcept {
  const auto bytes = static_cast<std::size_t>(page_pool::bytes(s.unit));
  driver().cuMemUnmap(s.reserved + (page + 1) * bytes, bytes);
  gpu_.pages.give(s.unit, std::exchange(s.pages[page], 0));
}

bool device_memory::back(std::byte* data, std::int64_t begin, std::int64_t end) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = spans_.find(data);
  if (found == spans_.end() || begin >= end) return true;  // a small allocation
  span& s = found->second;
  const std::int64_t page = page_pool::bytes(s.unit);
  gpu_.make_current();
  const auto last = static_cast<std::size_t>((end + page - 1) / page);
  for (auto p = static_cast<std::size_t>(begin / page); p < last; ++p) {
    if (s.is_idle[p] && has_room(page)) {
      s.is_idle[p] = false;
      idle_ -= page;
      used_ += page;
    }
    if (s.pages[p] != 0 && !s.is_idle[p]) continue;
    std::size_t after = p;
    while (after < last && s.pages[after] == 0) ++after;
    const std::int64_t left = (budget_ - used_) / page;
    const std::size_t stop = std::min(after, p + static_cast<std::size_t>(std::max<std::int64_t>(left, 0)));
    make_room(static_cast<std::int64_t>(stop - p) * page);
    const bool is_whole = back_run(s, p, stop) && stop == after && stop > p;
    for (; p < stop && s.pages[p] != 0; ++p) used_ += page;
    if (!is_whole) return false;
    --p;
  }
  return true;
}

void device_memory::unback(std::byte* data, std::int64_t begin, std::int64_t end) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = spans_.find(data);
  if (found == spans_.end() || gpu_.lost) return;
  span& s = found->second;
  const std::int64_t page = page_pool::bytes(s.unit);
  gpu_.make_current();
  for (std::int64_t at = begin / page; at * page < end; ++at) {
    const auto p = static_cast<std::size_t>(at);
    if (s.pages[p] == 0 || s.is_idle[p]) continue;
    unmap_page(s, p);
    used_ -= page;
  }
}

void device_memory::release(std::byte* data, std::int64_t bytes) noexcept {
  if (data == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (bytes <= small_up_to) {
    unused_[class_of(bytes)].push_back(data);
    used_ -= bytes;
    return;
  }
  auto unused = spans_.extract(data);
  span& s = unused.mapped();
  for (std::size_t p = 0; p < s.pages.size(); ++p) {
    if (s.pages[p] == 0 || s.is_idle[p]) continue;
    s.is_idle[p] = true;
    used_ -= page_pool::bytes(s.unit);
    idle_ += page_pool::bytes(s.unit);
  }
  keep({data, std::move(s)});
}

/// Takes the span that was kept last of those with as many pages.
std::byte* device_memory::take_kept(std::int64_t bytes) {
  const page_pool::size unit = unit_of(bytes);
  const auto pages = static_cast<std::size_t>((bytes + page_pool::bytes(unit) - 1) / page_pool::bytes(unit));
  const auto found = std::find_if(kept_.rbegin(), kept_.rend(), [&](const kept_span& k) {
    return k.second.unit == unit && k.second.pages.size() == pages;
  });
  if (found == kept_.rend()) return nullptr;
  std::byte* const data = found->first;
  spans_.emplace(data, std::move(found->second));
  kept_.erase(std::next(found).base());
  return data;
}

void device_memory::keep(kept_span unused) noexcept {
  const auto& idle = unused.second.is_idle;
  if (gpu_.lost || std::find(idle.begin(), idle.end(), true) == idle.end()) return drop(unused.second);
  kept_.push_back(std::move(unused));
  while (idle_ > budget_ / 2 && !kept_.empty()) drop_oldest();
}

void device_memory::drop_oldest() noexcept {
  drop(kept_.front().second);
  kept_.pop_front();
}

void device_memory::make_room(std::int64_t bytes) noexcept {
  while (used_ + idle_ + bytes > budget_ && !kept_.empty()) drop_oldest();
  if (used_ + idle_ + bytes > budget_) drop_idle();
}

void device_memory::drop_idle() noexcept {
  while (!kept_.empty()) drop_oldest();
  if (idle_ == 0) return;
  for (auto& [data, s] : spans_)
    for (std::size_t p = 0; p < s.pages.size(); ++p) {
      if (!s.is_idle[p]) continue;
      s.is_idle[p] = false;
      idle_ -= page_pool::bytes(s.unit);
      unmap_page(s, p);
    }
}

void device_memory::give_up_idle_pages() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || idle_ == 0 || gpu_.lost) return;
  gpu_.make_current();
  drop_idle();
}

/// Of a span that nothing uses any more; idle pages count no longer.
void device_memory::drop(span& s) noexcept {
  for (std::size_t p = 0; p < s.pages.size(); ++p)
    if (s.is_idle[p]) idle_ -= page_pool::bytes(s.unit);
  if (gpu_.lost) return;  // a kernel may still be using it; the process will end soon
  gpu_.make_current();
  for (std::size_t p = 0; p < s.pages.size(); ++p)
    if (s.pages[p] != 0) unmap_page(s, p);
  {
    const std::lock_guard lock(addresses().mutex);
    addresses().ranges.erase(s.reserved);
  }
  driver().cuMemAddressFree(s.reserved, s.reserved_bytes);
}

}  // namespace tessera::device::cuda
