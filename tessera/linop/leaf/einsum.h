#pragma once

#include <string_view>

#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

/// What `operator.N()` of a dense operator is: chosen by sizes, W^H (W x), or a matrix W^H W that is computed once.
enum class normal_form : std::uint8_t { automatic, pair, gram };
struct dense_options {
  normal_form normal = normal_form::automatic;
};

/// Elements times those of `weight`, whose axes are `dimensions`.
[[nodiscard]] op diagonal(const array_base& weight, std::string_view dimensions);
/// As above, for a weight with some of the dimensions, in any order.
[[nodiscard]] op diagonal(const array_base& weight, std::string_view weight_dimensions, std::string_view dimensions);

/// Any sum of products: "T K, K Kx Ky -> T Kx Ky" are the axes of the weight, of x and of y. What y does not have is
/// summed. Large ones are products of matrices (`numeric`).
[[nodiscard]] op dense(const array_base& weight, std::string_view dimensions, const dense_options& options = {});

/// "C Nx -> Nx": sums over the inputs that are no outputs.
[[nodiscard]] op sum_reduce(std::string_view dimensions, const named_sizes& sizes = {});
/// "Nx -> C Nx": copies along outputs that are no inputs, whose sizes are given.
[[nodiscard]] op repeat(std::string_view dimensions, const named_sizes& sizes);
/// "Nx Ny -> Ny Nx": the same dimensions in another order.
[[nodiscard]] op rearrange(std::string_view dimensions);

}  // namespace tessera::linop
