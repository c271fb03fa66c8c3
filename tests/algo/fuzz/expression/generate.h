#pragma once

#include <cstdint>
#include <vector>

#include "tests/algo/fuzz/expression/tree.h"

namespace tessera::fuzz {

/// Random expressions that are defined for every element of `columns`.
[[nodiscard]] std::vector<tree> generate_trees(std::uint64_t seed, std::uint64_t index, std::size_t count,
                                               const std::vector<column_values>& columns);

}  // namespace tessera::fuzz
