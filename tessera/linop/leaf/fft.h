#pragma once

#include <string_view>

#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

enum class fft_norm : std::uint8_t {
  ortho,  ///< Divided by the root of the number of elements: the adjoint is the inverse.
  none,   ///< Sums as they are, in both directions.
};

struct fft_options {
  bool centered = false;  ///< Element n / 2 is place 0 and frequency 0, on both sides.
  fft_norm norm = fft_norm::ortho;
  named_sizes sizes{};
};

/// "Nx Ny -> Kx Ky": the Fourier transform along all named axes; the adjoint transforms backward.
[[nodiscard]] op fft(std::string_view dimensions, const fft_options& options = {});
/// Of real numbers: of the last axis n / 2 + 1 elements, of which the others are the conjugates. Linear for real
/// multiples alone; the adjoint needs the size of the last axis. Never centred.
[[nodiscard]] op rfft(std::string_view dimensions, const fft_options& options = {});

}  // namespace tessera::linop
