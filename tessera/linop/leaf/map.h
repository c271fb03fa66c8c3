#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

/// Elements in front of and behind an axis.
using widths = std::vector<std::pair<std::int64_t, std::int64_t>>;
/// Such that element n / 2 of the shorter axis becomes element m / 2 of the longer one, as of centred transforms.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> centered(std::int64_t n, std::int64_t m);

/// "Nx Ny -> Px Py": zeros around the array, by axis; and without so many elements, which is the adjoint.
[[nodiscard]] op pad(std::string_view dimensions, const widths& around, const named_sizes& sizes = {});
[[nodiscard]] op crop(std::string_view dimensions, const widths& around, const named_sizes& sizes = {});

/// first, first + step, ... below last.
struct index_list {
  std::int64_t first = 0, last = 0, step = 1;
  [[nodiscard]] std::int64_t count() const { return (last - first + step - 1) / step; }
};
/// "Nx -> Mx": some elements of each axis. The adjoint needs the size of the whole axis.
[[nodiscard]] op slice(std::string_view dimensions, const std::vector<index_list>& elements,
                       const named_sizes& sizes = {});
/// "Mx -> Nx": elements among zeros, the adjoint of `slice`; sizes of the outputs are given.
[[nodiscard]] op embed(std::string_view dimensions, const std::vector<index_list>& elements, const named_sizes& sizes);
/// "Nx -> Mx": the first `size` elements of an axis.
[[nodiscard]] op truncate(std::string_view dimensions, std::int64_t size, const named_sizes& sizes = {});
/// "Nx -> Mx": zeros behind an axis, up to `size` elements.
[[nodiscard]] op pad_dim(std::string_view dimensions, std::int64_t size, const named_sizes& sizes = {});

/// Axes in reverse, element i at n - 1 - i; and shifted in a circle, element i at i + shift. Outputs that have the name
/// of an input are not the same index: "Nx" gives "Nx -> Nx1".
[[nodiscard]] op flip(std::string_view dimensions, const named_sizes& sizes = {});
[[nodiscard]] op roll(std::string_view dimensions, const std::vector<std::int64_t>& shifts,
                      const named_sizes& sizes = {});

/// "Nx Ny -> Bx By Kx Ky": blocks of `block` elements that begin `stride` elements apart, as many as fit.
[[nodiscard]] op array_to_blocks(std::string_view dimensions, const std::vector<std::int64_t>& block,
                                 const std::vector<std::int64_t>& stride, const named_sizes& sizes = {});
/// "Bx By Kx Ky -> Nx Ny": sums blocks into an array, whose sizes are given.
[[nodiscard]] op blocks_to_array(std::string_view dimensions, const std::vector<std::int64_t>& block,
                                 const std::vector<std::int64_t>& stride, const named_sizes& sizes);

/// "A B -> N": one axis instead of several, row by row; the adjoint needs sizes of all but one of them.
[[nodiscard]] op merge(std::string_view dimensions, const named_sizes& sizes = {});

}  // namespace tessera::linop
