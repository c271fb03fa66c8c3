#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tessera/device/access_listener.h"
#include "tessera/plan/access/index_spread.h"
#include "tessera/plan/task.h"
#include "tessera/runtime/execute/access/checked_array.h"
#include "tessera/runtime/execute/access/violation.h"

namespace tessera::runtime {

/// What a recording of accesses is made with; outlives it.
struct recording_plan {
  const plan::launch_task& launch;
  std::span<const checked_array> arrays;
  bool by_blocks = false;  ///< A thread may touch what its block declares: threads of a block work together.
  bool spreads = false;    ///< All accesses are wanted in `spreads()`, not only those that are not declared.
};

/// Compares the accesses of some thread blocks with what they declare. The planner's own functions say what that is,
/// for one thread or block at a time and only once it touches the array.
class access_recording final : public device::access_recorder {
 public:
  access_recording(const recording_plan& with, void* const* parameters);

  void run(const device::running_thread& who) noexcept override;
  bool touch(const device::memory_access& access) noexcept override;
  void touch_outside(const device::memory_access& access) noexcept override;

  [[nodiscard]] std::vector<violation>& violations() { return violations_; }
  /// Indices that were read and that were written, per array, of its first use.
  struct spread {
    plan::index_spread read, written;
  };
  [[nodiscard]] const std::vector<spread>& spreads() const { return spreads_; }

 private:
  /// An array as the running thread sees it.
  struct view {
    std::uintptr_t first = 0;  ///< Address of element 0.
    std::uintptr_t begin = 0;  ///< Of what may be touched.
    std::uintptr_t bytes = 0;
    std::uint64_t stamp = 0;  ///< Of `declared`.
    std::vector<declared_part> declared;
  };
  void find_private_memory();
  const std::vector<declared_part>& declared(std::size_t array);
  [[nodiscard]] const std::vector<plan::interval>& values();
  void check(std::size_t array, std::int64_t element, const device::memory_access& access);
  void note_spread(std::size_t array, const extents& at, device::memory_access::kind action);
  void note(std::size_t array, const extents& at, violation::reason why, const device::memory_access& access,
            device::memory_access::kind action);
  violation& entry(violation candidate, const device::memory_access& access);
  [[nodiscard]] violation blank(std::size_t array, std::size_t use) const;

  const recording_plan with_;
  device::running_thread who_;
  std::uint64_t stamp_ = 1;
  std::uint64_t values_stamp_ = 0;
  std::vector<view> views_;
  std::vector<plan::interval> values_;     ///< Of the names, for the running thread.
  std::vector<plan::interval> intervals_;  ///< Of the names, for what counts as one: a thread, a block or a row.
  std::vector<violation> violations_;
  std::vector<spread> spreads_;
  std::size_t last_ = 0;  ///< The array that was touched last.
};

}  // namespace tessera::runtime
