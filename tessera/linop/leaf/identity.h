#pragma once

#include <complex>
#include <string_view>

#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

/// x itself, for any dimensions, or for those that are named.
[[nodiscard]] op identity(std::string_view dimensions = "");
/// factor * x.
[[nodiscard]] op scalar(std::complex<double> factor, std::string_view dimensions = "");
/// 0, "Nx -> My"; `sizes` of outputs that are no inputs.
[[nodiscard]] op zero(std::string_view dimensions = "", const named_sizes& sizes = {});

/// Real and imaginary part, as real numbers, and the conjugate: linear for real multiples alone. Of real numbers the
/// imaginary part is 0.
[[nodiscard]] op real(std::string_view dimensions = "");
[[nodiscard]] op imag(std::string_view dimensions = "");
[[nodiscard]] op conj(std::string_view dimensions = "");

}  // namespace tessera::linop
