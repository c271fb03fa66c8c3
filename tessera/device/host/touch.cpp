#include "tessera/device/host/touch.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

#include "tessera/device/host/worker_team.h"

namespace tessera::device {
namespace {

constexpr std::uintptr_t page = 4096;
constexpr std::uintptr_t part = std::uintptr_t{2} << 20;  // a huge page

#ifdef MADV_POPULATE_WRITE
constexpr int populate = MADV_POPULATE_WRITE;
#else
constexpr int populate = 23;  // of the system, where the headers are older
#endif

struct page_range {
  std::uintptr_t begin = 0, end = 0;
};

/// The pages that lie wholly in `memory`.
page_range pages_of(std::span<std::byte> memory) {
  const auto first = reinterpret_cast<std::uintptr_t>(memory.data());
  return {(first + page - 1) / page * page, (first + memory.size()) / page * page};
}

}  // namespace

void ask_for_huge_pages(std::span<std::byte> memory) noexcept {
  const page_range pages = pages_of(memory);
  if (pages.begin < pages.end) madvise(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, MADV_HUGEPAGE);
}

void touch_pages(std::span<std::byte> memory) {
  const page_range pages = pages_of(memory);
  if (pages.begin >= pages.end) return;
  const std::uintptr_t first = pages.begin / part, last = (pages.end + part - 1) / part;
  worker_team::run_and_wait(static_cast<std::int64_t>(last - first), worker_pool::instance().threads(),
                            [=](std::int64_t index) {
                              const std::uintptr_t at = (first + static_cast<std::uintptr_t>(index)) * part;
                              const std::uintptr_t begin = std::max(at, pages.begin);
                              const std::uintptr_t end = std::min(at + part, pages.end);
                              madvise(reinterpret_cast<void*>(begin), end - begin, populate);
                            });
}

void touch_pages_here(std::span<std::byte> memory) noexcept {
  const page_range pages = pages_of(memory);
  if (pages.begin < pages.end) madvise(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, populate);
}

}  // namespace tessera::device
