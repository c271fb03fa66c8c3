#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

/// What lies beyond the ends of an axis.
enum class boundary : std::uint8_t {
  zero,
  circular,
  reflect,  ///< Mirrored at the last element, which is not repeated: d c b | a b c d | c b a.
};

struct convolution_options {
  boundary edge = boundary::zero;
  bool correlates = false;  ///< The kernel is not reversed.
  named_sizes sizes{};
};

/// "Nx Ny": y[i] = sum of kernel[k] * x[i + n / 2 - k] over the kernel, whose axes are those that are named, of sizes
/// n: the result has the size of x. Outputs are not the same index: "Nx -> Nx1".
[[nodiscard]] op convolution(const array_base& kernel, std::string_view dimensions,
                             const convolution_options& options = {});

/// Which neighbours a first derivative takes: x[i + 1] - x[i], x[i] - x[i - 1], (x[i + 1] - x[i - 1]) / 2.
enum class difference : std::uint8_t { forward, backward, centered };

struct derivative_options {
  difference kind = difference::centered;
  boundary edge = boundary::zero;
  double spacing = 1;  ///< Between elements.
  /// All dimensions that the operator names, "Nx Ny", where the one is not the last: Ny passes through.
  std::string within{};
  named_sizes sizes{};
};

/// Along one axis, "Nx".
[[nodiscard]] op first_derivative(std::string_view dimension, const derivative_options& options = {});
/// x[i + 1] - 2 x[i] + x[i - 1], along one axis; `options.kind` does not count.
[[nodiscard]] op second_derivative(std::string_view dimension, const derivative_options& options = {});
/// Forward differences x[i + 1] - x[i] in a circle: what total variation is made of.
[[nodiscard]] op finite_difference(std::string_view dimension, std::string_view within = "",
                                   const named_sizes& sizes = {});
/// "Nx Ny": the sum of second derivatives along all axes.
[[nodiscard]] op laplacian(std::string_view dimensions, const derivative_options& options = {});
/// "Nx Ny -> D Nx Ny": first derivatives along all axes, one behind the other along the new dimension.
[[nodiscard]] op gradient(std::string_view dimensions, const derivative_options& options = {});

}  // namespace tessera::linop
