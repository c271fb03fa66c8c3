#include "tessera/numeric/fft/roots.h"

#include <cmath>
#include <numbers>

namespace tessera::numeric {

template <class T>
std::complex<T> root_of_unity(std::int64_t k, std::int64_t n) {
  // The angle as that of the nearest eighth of a turn, plus or minus an eighth at most: exact until the last step.
  const auto wide_k = static_cast<__int128>(k % n + n) % n * 8;
  const auto eighth = static_cast<int>((wide_k + n / 2) / n);
  const auto rest = static_cast<long double>(static_cast<std::int64_t>(wide_k - static_cast<__int128>(eighth) * n));
  const long double angle = -std::numbers::pi_v<long double> / 4 * rest / static_cast<long double>(n);
  const long double c = std::cos(angle), s = std::sin(angle), h = std::numbers::sqrt2_v<long double> / 2;
  long double re = c, im = s;
  if (eighth % 2 != 0) re = h * (c + s), im = h * (s - c);
  for (int quarter = 0; quarter < eighth % 8 / 2; ++quarter) {
    const long double turned = -re;  // times -i
    re = im;
    im = turned;
  }
  return {static_cast<T>(re), static_cast<T>(im)};
}

template std::complex<float> root_of_unity<float>(std::int64_t, std::int64_t);
template std::complex<double> root_of_unity<double>(std::int64_t, std::int64_t);
template std::complex<long double> root_of_unity<long double>(std::int64_t, std::int64_t);

root_table::root_table(std::int64_t n) {
  while ((std::int64_t{1} << (2 * bits_)) < n) ++bits_;
  const std::int64_t step = std::int64_t{1} << bits_;
  for (std::int64_t k = 0; k < step; ++k) fine_.push_back(root_of_unity<double>(k, n));
  for (std::int64_t k = 0; k < n; k += step) coarse_.push_back(root_of_unity<double>(k, n));
}

}  // namespace tessera::numeric
