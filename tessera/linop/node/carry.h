#pragma once

#include <cstddef>
#include <vector>

#include "tessera/linop/node/node.h"

namespace tessera::linop {

/// How many named axes lie between the members of a chain, from x, which has `rank` of them, to y.
[[nodiscard]] std::vector<std::size_t> ranks_between(const std::vector<op>& members, std::size_t rank);
/// Takes ranges from one side of a member to the other, as far as axes are one index on both.
void carry(const dims& from_names, const axis_ranges& from, const dims& to_names, axis_ranges& to);
[[nodiscard]] axis_ranges last_of(const axis_ranges& ranges, std::size_t count);

}  // namespace tessera::linop
