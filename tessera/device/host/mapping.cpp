#include "tessera/device/host/mapping.h"

#include <sys/mman.h>

#include <utility>

#include "tessera/base/defects.h"

namespace tessera::device {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t guard = 16 * page;  // inaccessible, on each side
constexpr std::size_t huge_from = std::size_t{8} << 20;

constexpr std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

std::byte* map_pages(std::size_t bytes) noexcept {
  const std::size_t body = round_up(bytes, page);
  const std::size_t unit = bytes >= huge_from ? huge_page : page;
  const std::size_t total = body + 2 * guard + (unit - page);
  void* const whole = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(whole);
  const std::uintptr_t data = round_up(start + guard, unit);
  // What alignment left over goes back, so that the allocation's own address and size are enough to unmap it.
  if (data - guard > start) munmap(whole, data - guard - start);
  const std::uintptr_t end = data + body + guard;
  if (start + total > end) munmap(reinterpret_cast<void*>(end), start + total - end);
  auto* const result = reinterpret_cast<std::byte*>(data);
  if (mprotect(result, body, PROT_READ | PROT_WRITE) != 0) {
    munmap(result - guard, body + 2 * guard);
    return nullptr;
  }
  if (bytes >= huge_from) madvise(result, body, MADV_HUGEPAGE);
  return result;
}

void unmap_pages(std::byte* data, std::size_t bytes) noexcept {
  munmap(data - guard, round_up(bytes, page) + 2 * guard);
}

kept_mappings::~kept_mappings() {
  while (!kept_.empty()) release_oldest();
}

void kept_mappings::keep(mapping unused) {
  const std::int64_t resident = unused.resident;
  kept_.push_back(std::move(unused));
  resident_ += resident;
}

std::optional<kept_mappings::mapping> kept_mappings::take(std::size_t bytes) noexcept {
  for (auto at = kept_.rbegin(); at != kept_.rend(); ++at) {
    if (round_up(at->bytes, page) != round_up(bytes, page)) continue;
    if (planted("kept_memory_in_use")) return *at;
    mapping found = std::move(*at);
    kept_.erase(std::next(at).base());
    resident_ -= found.resident;
    return found;
  }
  return std::nullopt;
}

void kept_mappings::release_oldest() noexcept {
  resident_ -= kept_.front().resident;
  unmap_pages(kept_.front().data, kept_.front().bytes);
  kept_.pop_front();
}

}  // namespace tessera::device
