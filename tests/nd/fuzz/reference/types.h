#pragma once

#include <optional>
#include <span>

#include "tests/nd/fuzz/reference/plain_array.h"

namespace tessera::fuzz {

/// What a function is called with.
struct argument_value {
  bool is_number = false;
  plain_number number;
  plain_array array;
};

[[nodiscard]] bool is_boolean(scalar_kind type);
[[nodiscard]] bool is_integer(scalar_kind type);  ///< Not booleans.
[[nodiscard]] bool is_signed(scalar_kind type);   ///< Integers.
[[nodiscard]] bool is_real(scalar_kind type);     ///< Floats.
[[nodiscard]] bool is_complex(scalar_kind type);
[[nodiscard]] scalar_kind part_type(scalar_kind complex);

/// Where two types meet, as NumPy has it.
[[nodiscard]] scalar_kind met_type(scalar_kind a, scalar_kind b);
/// Where all arguments meet; numbers count by their sort alone.
[[nodiscard]] scalar_kind met_type(std::span<const argument_value> arguments);
/// True if results of one type may be written into an array of another.
[[nodiscard]] bool can_write(scalar_kind to, scalar_kind from);
/// True if the number can be an element of the type, or be written into an array of it.
[[nodiscard]] bool can_write(scalar_kind to, const plain_number& number);

/// The types in which a function computes and of its result; nothing if it does not exist for the arguments' type, or
/// if its bits are not those of plain C++.
struct function_types {
  scalar_kind computed{}, result{};
};
[[nodiscard]] std::optional<function_types> types_of(function f, scalar_kind met);

}  // namespace tessera::fuzz
