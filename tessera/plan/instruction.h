#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"
#include "tessera/base/reduction.h"
#include "tessera/plan/task.h"

/// What one rank does, in an order in which every instruction comes after those it depends on.
namespace tessera::plan {

/// One logical copy of an array.
struct copy_ref {
  array_id array;
  location place;
  bool operator==(const copy_ref&) const = default;
};

/// A box of a copy that an instruction reads or writes.
struct operand {
  copy_ref copy;
  box bounds;
  bool written = false;
  bool operator==(const operand&) const = default;
};

/// Declares an array, so that later instructions may name it. `temporary` arrays hold private results.
struct declare_op {
  array_id array;
  extents shape;
  dtype type;
};

/// Frees all local copies of an array and forgets it.
struct release_op {
  array_id array;
};

/// Runs the granules `part` of a launch at `place`. Array parameters use `arrays` (a private copy for combined ones).
struct launch_op {
  std::shared_ptr<const launch_task> launch;
  std::int64_t superblock = 0;
  box part;
  location place;
  std::vector<array_id> arrays;  ///< Parallel to launch->arrays.
  std::int64_t workspace = 0;    ///< Bytes on the device besides.
};

/// target[x + shift] = source[x] for all x in `boxes` (source coordinates).
struct copy_op {
  copy_ref source, target;
  std::vector<box> boxes;
  extents shift;
};

/// An operation that combines elements: a built-in one, or one that is compiled with the kernel of a launch, for the
/// elements of one of its parameters.
struct combining {
  reduce_op op = reduce_op::add;
  std::shared_ptr<const launch_task> launch{};  ///< Null for built-in operations.
  int parameter = 0;
};

struct fill_op {
  copy_ref target;
  std::vector<box> boxes;
  std::shared_ptr<const std::vector<std::byte>> value;  ///< Null: the identity of `identity_of`.
  combining identity_of{};                              ///< A registered operation.
};

/// target = op(target, source) on `boxes`, or target = source if `overwrite`.
struct fold_op {
  copy_ref source, target;
  std::vector<box> boxes;
  combining by;
  bool overwrite = false;
};

/// Some boxes of one array in a message: their elements in order, densely packed.
struct message_part {
  array_id array;
  std::vector<box> boxes;
  bool operator==(const message_part&) const = default;
};

/// Message `number` of the pair (this rank, peer), numbered in plan order on both sides: its parts one after the other.
struct send_op {
  node_id peer;
  std::uint64_t number = 0;
  location source;
  std::vector<message_part> parts;
};
struct receive_op {
  node_id peer;
  std::uint64_t number = 0;
  location target;
  std::vector<message_part> parts;
};

/// Issue nothing after this until everything before the previous horizon has ended. Bounds what is under way, and lets
/// later instructions leave out dependencies that old.
struct horizon_op {};

/// Tells the holder of `ticket` when all predecessors have ended, or everything issued before.
struct notify_op {
  std::uint64_t ticket = 0;
  bool everything = false;
};

/// Fails what `reason` says: the effect of a check that the planner makes. Writes its operands as failed.
struct reject_op {
  std::string reason;
};

struct instruction {
  instruction_id id;
  task_id task;
  std::vector<instruction_id> after;  ///< Ascending, without duplicates.
  std::vector<operand> operands;
  std::variant<declare_op, release_op, launch_op, copy_op, fill_op, fold_op, send_op, receive_op, horizon_op, notify_op,
               reject_op>
      action;
};

/// Takes finished instructions, in order, and leaves the list empty.
using instruction_taker = std::function<void(std::vector<instruction>&)>;

/// "launch", "copy", ...: the kind of an instruction, as `to_string` and the timeline name it.
[[nodiscard]] std::string_view verb_of(const instruction& i);

/// One line: number, verb, operands, predecessors.
[[nodiscard]] std::string to_string(const instruction& i);

}  // namespace tessera::plan
