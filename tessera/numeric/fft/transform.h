#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "tessera/numeric/fft/plan.h"
#include "tessera/numeric/parallel_loop.h"

namespace tessera::numeric {

enum class fft_kind : std::uint8_t {
  complex,       ///< n complex numbers to as many.
  real_to_half,  ///< n real numbers to the n / 2 + 1 complex numbers of which the others are the conjugates.
  half_to_real,  ///< The way back; imaginary parts that cannot be are not looked at.
};

/// Transforms of the lines of an array [outer, length, inner] along its middle axis. Sums run with exp(-2 pi i jk / n),
/// backward with the conjugates; nothing is divided but by what `scale` says.
struct fft_lines {
  fft_kind kind = fft_kind::complex;
  std::int64_t length = 1;  ///< Of the lines, in real or complex numbers; of a half, that of the whole.
  std::int64_t inner = 1;   ///< Extent of the last axis.
  std::int64_t lines = 1;   ///< All lines that there are: what the way is chosen by, whatever part is done here.
  bool backward = false;
  double scale = 1;

  /// Elements of a line where it comes from and where it goes to.
  [[nodiscard]] std::int64_t elements_from() const { return kind == fft_kind::half_to_real ? length / 2 + 1 : length; }
  [[nodiscard]] std::int64_t elements_to() const { return kind == fft_kind::real_to_half ? length / 2 + 1 : length; }
};

/// The lines to do: those at [outer_begin, outer_end) x [inner_begin, inner_end).
struct fft_part {
  std::int64_t outer_begin = 0, outer_end = 0, inner_begin = 0, inner_end = 0;
};

/// Bytes of `spare` that `transform_lines` needs, however many lines there are.
[[nodiscard]] std::int64_t fft_spare_bytes(const fft_lines& lines, std::size_t real_bytes);

/// Transforms lines of `from`, whose elements lie as in `fft_lines`, to the same lines of `to`, another array. Bits
/// depend on `lines` and on the line alone, not on the part or the number of threads.
template <class T>
void transform_lines(const fft_lines& lines, const fft_part& part, const T* from, T* to, std::byte* spare,
                     const parallel_loop& run);

/// One line of complex numbers, forward, on the calling thread.
template <class T>
void transform_line(const fft_plan<T>& plan, const std::complex<T>* from, std::complex<T>* to);

}  // namespace tessera::numeric
