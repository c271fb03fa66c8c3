#pragma once

#include <array>
#include <memory>

#include "tests/fuzz/program/thread.h"

namespace tessera::fuzz {

/// An array of the reference: all elements in row-major order, and which of them hold something.
struct plain_array {
  element type = element::i32;
  int_list shape;
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> defined;
};

struct plain_handle {
  std::shared_ptr<plain_array> array;
  span_box part;  ///< Of the array.
};

/// What an operation must give: for a read its elements; for a launch, per repetition, whether it is refused.
struct outcome {
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> defined;
  std::vector<bool> refused;
};

/// Carries out programs one operation and one thread after the other, on plain vectors.
class reference {
 public:
  /// Does the operation if its result is determined: no use of missing arrays or undefined elements, no race between
  /// threads, not too much work. False, and nothing done, otherwise.
  bool apply(const operation& step, outcome& result);

  [[nodiscard]] const plain_handle& at(int slot) const { return slots_[static_cast<std::size_t>(slot)]; }
  /// The part of an array that `o` names; it exists.
  [[nodiscard]] plain_handle resolve(const argument_spec& o) const;

 private:
  bool apply_one(const create_op& o, outcome& result);
  bool apply_one(const drop_op& o, outcome& result);
  bool apply_one(const view_op& o, outcome& result);
  bool apply_one(const fill_op& o, outcome& result);
  bool apply_one(const write_op& o, outcome& result);
  bool apply_one(const read_op& o, outcome& result);
  bool apply_one(const value_op& o, outcome& result);
  bool apply_one(const swap_op& o, outcome& result);
  bool apply_one(const wait_op& o, outcome& result);
  bool apply_one(const launch_op& o, outcome& result);

  [[nodiscard]] bool exists(const argument_spec& o) const;

  std::array<plain_handle, slot_count> slots_;
};

/// The outcomes of all operations; nothing if one has no determined result.
[[nodiscard]] std::optional<std::vector<outcome>> expected_outcomes(const program& p);

/// The element of `type` that writes and fills with `seed` put at position `index`.
void put_element(element type, std::byte* to, std::uint64_t seed, std::uint64_t index);

}  // namespace tessera::fuzz
