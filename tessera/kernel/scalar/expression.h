#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/kernel/scalar/opcode.h"

namespace tessera::kernels {

/// What a neighbour is at the offset 0, 0, ... of a region: offsets of up to four axes in one number.
[[nodiscard]] std::int64_t pack_offsets(std::span<const int> offsets);
[[nodiscard]] std::array<int, 4> unpack_offsets(std::int64_t packed);

/// One step of a scalar expression. Operands are earlier steps.
struct scalar_step {
  opcode operation{};
  scalar_kind type{};       ///< Of the result.
  std::uint16_t place = 0;  ///< parameter, neighbour: which parameter; constant: which number of the state.
  std::array<std::uint16_t, 3> operands{};
  std::int64_t detail = 0;  ///< neighbour: its offsets. A constant whose value is part of the text: its bits.
  bool operator==(const scalar_step&) const = default;
};

/// A function of scalars as data: what front ends record, print as text for every kind of device and evaluate. Equal
/// steps are one step, and a step that an earlier one makes needless (`simplified`) is not added. A number is a slot of
/// the state, a new one at every use: expressions that differ in numbers alone have equal steps, and with them one
/// text. Not thread-safe.
class expression {
 public:
  using value = std::uint16_t;  ///< A step, by its number.
  static constexpr std::size_t most_steps = 256;

  /// Parameter `place` of the function.
  value parameter(int place, scalar_kind type);
  /// The element of region parameter `place` at the distance `offsets`, one per axis.
  value neighbour(int place, scalar_kind type, std::span<const int> offsets);
  /// A number that is data: its bytes are appended to the state.
  value constant(scalar_kind type, std::span<const std::byte> bytes);
  /// An integer that is part of the text, so that compilers know it: a divisor, a distance of a shift, an exponent.
  value literal(scalar_kind type, std::int64_t number);
  /// `type` is the type of the operation; of conversions, `select` and `make_complex`, that of the result. Throws
  /// `argument_error` if there is no such operation of that type, or the expression becomes too long.
  value apply(opcode operation, scalar_kind type, std::initializer_list<value> operands);

  [[nodiscard]] const std::vector<scalar_step>& steps() const { return steps_; }
  [[nodiscard]] scalar_kind type_of(value step) const { return steps_[step].type; }
  /// The types of the state's numbers, and their bytes with the alignment that a C++ struct of them has.
  [[nodiscard]] const std::vector<scalar_kind>& constants() const { return constants_; }
  [[nodiscard]] const std::vector<std::byte>& state() const { return state_; }
  [[nodiscard]] std::size_t state_alignment() const { return state_alignment_; }
  /// Forgets everything but keeps its memory.
  void clear();

 private:
  value add(const scalar_step& step);

  std::vector<scalar_step> steps_;
  std::vector<scalar_kind> constants_;
  std::vector<std::byte> state_;
  std::size_t state_alignment_ = 1;
};

}  // namespace tessera::kernels
