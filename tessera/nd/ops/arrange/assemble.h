#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tessera/nd/array.h"

namespace tessera::nd {

/// A new array whose elements are not defined, to be written part by part: a host value if all of `sources` are and it
/// is small, and laid out like the first of these that has a layout (`placement_of`). Throws `argument_error` if they
/// belong to different contexts.
///
/// Each part is a launch that computes what it writes, and nothing is written twice: of k operands, joining takes k
/// launches, and as many bytes as the operands and the result have. One launch for all would have to choose between
/// operands at each element, and be compiled again for each number of them.
[[nodiscard]] array new_array(const extents& shape, scalar_kind type, std::span<const array> sources, call_site here);
/// With a layout of its own.
[[nodiscard]] array new_array(const extents& shape, scalar_kind type, std::span<const array> sources,
                              const layout& placement, call_site here);
/// A new array of one context whose elements are not defined, to be written part by part.
[[nodiscard]] array undefined_array(const std::shared_ptr<graph>& owner, const extents& shape, scalar_kind type,
                                    const layout& placement, call_site here);
/// As `new_array`, for arrays that several launches write. Of more than three axes the elements are zeros first: parts
/// of these cannot be declared without gaps.
[[nodiscard]] array new_array_of_parts(const extents& shape, scalar_kind type, std::span<const array> sources,
                                       call_site here);
/// The layout of what is made of `sources`, which have as many axes: that of the first that has one.
[[nodiscard]] layout placement_of(std::span<const array> sources);

/// Places at, at + 1, ... of an axis are written with places first, first + step, ... of a source.
struct axis_piece {
  std::int64_t at = 0, count = 0;
  std::int64_t first = 0, step = 1;
};
/// Writes elements of `from` to `to`: everything that the pieces of the axes, one of each, have in common.
void write_pieces(const array& to, const array& from, std::span<const std::vector<axis_piece>> axes, call_site here);

}  // namespace tessera::nd
