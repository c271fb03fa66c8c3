#include "tessera/device/host/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <new>
#include <utility>

#include "tessera/device/host/sanitizer.h"
#include "tessera/device/host/spin.h"

namespace tessera::device {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t small_guard = alignment;  // unused, on each side of a small allocation
constexpr std::size_t mapped_from = 256 << 10;  // bytes

constexpr std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// Free small allocations by size class (powers of two of `alignment`), a bounded number of each.
class allocation_cache {
 public:
  static constexpr int classes = std::bit_width(mapped_from / alignment);

  static int class_of(std::size_t bytes) {
    return static_cast<int>(std::bit_width((bytes + alignment - 1) / alignment - (bytes > 0 ? 1 : 0)));
  }
  static std::size_t room(int size_class) { return alignment << size_class; }

  std::byte* take(int size_class) noexcept {
    entry& e = entries_[static_cast<std::size_t>(size_class)];
    {
      std::lock_guard lock(e.lock);
      if (e.first != nullptr) {
        --e.count;
        link* const taken = std::exchange(e.first, e.first->next);
        return reinterpret_cast<std::byte*>(taken);
      }
    }
    void* const whole = ::operator new (room(size_class) + 2 * small_guard, std::align_val_t{alignment}, std::nothrow);
    return whole == nullptr ? nullptr : static_cast<std::byte*>(whole) + small_guard;
  }

  void give(int size_class, std::byte* data) noexcept {
    entry& e = entries_[static_cast<std::size_t>(size_class)];
    {
      std::lock_guard lock(e.lock);
      if (e.count < max_blocks && e.count * room(size_class) < max_bytes) {
        ++e.count;
        e.first = new (data) link{e.first};
        return;
      }
    }
    ::operator delete (data - small_guard, std::align_val_t{alignment});
  }

 private:
  static constexpr std::size_t max_blocks = 256;
  static constexpr std::size_t max_bytes = std::size_t{4} << 20;  // of each class
  struct link {
    link* next;
  };
  struct alignas(64) entry {
    spin_lock lock;
    link* first = nullptr;
    std::size_t count = 0;
  };
  std::array<entry, classes + 1> entries_;
};

allocation_cache& cache() {
  static auto* const shared = new allocation_cache;  // backends may be destroyed later than any static object
  return *shared;
}

std::byte* take_small(std::size_t bytes) noexcept {
  if constexpr (address_sanitizer)
    return static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment}, std::nothrow));
  return cache().take(allocation_cache::class_of(bytes));
}

void give_small(std::byte* data, std::size_t bytes) noexcept {
  if constexpr (address_sanitizer)
    ::operator delete (data, std::align_val_t{alignment});
  else
    cache().give(allocation_cache::class_of(bytes), data);
}

/// Addresses for one page, with nothing behind them.
std::byte* reserve_aligned(std::size_t bytes) noexcept {
  void* const whole = mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(whole);
  const std::uintptr_t data = round_up(start, bytes);
  if (data > start) munmap(whole, data - start);
  if (start + 2 * bytes > data + bytes) munmap(reinterpret_cast<void*>(data + bytes), start + bytes - data);
  return reinterpret_cast<std::byte*>(data);
}

std::atomic<std::int64_t> until_failure{0};

bool fails_now() noexcept {
  return until_failure.load(std::memory_order_relaxed) > 0 &&
         until_failure.fetch_sub(1, std::memory_order_relaxed) == 1;
}

std::int64_t page_for(std::int64_t budget) {
  const auto share = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(budget) / 64));
  return std::clamp(share, static_cast<std::int64_t>(page), static_cast<std::int64_t>(huge_page));
}

}  // namespace

std::int64_t fail_one_allocation(std::int64_t nth) noexcept { return until_failure.exchange(nth); }

device_heap::device_heap(std::int64_t budget) : budget_(budget), page_(page_for(budget)) {}

device_heap::~device_heap() {
  for (std::byte* p : spare_) munmap(p, static_cast<std::size_t>(page_));
}

/// Moves a page of a span to addresses of its own; the span's stay, empty.
void device_heap::keep_page(std::byte* at) noexcept {
  const auto bytes = static_cast<std::size_t>(page_);
#ifdef MREMAP_DONTUNMAP
  std::byte* const kept = reserve_aligned(bytes);
  constexpr int flags = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
  if (kept != nullptr && mremap(at, bytes, bytes, flags, kept) == kept) {
    spare_.push_back(kept);
    return;
  }
  if (kept != nullptr) munmap(kept, bytes);
#endif
  madvise(at, bytes, MADV_DONTNEED);
}

void device_heap::return_idle() noexcept {
  const auto is_too_much = [&] { return used_ + idle() > budget_; };
  while (is_too_much() && !kept_.empty()) kept_.release_oldest();
  while (is_too_much() && !spare_.empty()) {
    munmap(spare_.back(), static_cast<std::size_t>(page_));
    spare_.pop_back();
  }
  if (is_too_much() && leftover_ > 0) drop_leftovers();
}

void device_heap::drop_leftovers() noexcept {
  for (auto& [data, s] : spans_)
    for (std::size_t p = 0; p < s.leftover.size(); ++p) {
      if (!s.leftover[p]) continue;
      s.leftover[p] = false;
      madvise(data + static_cast<std::int64_t>(p) * page_, round_up(static_cast<std::size_t>(bytes_of(s, p)), page),
              MADV_DONTNEED);
    }
  leftover_ = 0;
}

