#include "tessera/device/cuda/memory.h"

#include <algorithm>
#include <bit>
#include <map>
#include <shared_mutex>

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
  for (auto& [data, s] : spans_) drop(s);
}

std::byte* device_memory::reserve(std::int64_t bytes) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (bytes < 0) return nullptr;
    return bytes <= small_up_to ? take_small(bytes) : make_span(bytes, unit_of(bytes));
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
  if (unused.empty()) {
    const std::int64_t slab_bytes = page_pool::bytes(page_pool::size::small);
    std::byte* const slab = make_span(slab_bytes, page_pool::size::small);
    if (slab == nullptr) return nullptr;
    span& s = spans_.at(slab);
    if (!back_page(s, s.reserved + static_cast<CUdeviceptr>(slab_bytes), s.pages[0])) return nullptr;
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

bool device_memory::back_page(span& s, CUdeviceptr at, CUmemGenericAllocationHandle& page) {
  const std::int64_t bytes = page_pool::bytes(s.unit);
  CUmemGenericAllocationHandle taken = 0;
  if (!gpu_.pages.take(s.unit, taken)) return false;
  const auto size = static_cast<std::size_t>(bytes);
  if (driver().cuMemMap(at, size, 0, taken, 0) != CUDA_SUCCESS) {
    gpu_.pages.give(s.unit, taken);
    return false;
  }
  if (!open(at, size)) {
    driver().cuMemUnmap(at, size);
    gpu_.pages.give(s.unit, taken);
    return false;
  }
  page = taken;
  return true;
}

bool device_memory::back(std::byte* data, std::int64_t begin, std::int64_t end) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = spans_.find(data);
  if (found == spans_.end() || begin >= end) return true;  // a small allocation
  span& s = found->second;
  const std::int64_t page = page_pool::bytes(s.unit);
  gpu_.make_current();
  for (std::int64_t p = begin / page; p * page < end; ++p) {
    CUmemGenericAllocationHandle& handle = s.pages[static_cast<std::size_t>(p)];
    const auto at = static_cast<CUdeviceptr>(number(data)) + static_cast<CUdeviceptr>(p * page);
    if (handle != 0) continue;
    if (!has_room(page) || !back_page(s, at, handle)) return false;
    used_ += page;
  }
  return true;
}

void device_memory::unback_page(const span& s, CUdeviceptr at, CUmemGenericAllocationHandle& page) noexcept {
  const std::int64_t bytes = page_pool::bytes(s.unit);
  driver().cuMemUnmap(at, static_cast<std::size_t>(bytes));
  gpu_.pages.give(s.unit, page);
  page = 0;
}

void device_memory::unback(std::byte* data, std::int64_t begin, std::int64_t end) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = spans_.find(data);
  if (found == spans_.end() || gpu_.lost) return;
  span& s = found->second;
  const std::int64_t page = page_pool::bytes(s.unit);
  gpu_.make_current();
  for (std::int64_t p = begin / page; p * page < end; ++p) {
    CUmemGenericAllocationHandle& handle = s.pages[static_cast<std::size_t>(p)];
    if (handle == 0) continue;
    unback_page(s, static_cast<CUdeviceptr>(number(data)) + static_cast<CUdeviceptr>(p * page), handle);
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
  const auto found = spans_.find(data);
  for (const CUmemGenericAllocationHandle page : found->second.pages)
    if (page != 0) used_ -= page_pool::bytes(found->second.unit);
  drop(found->second);
  spans_.erase(found);
}

void device_memory::drop(span& s) noexcept {
  if (gpu_.lost) return;  // a kernel may still be using it; the process will end soon
  gpu_.make_current();
  const auto page = static_cast<std::size_t>(page_pool::bytes(s.unit));
  for (std::size_t p = 0; p < s.pages.size(); ++p)
    if (s.pages[p] != 0) unback_page(s, s.reserved + (p + 1) * page, s.pages[p]);
  {
    const std::lock_guard lock(addresses().mutex);
    addresses().ranges.erase(s.reserved);
  }
  driver().cuMemAddressFree(s.reserved, s.reserved_bytes);
}

}  // namespace tessera::device::cuda
