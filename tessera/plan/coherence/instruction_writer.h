#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tessera/plan/coherence/plan_state.h"
#include "tessera/plan/instruction.h"

namespace tessera::plan {

/// Writes one rank's instructions of one task. Dependencies follow from operands alone: reading waits for the last
/// writer, writing for it and all readers since; what an instruction does to copies is noted in the table of arrays.
class instruction_writer {
 public:
  /// Appends to `out`; `take` (see `planner::plan`) is called whenever many have gathered. All three outlive it.
  instruction_writer(plan_state& state, task_id task, std::vector<instruction>& out, const instruction_taker& take)
      : state_(state), task_(task), out_(out), take_(take ? &take : nullptr) {}

  /// Appends an instruction, with the dependencies that its operands imply and those in `also`.
  template <class Operation>
  instruction_id emit(Operation operation, std::vector<operand> operands, std::vector<instruction_id> also = {}) {
    instruction& made = append(std::move(operands), std::move(also));
    made.action = std::move(operation);
    return made.id;
  }
  /// A message to or from another rank; messages of a pair of ranks are numbered in the order of these calls.
  instruction_id send(node_id peer, location source, std::vector<message_part> parts,
                      std::vector<instruction_id> also = {});
  instruction_id receive(node_id peer, location target, std::vector<message_part> parts);

  void create(array_id id, const extents& shape, const dtype& type, const partition_ptr& home);
  /// A private array that lives until `release`, known to this rank only.
  array_id make_temporary(const extents& shape, const dtype& type);
  /// Does nothing if the array is not known.
  void release(array_id id);

  /// The array gets new contents in `area` (see `array_state`).
  void invalidate(array_id id, const region& area, const provenance& from);

  /// Ends the task: emits a horizon if enough has happened since the last one.
  void finish();

  [[nodiscard]] array_state& array(array_id id) { return state_.arrays.at(id); }
  [[nodiscard]] const local_machine& machine() const { return state_.machine; }

 private:
  instruction& append(std::vector<operand> operands, std::vector<instruction_id> also);
  void note(const operand& o, instruction_id id);
  void bring_constants_home(array_id id);
  /// Everything up to it has ended before what is written now is issued.
  [[nodiscard]] instruction_id ended() const { return instruction_id(state_.numbers.previous_horizon); }

  plan_state& state_;
  task_id task_;
  std::vector<instruction>& out_;
  const instruction_taker* take_;
};

[[nodiscard]] inline std::vector<box> list(const region& r) { return {r.boxes().begin(), r.boxes().end()}; }

/// The boxes as operands of one copy.
[[nodiscard]] std::vector<operand> operands_of(const copy_ref& copy, std::span<const box> boxes, bool written);
/// What a message reads or writes in one memory.
[[nodiscard]] std::vector<operand> operands_of(location place, std::span<const message_part> parts, bool written);
/// What a copy reads and writes.
[[nodiscard]] std::vector<operand> operands_of(const copy_op& o);

}  // namespace tessera::plan
