#pragma once

#include <complex>
#include <cstdint>

#include "tessera/numeric/fft/transform.h"

namespace tessera::numeric {

/// Complex numbers at regular distances.
template <class T>
struct strided_line {
  T* data = nullptr;
  std::int64_t stride = 1;
};

/// The transform of one line of complex numbers that is too long for lanes, or is alone.
template <class T>
class complex_line {
 public:
  /// `plan` is split or a chirp. Both outlive this.
  complex_line(const fft_plan<T>& plan, const parallel_loop& run) : plan_(plan), run_(run) {}
  /// `spare` has room for `plan.spare()` numbers.
  void transform(strided_line<const std::complex<T>> from, strided_line<std::complex<T>> to, bool backward, T scale,
                 std::complex<T>* spare) const;

 private:
  void split(strided_line<const std::complex<T>> from, strided_line<std::complex<T>> to, bool backward, T scale,
             std::complex<T>* spare) const;
  void columns(strided_line<const std::complex<T>> from, std::complex<T>* to, bool backward) const;
  void rows(const std::complex<T>* from, strided_line<std::complex<T>> to, bool backward, T scale) const;
  void chirp(strided_line<const std::complex<T>> from, strided_line<std::complex<T>> to, bool backward, T scale,
             std::complex<T>* spare) const;

  const fft_plan<T>& plan_;
  const parallel_loop& run_;
};

/// The transform of such a line of any kind.
template <class T>
class long_line {
 public:
  long_line(const fft_plan<T>& plan, const fft_lines& lines, const parallel_loop& run)
      : plan_(plan), lines_(lines), run_(run) {}
  /// Offsets are in elements: complex or real numbers, by the kind.
  void transform(const T* from, std::int64_t from_offset, T* to, std::int64_t to_offset, std::complex<T>* spare) const;

 private:
  void real_to_half(const T* from, std::complex<T>* to, std::complex<T>* spare) const;
  void half_to_real(const std::complex<T>* from, T* to, std::complex<T>* spare) const;

  const fft_plan<T>& plan_;
  const fft_lines& lines_;
  const parallel_loop& run_;
};

}  // namespace tessera::numeric
