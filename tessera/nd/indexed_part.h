#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tessera/nd/array.h"
#include "tessera/nd/graph/cell.h"

/// What indices of Python and C++ select of an array. Throw `index_error` for places and axes that it has not.
namespace tessera::nd {

/// Sets `made` to the index map that indices select: each takes the next axis, or makes a new one; axes that none takes
/// are whole.
void select(index_map& made, const extents& shape, std::span<const index_item> items, call_site here);
/// Sets `made` to the part of an array of `shape` that indices select.
void select(cell_part& made, const extents& shape, std::span<const index_item> items, call_site here);
/// The number of the element that indices of all axes name; nothing for other indices.
[[nodiscard]] std::optional<std::int64_t> one_element(const extents& shape, std::span<const index_item> items,
                                                      call_site here);

}  // namespace tessera::nd
