#include "tessera/device/cuda/memory/pinned_pool.h"

#include <cuda.h>

#include <algorithm>
#include <bit>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/driver.h"
#include "tessera/device/host/mapping.h"
#include "tessera/device/host/touch.h"

namespace tessera::device::cuda {
namespace {

constexpr std::size_t cut_from = std::size_t{1} << 20;      // buffers below come from the driver, one by one
constexpr std::size_t block_bytes = std::size_t{64} << 20;  // of memory that is cut into buffers

/// Cleared by all cores and locked; empty if the system has not that much left, or does not let it be locked.
std::span<std::byte> lock_pages(std::size_t bytes) {
  std::byte* const data = map_pages(bytes);
  if (data == nullptr) return {};
  const std::span<std::byte> block(data, bytes);
  touch_pages(block);
  const unsigned flags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;
  if (driver().cuMemHostRegister(data, bytes, flags) == CUDA_SUCCESS) return block;
  unmap_pages(data, bytes);
  return {};
}

std::span<std::byte> ask_driver(std::size_t bytes) {
  void* data = nullptr;
  const CUresult result = driver().cuMemHostAlloc(&data, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    throw out_of_memory(cat("no ", bytes, " bytes of page-locked host memory are left"));
  check(result, "making page-locked host memory");
  return {static_cast<std::byte*>(data), bytes};
}

}  // namespace

std::size_t pinned_pool::size_class(std::int64_t bytes) noexcept {
  constexpr std::uint64_t least = 4096;
  return static_cast<std::size_t>(std::bit_width(std::max(least, static_cast<std::uint64_t>(bytes)) - 1));
}

std::byte* pinned_pool::take_unused(std::size_t size_class) {
  const std::lock_guard lock(mutex_);
  auto& unused = unused_.at(size_class);
  if (unused.empty()) return nullptr;
  std::byte* const buffer = unused.back();
  unused.pop_back();
  return buffer;
}

std::span<std::byte> pinned_pool::make_block(std::size_t buffer_bytes) {
  if (buffer_bytes >= cut_from) {
    const std::span<std::byte> block = lock_pages(std::max(buffer_bytes, block_bytes));
    if (!block.empty()) return block;
  }
  return ask_driver(buffer_bytes);
}

std::byte* pinned_pool::take(std::int64_t bytes) {
  const std::size_t c = size_class(bytes);
  if (std::byte* const buffer = take_unused(c)) return buffer;
  const std::lock_guard growing(growth_);
  if (std::byte* const buffer = take_unused(c)) return buffer;
  const std::size_t each = std::size_t{1} << c;
  const std::span<std::byte> block = make_block(each);
  const std::lock_guard lock(mutex_);
  blocks_.emplace(block.data(), block.size());
  for (std::size_t at = block.size(); at > each; at -= each) unused_[c].push_back(block.data() + at - each);
  return block.data();
}

bool pinned_pool::owns(const std::byte* address) const noexcept {
  const std::lock_guard lock(mutex_);
  const auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(next);
  return address < begin + bytes;
}

void pinned_pool::give(std::byte* buffer, std::int64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  unused_[size_class(bytes)].push_back(buffer);
}

}  // namespace tessera::device::cuda
