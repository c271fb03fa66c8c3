#pragma once

#include <span>

#include "tests/nd/fuzz/reference/types.h"

namespace tessera::fuzz {

/// The result of a function, one element after the other. Throws `invalid_step`.
[[nodiscard]] plain_array computed(function f, std::span<const argument_value> arguments);

/// The array with elements of another type: integers modulo 2^n, floats to the nearest integer that the type has
/// towards zero, NaN to 0. The array itself if it has that type.
[[nodiscard]] plain_array converted(const plain_array& a, scalar_kind type);
/// An array without axes that has this number.
[[nodiscard]] plain_array one_element(const plain_number& n, scalar_kind type);
/// One element, as bytes.
[[nodiscard]] std::vector<std::byte> element_of(const plain_number& n, scalar_kind type);

}  // namespace tessera::fuzz
