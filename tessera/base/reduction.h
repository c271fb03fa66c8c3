#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tessera/base/dtype.h"

namespace tessera {

/// The combining operations of `reduce(op)` and `atomic(op)`.
enum class reduce_op : std::uint8_t { add, multiply, min, max, bit_and, bit_or, bit_xor };

/// "+", "*", "min", "max", "&", "|", "^".
[[nodiscard]] std::string_view to_string(reduce_op op);
[[nodiscard]] std::optional<reduce_op> parse_reduce_op(std::string_view text);

/// False for pairs without a meaning: bit operations on floats, anything on structures and on bool but & | ^. Complex
/// numbers have sums only: products are refused, since what they give with infinities differs from place to place.
[[nodiscard]] bool supports(reduce_op op, const dtype& type);

/// The element e with op(e, x) == x, as `type.size` bytes. Requires `supports(op, type)`.
[[nodiscard]] std::vector<std::byte> identity_of(reduce_op op, const dtype& type);

/// target[i] = op(target[i], source[i]) for `count` contiguous elements. Requires `supports(op, type)`. Numbers of 16
/// bits are combined in float and rounded back each time, so that the bits depend on the order of elements alone.
void combine(reduce_op op, const dtype& type, std::byte* target, const std::byte* source, std::int64_t count);

}  // namespace tessera
