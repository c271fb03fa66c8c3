#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/linop/op.h"

namespace tessera::linop {

/// Ranges [first, last) of some dimensions.
using tile = std::vector<std::pair<std::string, std::pair<std::int64_t, std::int64_t>>>;

/// The part of an operator that a tile names: a dimension of the output restricts y, one of the input alone restricts
/// x, whose other elements count as zero, and one that lies inside of a chain restricts what is summed there. It takes
/// and gives arrays of the tile's sizes. Weights are views. Throws `argument_error` for a tile that is empty or lies
/// outside, and for dimensions that nobody has, or whose size is not known.
[[nodiscard]] op split(const op& a, const tile& part);
/// The part of the adjoint.
[[nodiscard]] op adj_split(const op& a, const tile& part);

/// An operator cut at multiples of some sizes, the last tile of each dimension being smaller where it must.
struct split_grid {
  std::vector<std::int64_t> counts{};  ///< Tiles along each dimension, in the order in which these are given.
  std::vector<tile> tiles{};           ///< Row by row.
  std::vector<op> pieces{};
};
/// Dimensions and the lengths of tiles along them; one length stands for as many tiles as are needed.
using tile_lengths = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;
[[nodiscard]] split_grid split_linop(const op& a, const tile_lengths& lengths);

/// How an operator is done in pieces.
struct batch_spec {
  tile_lengths batch_sizes{};
  /// "cuda:5" or "cpu:1": the sixth (second) logical device of the kind through all ranks; "device:5": the sixth of
  /// any. Dealt to tiles in turn; empty: wherever the engine takes it.
  std::vector<std::string> device_matrix{};
};
/// The operator as a sum of its pieces: they read and write parts of x and y, and where several write one part, add to
/// it, per device first. Specs behind the first cut the pieces further. Results do not depend on it but for rounding.
[[nodiscard]] op create_batched_linop(const op& a, const std::vector<batch_spec>& specs,
                                      context ctx = default_context());

}  // namespace tessera::linop
