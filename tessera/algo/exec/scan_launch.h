#pragma once

#include <optional>
#include <vector>

#include "tessera/algo/exec/reduce_launch.h"

namespace tessera::algo {

/// Writes the running combination of what `wanted.bound` computes, in order, into `out`. With `start`, the bytes of one
/// value, each element gets the combination of `start` and the elements before it; otherwise that of all elements up to
/// itself. `wanted.combine` must be associative. The order depends on the number of elements alone. With `last`, what
/// it makes of each value is written, which needs no memory for the values.
void scan(const reduction& wanted, const operand& out, const std::optional<std::vector<std::byte>>& start,
          const op* last = nullptr);

}  // namespace tessera::algo
