#pragma once

#include <cuda.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tessera/device/cuda/memory/pinned_pool.h"

namespace tessera::device::cuda {

/// Physical pages of one GPU, kept for use again: making one takes longer than mapping it. Thread-safe.
class page_pool {
 public:
  /// Two sizes: small spans waste little, large ones are mapped with few calls.
  enum class size : std::uint8_t { small, large };
  static constexpr std::int64_t bytes(size s) { return std::int64_t{1} << (s == size::small ? 21 : 25); }

  explicit page_pool(int ordinal) : ordinal_(ordinal) {}

  /// False if the GPU has none left, even after all unused pages were given back.
  [[nodiscard]] bool take(size s, CUmemGenericAllocationHandle& page);
  void give(size s, CUmemGenericAllocationHandle page) noexcept;

 private:
  void make_some(size s);
  void trim() noexcept;

  int ordinal_;
  std::minstd_rand mixer_;
  std::mutex mutex_;
  std::array<std::vector<CUmemGenericAllocationHandle>, 2> unused_;
};

/// Holds pages of a GPU that it could do without.
class page_holder {
 public:
  /// Gives them to the pool of the GPU, unless it is at work on its pages just now. Called by any thread.
  virtual void give_up_idle_pages() noexcept = 0;

 protected:
  ~page_holder() = default;
};

/// Those of one GPU. Thread-safe.
class page_holders {
 public:
  void add(page_holder& holder);
  void remove(const page_holder& holder) noexcept;
  /// Has all but `asking` give up what they can do without.
  void give_up_idle_pages(const page_holder& asking) noexcept;

 private:
  std::mutex mutex_;
  std::vector<page_holder*> all_;
};

/// A physical GPU, made on first use and kept until the process ends. All contexts of Tessera and other libraries of
/// the process share its primary context.
struct gpu {
  explicit gpu(int ordinal);

  const int ordinal;
  std::string name;
  int compute_capability = 0;  ///< 90 for sm_90.
  int multiprocessors = 0;
  std::int64_t memory = 0;     ///< Bytes it has.
  std::int64_t available = 0;  ///< Bytes that were free when it was first used.
  CUcontext context = nullptr;
  page_pool pages;
  page_holders holders;
  pinned_pool pinned;
  std::atomic<bool> lost{false};  ///< A kernel broke the context: nothing works on it any more.

  /// Has the calling thread's driver calls go to this GPU. If that fails, so do they.
  void make_current() const noexcept;
};

/// True if each of the two GPUs can address the other's memory.
[[nodiscard]] bool are_peers(const gpu& a, const gpu& b);

/// How many GPUs the driver shows; 0 without a driver.
[[nodiscard]] int gpu_count();
/// Requires 0 <= ordinal < gpu_count(). Throws `device_error` if the GPU cannot be used.
[[nodiscard]] gpu& get_gpu(int ordinal);

}  // namespace tessera::device::cuda
