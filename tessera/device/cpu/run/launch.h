#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/device/cpu/jit/abi.h"

namespace tessera::device {

/// Blocks [begin, end) on x, y and z.
struct block_range {
  std::array<std::int64_t, 3> begin{};
  std::array<std::int64_t, 3> end{};

  static block_range of(const launch_desc& launch);
  [[nodiscard]] std::int64_t extent(std::size_t axis) const { return end[axis] - begin[axis]; }
  /// 0 if any axis is empty.
  [[nodiscard]] std::int64_t blocks() const;
  /// The one block at position `i` in x-fastest order.
  [[nodiscard]] block_range block(std::int64_t i) const;
};

[[nodiscard]] std::int64_t threads_per_block(const launch_desc& launch);

/// Where a kernel finds the value of each of its parameters; a few need no allocation.
class parameter_list {
 public:
  /// Points at the launch's own arguments, which outlive the list.
  explicit parameter_list(launch_desc& launch);
  parameter_list(const parameter_list&) = delete;
  parameter_list& operator=(const parameter_list&) = delete;

  [[nodiscard]] void* const* data() const { return first_; }
  void replace(int parameter, void* value) { first_[parameter] = value; }

 private:
  std::array<void*, 16> own_{};
  std::vector<void*> more_;
  void** first_ = nullptr;
};

/// Runs `blocks` of a launch on the calling thread. `watch` names it if the kernel crashes; may be null. `own`: see
/// `tessera_cpu_launch`.
void run_blocks(const launch_desc& launch, tessera_cpu_entry entry, const block_range& blocks,
                const parameter_list& params, const observer* watch, unsigned long long own = 0);

/// A range cut into a box of parts: along the slowest axis first, along the next where that gives too few.
class block_parts {
 public:
  block_parts(const block_range& whole, std::int64_t wanted);
  [[nodiscard]] std::int64_t count() const { return parts_[0] * parts_[1] * parts_[2]; }
  [[nodiscard]] block_range part(std::int64_t i) const;

 private:
  block_range whole_;
  std::array<std::int64_t, 3> parts_{1, 1, 1};
};

/// How long a thread of each function ran last time, so that parts are worth the trip to another core and kernels with
/// few but long threads are split as well. Only speed depends on it. Thread-safe.
class cost_table {
 public:
  /// The number of parts to cut `threads` threads into for `cores` cores.
  [[nodiscard]] std::int64_t parts(function_id function, std::int64_t threads, int cores) const;
  void note(function_id function, std::int64_t threads, std::int64_t nanoseconds);

 private:
  static constexpr std::size_t size = 256;
  std::array<std::atomic<std::uint32_t>, size> picoseconds_{};  // per thread; 0: not known. Functions may share.
};

}  // namespace tessera::device