void device_heap::retire(kept_mappings::mapping unused) noexcept {
  std::byte* const data = unused.data;
  const std::size_t bytes = unused.bytes;
  const std::int64_t share = budget_ / 8;
  if (!address_sanitizer && unused.resident > 0 && unused.resident <= share) {  // the sanitizer is to see late accesses
    try {
      const std::lock_guard lock(mutex_);
      kept_.keep(std::move(unused));
      while (kept_.resident() > share) kept_.release_oldest();
      return_idle();
      return;
    } catch (const std::bad_alloc&) {
    }
  }
  unmap_pages(data, bytes);
}

std::int64_t device_heap::guard_bytes(std::int64_t bytes) const noexcept {
  const bool mapped = bytes > page_ || bytes >= static_cast<std::int64_t>(mapped_from);
  return mapped || address_sanitizer ? 0 : static_cast<std::int64_t>(small_guard);
}

std::int64_t device_heap::used() const noexcept {
  const std::lock_guard lock(mutex_);
  return used_;
}

void device_heap::count(std::int64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  used_ += bytes;
  return_idle();
}

std::byte* device_heap::take_counted(std::int64_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (bytes > budget_ - used_) return nullptr;
    used_ += bytes;
    return_idle();
  }
  std::byte* const data = take(bytes);
  if (data != nullptr) return data;
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
  return nullptr;
}

std::byte* device_heap::take(std::int64_t bytes) noexcept {
  const auto size = static_cast<std::size_t>(bytes);
  if (size < mapped_from) return take_small(size);
  {
    const std::lock_guard lock(mutex_);
    if (const auto kept = kept_.take(size)) return kept->data;
  }
  return map_pages(size);
}

std::byte* device_heap::allocate(std::int64_t bytes) noexcept {
  constexpr std::int64_t most = std::int64_t{1} << 46;  // of addresses
  if (bytes < 0 || bytes > most || fails_now()) return nullptr;
  if (bytes <= page_) return take_counted(bytes);
  const auto size = static_cast<std::size_t>(bytes);
  std::byte* data = nullptr;
  try {
    const auto pages = static_cast<std::size_t>((bytes + page_ - 1) / page_);
    span made{bytes, std::vector<bool>(pages, false), std::vector<bool>(pages, false)};
    std::unique_lock lock(mutex_);
    if (auto kept = kept_.take(size)) {
      data = kept->data;
      leftover_ += kept->resident;
      made.leftover = std::move(kept->has_memory);
    } else {
      lock.unlock();
      data = map_pages(size);
      if (data == nullptr) return nullptr;
      lock.lock();
    }
    spans_.emplace(data, std::move(made));
    return data;
  } catch (...) {
    if (data != nullptr) unmap_pages(data, size);
    return nullptr;
  }
}

void device_heap::deallocate(std::byte* data, std::int64_t bytes) noexcept {
  if (data == nullptr) return;
  const auto size = static_cast<std::size_t>(bytes);
  kept_mappings::mapping unused{data, size, bytes, {}};
  {
    const std::lock_guard lock(mutex_);
    if (bytes <= page_) {
      used_ -= bytes;
    } else {
      const auto found = spans_.find(data);
      span& s = found->second;
      unused.resident = 0;
      for (std::size_t p = 0; p < s.backed.size(); ++p) {
        const std::int64_t there = bytes_of(s, p);
        if (s.backed[p]) used_ -= there;
        if (s.leftover[p]) leftover_ -= there;
        s.leftover[p] = s.leftover[p] || s.backed[p];
        if (s.leftover[p]) unused.resident += there;
      }
      unused.has_memory = std::move(s.leftover);
      spans_.erase(found);
    }
  }
  if (size < mapped_from && bytes <= page_)
    give_small(data, size);
  else
    retire(std::move(unused));
}

std::int64_t device_heap::bytes_of(const span& s, std::size_t page_index) const {
  return std::min(page_, s.bytes - static_cast<std::int64_t>(page_index) * page_);
}

bool device_heap::back(std::byte* data, std::int64_t begin, std::int64_t end) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = spans_.find(data);
  if (found == spans_.end()) return true;  // has its memory already
  if (fails_now()) return false;
  span& s = found->second;
  std::int64_t more = 0;
  for (std::int64_t p = begin / page_; p * page_ < end; ++p)
    if (!s.backed[static_cast<std::size_t>(p)]) more += bytes_of(s, static_cast<std::size_t>(p));
  if (more > budget_ - used_) return false;
  used_ += more;
  for (std::int64_t p = begin / page_; p * page_ < end; ++p) {
    const auto index = static_cast<std::size_t>(p);
    if (s.backed[index]) continue;
    s.backed[index] = true;
    if (s.leftover[index]) {
      s.leftover[index] = false;
      leftover_ -= bytes_of(s, index);
      continue;
    }
    if (spare_.empty() || bytes_of(s, index) < page_) continue;
    const auto bytes = static_cast<std::size_t>(page_);
    // Should it fail, the system gives another page when this one is touched.
    if (mremap(spare_.back(), bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, data + p * page_) == MAP_FAILED)
      munmap(spare_.back(), bytes);
    spare_.pop_back();
  }
  return_idle();
  return true;
}

void device_heap::unback(std::byte* data, std::int64_t begin, std::int64_t end) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = spans_.find(data);
  if (found == spans_.end()) return;
  span& s = found->second;
  for (std::int64_t p = begin / page_; p * page_ < end; ++p) {
    const auto index = static_cast<std::size_t>(p);
    if (!s.backed[index]) continue;
    s.backed[index] = false;
    used_ -= bytes_of(s, index);
    if (bytes_of(s, index) == page_)
      keep_page(data + p * page_);
    else
      madvise(data + p * page_, round_up(static_cast<std::size_t>(bytes_of(s, index)), page), MADV_DONTNEED);
  }
  return_idle();
}

}  // namespace tessera::device
