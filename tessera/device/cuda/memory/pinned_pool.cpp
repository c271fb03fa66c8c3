#include "tessera/device/cuda/memory/pinned_pool.h"

#include <cuda.h>

#include <algorithm>
#include <bit>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/driver.h"
#include "tessera/device/host/mapping.h"
#include "tessera/device/host/touch.h"
#include "tessera/device/host/worker_team.h"

namespace tessera::device::cuda {
namespace {

constexpr std::size_t cut_from = std::size_t{1} << 20;     // buffers below come from the driver, one by one
constexpr std::size_t part_bytes = std::size_t{64} << 20;  // that are locked by one call; no buffer lies in two parts
constexpr std::size_t most_bytes = std::size_t{1} << 30;   // of a block of several parts

bool lock_part(std::span<std::byte> part, bool is_only, CUcontext context) {
  is_only ? touch_pages(part) : touch_pages_here(part);
  driver().cuCtxSetCurrent(context);
  constexpr unsigned flags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;
  return driver().cuMemHostRegister(part.data(), part.size(), flags) == CUDA_SUCCESS;
}

/// Cleared and locked part by part on all cores; empty if the system has not that much left, or does not let it be
/// locked.
std::span<std::byte> lock_pages(std::size_t bytes, std::size_t part) {
  std::byte* const data = map_pages(bytes);
  if (data == nullptr) return {};
  CUcontext context = nullptr;
  driver().cuCtxGetCurrent(&context);
  std::vector<char> locked(bytes / part);
  const auto lock = [&](std::int64_t index) {
    const auto k = static_cast<std::size_t>(index);
    locked[k] = lock_part({data + k * part, part}, locked.size() == 1, context);
  };
  worker_team::run_and_wait(std::ssize(locked), worker_pool::instance().threads(), lock);
  if (std::find(locked.begin(), locked.end(), 0) == locked.end()) return {data, bytes};
  for (std::size_t k = 0; k < locked.size(); ++k)
    if (locked[k] != 0) driver().cuMemHostUnregister(data + k * part);
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

std::span<std::byte> pinned_pool::make_block(std::size_t buffer_bytes) const {
  if (buffer_bytes >= cut_from) {
    const std::size_t part = std::max(buffer_bytes, part_bytes);
    const std::size_t share = std::min(bytes_ / 32, most_bytes) / part * part;
    const std::span<std::byte> block = lock_pages(std::max(part, share), part);
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
  bytes_ += block.size();
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
