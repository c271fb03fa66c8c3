#include "tessera/device/cuda/gpu.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <random>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/driver.h"

namespace tessera::device::cuda {
namespace {

int attribute(CUdevice device, CUdevice_attribute attribute) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, attribute, device), "asking for an attribute of a GPU");
  return value;
}

}  // namespace

bool page_pool::take(size s, CUmemGenericAllocationHandle& page) {
  const std::lock_guard lock(mutex_);
  auto& unused = unused_[static_cast<std::size_t>(s)];
  if (unused.empty()) make_some(s);
  if (unused.empty()) {
    trim();
    make_some(s);
  }
  if (unused.empty()) return false;
  page = unused.back();
  unused.pop_back();
  return true;
}

/// Large pages are made several at a time and mixed: arrays of equal sizes that lie behind each other in the GPU's
/// memory would be read through the same channels at the same time, which costs about one percent of bandwidth.
void page_pool::make_some(size s) {
  constexpr int several = 16;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = ordinal_;
  auto& unused = unused_[static_cast<std::size_t>(s)];
  for (int k = 0; k < (s == size::large ? several : 1); ++k) {
    CUmemGenericAllocationHandle page = 0;
    if (driver().cuMemCreate(&page, static_cast<std::size_t>(bytes(s)), &properties, 0) != CUDA_SUCCESS) break;
    unused.push_back(page);
  }
  std::shuffle(unused.begin(), unused.end(), mixer_);
}

void page_pool::give(size s, CUmemGenericAllocationHandle page) noexcept {
  const std::lock_guard lock(mutex_);
  unused_[static_cast<std::size_t>(s)].push_back(page);
}

void page_pool::trim() noexcept {
  for (auto& unused : unused_) {
    for (const CUmemGenericAllocationHandle page : unused) driver().cuMemRelease(page);
    unused.clear();
  }
}

void page_holders::add(page_holder& holder) {
  const std::lock_guard lock(mutex_);
  all_.push_back(&holder);
}

void page_holders::remove(const page_holder& holder) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(all_, &holder);
}

void page_holders::give_up_idle_pages(const page_holder& asking) noexcept {
  const std::lock_guard lock(mutex_);
  for (page_holder* const holder : all_)
    if (holder != &asking) holder->give_up_idle_pages();
}

gpu::gpu(int ordinal_given) : ordinal(ordinal_given), pages(ordinal_given) {
  CUdevice device = 0;
  check(driver().cuDeviceGet(&device, ordinal), cat("opening GPU ", ordinal));
  std::array<char, 128> text{};
  check(driver().cuDeviceGetName(text.data(), static_cast<int>(text.size()), device), "asking for the name of a GPU");
  name = text.data();
  compute_capability = 10 * attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                       attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  if (attribute(device, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) == 0)
    throw device_error(cat("GPU ", ordinal, " (", name, ") has no virtual memory management, which Tessera needs"));
  if (attribute(device, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS) == 0)
    throw device_error(cat("GPU ", ordinal, " (", name, ") has no memory operations on streams, which Tessera needs"));
  check(driver().cuDevicePrimaryCtxRetain(&context, device), cat("making the context of GPU ", ordinal));
  make_current();
  std::size_t free = 0, total = 0;
  check(driver().cuMemGetInfo(&free, &total), "asking for the memory of a GPU");
  memory = static_cast<std::int64_t>(total);
  available = static_cast<std::int64_t>(free);
  CUmemoryPool pool = nullptr;
  check(driver().cuDeviceGetDefaultMemPool(&pool, device), "asking for the memory pool of a GPU");
  cuuint64_t keep = std::uint64_t{1} << 30;  // what temporary buffers gave back stays at hand
  check(driver().cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep), "setting up the memory pool");
}

void gpu::make_current() const noexcept {
  CUcontext now = nullptr;
  driver().cuCtxGetCurrent(&now);
  if (now != context) driver().cuCtxSetCurrent(context);
}

bool are_peers(const gpu& a, const gpu& b) {
  const auto reaches = [](const gpu& from, const gpu& to) {
    CUdevice one = 0, other = 0;
    int can = 0;
    check(driver().cuDeviceGet(&one, from.ordinal), cat("opening GPU ", from.ordinal));
    check(driver().cuDeviceGet(&other, to.ordinal), cat("opening GPU ", to.ordinal));
    check(driver().cuDeviceCanAccessPeer(&can, one, other), "asking whether GPUs are peers");
    return can != 0;
  };
  return &a != &b && reaches(a, b) && reaches(b, a);
}

int gpu_count() {
  if (!driver_available()) return 0;
  int count = 0;
  check(driver().cuDeviceGetCount(&count), "counting the GPUs");
  return count;
}

gpu& get_gpu(int ordinal) {
  static std::mutex mutex;
  static auto* const all = new std::vector<std::unique_ptr<gpu>>;  // used by threads that outlive static objects
  const std::lock_guard lock(mutex);
  if (all->empty()) all->resize(static_cast<std::size_t>(gpu_count()));
  std::unique_ptr<gpu>& entry = all->at(static_cast<std::size_t>(ordinal));
  if (!entry) entry = std::make_unique<gpu>(ordinal);
  return *entry;
}

}  // namespace tessera::device::cuda
