#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/dtype.h"

namespace tessera {

/// The combining operations of `reduce(op)` and `atomic(op)`: those that are built in, then those that a kernel
/// registers, by number (`registered_op`).
enum class reduce_op : std::uint8_t { add, multiply, min, max, bit_and, bit_or, bit_xor, first_registered };

/// An operation of the user for `reduce(name)` (rule A4), in the language of the kernel and compiled with its text,
/// whose types, functions and macros it may use:
///
///   {.name = "argmin", .identity = "{INFINITY, -1}", .combine = "if (b.value < a.value) a = b;"}
///
/// The element type is that of the array that is reduced, a number or a structure of plain values, and one operation
/// may serve several types.
struct registered_reduction {
  std::string name;      ///< A word of C++ letters that is no operation yet.
  std::string identity;  ///< What an element e is initialised with (`T e = ...`) so that combining e and x gives x.
  /// Statements that combine element `b`, which stays as it is, into element `a`. Associative; and commutative, except
  /// in deterministic mode, which keeps the order of thread blocks (rule F3).
  std::string combine;
};

/// How many operations one kernel may register.
inline constexpr int most_registered = 64;

/// Operation `number` among those that a kernel registers.
[[nodiscard]] constexpr reduce_op registered_op(int number) {
  return static_cast<reduce_op>(static_cast<int>(reduce_op::first_registered) + number);
}
[[nodiscard]] constexpr bool is_registered(reduce_op op) { return op >= reduce_op::first_registered; }
/// Requires `is_registered(op)`.
[[nodiscard]] constexpr int registered_number(reduce_op op) {
  return static_cast<int>(op) - static_cast<int>(reduce_op::first_registered);
}

/// "+", "*", "min", "max", "&", "|", "^"; "registered 0" and so on for those of a kernel, which alone knows their
/// names.
[[nodiscard]] std::string to_string(reduce_op op);
/// One of the built-in operations.
[[nodiscard]] std::optional<reduce_op> parse_reduce_op(std::string_view text);

/// False for pairs without a meaning: bit operations on floats, anything on structures and on bool but & | ^. Complex
/// numbers have sums only: products are refused, since what they give with infinities differs from place to place.
/// Registered operations say themselves, when they are compiled, what they are for.
[[nodiscard]] bool supports(reduce_op op, const dtype& type);

/// The element e with op(e, x) == x, as `type.size` bytes. Requires `supports(op, type)` and a built-in operation.
[[nodiscard]] std::vector<std::byte> identity_of(reduce_op op, const dtype& type);

/// target[i] = op(target[i], source[i]) for `count` contiguous elements. Requires as `identity_of`. Numbers of 16
/// bits are combined in float and rounded back each time, so that the bits depend on the order of elements alone.
void combine(reduce_op op, const dtype& type, std::byte* target, const std::byte* source, std::int64_t count);

}  // namespace tessera
