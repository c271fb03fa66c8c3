#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/plan/coherence/plan_state.h"
#include "tessera/plan/instruction.h"
#include "tessera/plan/task.h"

namespace tessera::plan {

/// Turns the task stream into one rank's instructions: a pure function of the machine, the rank and the tasks so far.
/// A value: a copy plans ahead without consequences (`explain`, dry runs). No thread, device or network.
class planner {
 public:
  /// Messages between this rank and each other one, in both directions, are numbered from `first_message` on.
  planner(machine_table machine, node_id node, std::uint64_t first_message)
      : state_(std::move(machine), node, first_message) {}

  /// Appends this rank's instructions for `t`, in topological order. `take`, if given, is called with them whenever
  /// many have gathered and leaves none: a launch of many superblocks begins to run while it is still being planned.
  void plan(const task& t, std::vector<instruction>& out, const instruction_taker& take = nullptr);

  /// Pieces of state kept: stays bounded however many tasks were planned.
  [[nodiscard]] std::size_t tracked() const { return state_.arrays.tracked(); }

 private:
  plan_state state_;
};

/// The shape of a launch, with the arrays' descriptions looked up through `describe(array_id) -> array_slot`.
template <class Describe>
[[nodiscard]] launch_shape shape_of(const launch_task& t, Describe describe) {
  launch_shape shape{t.name, t.space, t.split, t.accesses, {}, {}};
  std::vector<array_id> seen;
  shape.uses.reserve(t.arrays.size());
  for (const launch_array& a : t.arrays) {
    std::size_t slot = 0;
    while (slot < seen.size() && seen[slot] != a.array) ++slot;
    if (slot == seen.size()) {
      seen.push_back(a.array);
      shape.slots.push_back(describe(a));
    }
    shape.uses.push_back({a.parameter, static_cast<int>(slot), a.slice});
  }
  return shape;
}

}  // namespace tessera::plan
