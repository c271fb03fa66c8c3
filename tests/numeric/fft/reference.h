#pragma once

#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "tessera/base/index.h"

namespace tessera::support {

/// Numbers around 0 that are the same in each run.
template <class T>
std::vector<T> noise(std::int64_t n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> between(-1, 1);
  std::vector<T> made(index(n));
  for (T& each : made) {
    if constexpr (std::is_floating_point_v<T>)
      each = static_cast<T>(between(engine));
    else
      each =
          T(static_cast<typename T::value_type>(between(engine)), static_cast<typename T::value_type>(between(engine)));
  }
  return made;
}

/// The discrete Fourier transform as it is written, in long double.
template <class T>
std::vector<std::complex<long double>> plain_transform(const std::vector<std::complex<T>>& x, bool backward) {
  using wide = std::complex<long double>;
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<wide> roots(x.size()), made(x.size());
  for (std::int64_t k = 0; k < n; ++k) {
    const long double angle =
        2 * 3.141592653589793238462643383279502884L * static_cast<long double>(k) / static_cast<long double>(n);
    roots[index(k)] = {std::cos(angle), backward ? std::sin(angle) : -std::sin(angle)};
  }
  for (std::int64_t k = 0; k < n; ++k) {
    long double re = 0, im = 0;
    std::int64_t at = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const wide root = roots[index(at)];
      const auto a = static_cast<long double>(x[index(j)].real()), b = static_cast<long double>(x[index(j)].imag());
      re += a * root.real() - b * root.imag();
      im += a * root.imag() + b * root.real();
      if ((at += k) >= n) at -= n;
    }
    made[index(k)] = {re, im};
  }
  return made;
}

/// The distance of two lists, relative to the length of the second.
template <class A, class B>
long double relative_error(const std::vector<A>& a, const std::vector<B>& b) {
  using wide = std::complex<long double>;
  long double error = 0, size = 0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    error += std::norm(wide(a[k]) - wide(b[k]));
    size += std::norm(wide(b[k]));
  }
  return size == 0 ? std::sqrt(error) : std::sqrt(error / size);
}

}  // namespace tessera::support
