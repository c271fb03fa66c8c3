#pragma once

#include <complex>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/nd/plain_array.h"
#include "tests/numeric/fft/reference.h"

/// Stacks of matrices as lists of elements, and their products in long double.
namespace tessera::support {

namespace la = nd::linalg;
using wide = std::complex<long double>;

template <class T>
using real_of = decltype(std::abs(T()));
template <class T>
constexpr double epsilon_of = static_cast<double>(std::numeric_limits<real_of<T>>::epsilon());

template <class T>
plain_array<T> random_array(const extents& shape, unsigned seed = 1) {
  return {shape, noise<T>(nd::element_count(shape), seed)};
}

/// What is read of an array, in long double, whatever numbers it has.
template <class T>
plain_array<wide> read_wide(const nd::array& a) {
  plain_array<wide> made{a.shape(), {}};
  for (const T& each : a.read<T>()) made.elements.emplace_back(wide(each));
  return made;
}
template <class T>
plain_array<wide> widened(const plain_array<T>& a) {
  plain_array<wide> made{a.shape, {}};
  for (const T& each : a.elements) made.elements.emplace_back(wide(each));
  return made;
}

/// Matrix t of a stack.
struct matrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<wide> elements;
  [[nodiscard]] const wide& at(std::int64_t i, std::int64_t j) const { return elements[index(i * columns + j)]; }
  [[nodiscard]] wide& at(std::int64_t i, std::int64_t j) { return elements[index(i * columns + j)]; }
};
inline matrix matrix_of(const plain_array<wide>& a, std::int64_t t) {
  matrix made{a.shape[a.shape.rank() - 2], a.shape[a.shape.rank() - 1], {}};
  const std::int64_t size = made.rows * made.columns;
  made.elements.assign(a.elements.begin() + t * size, a.elements.begin() + (t + 1) * size);
  return made;
}
inline matrix operator*(const matrix& a, const matrix& b) {
  matrix made{a.rows, b.columns, std::vector<wide>(index(a.rows * b.columns))};
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < b.columns; ++j)
      for (std::int64_t k = 0; k < a.columns; ++k) made.at(i, j) += a.at(i, k) * b.at(k, j);
  return made;
}
/// The transpose of the conjugates.
inline matrix adjoint(const matrix& a) {
  matrix made{a.columns, a.rows, std::vector<wide>(a.elements.size())};
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.columns; ++j) made.at(j, i) = std::conj(a.at(i, j));
  return made;
}
inline matrix identity(std::int64_t n) {
  matrix made{n, n, std::vector<wide>(index(n * n))};
  for (std::int64_t k = 0; k < n; ++k) made.at(k, k) = 1;
  return made;
}
/// The largest distance of two elements, in terms of the largest element of the second.
inline double distance(const matrix& a, const matrix& b) {
  if (a.rows != b.rows || a.columns != b.columns) return std::numeric_limits<double>::infinity();
  long double most = 0, size = 1e-30L;
  for (std::size_t k = 0; k < b.elements.size(); ++k) {
    const long double gap = std::abs(a.elements[k] - b.elements[k]);
    if (!(gap <= most)) most = gap;  // also NaN
    size = std::max(size, std::abs(b.elements[k]));
  }
  return static_cast<double>(most / std::max(size, 1e-3L));
}

/// A stack of matrices that are far from singular: random ones plus a diagonal.
template <class T>
plain_array<T> regular(const extents& shape, unsigned seed = 1) {
  plain_array<T> made = random_array<T>(shape, seed);
  const std::int64_t n = shape[shape.rank() - 1];
  for (std::size_t k = 0; k < made.elements.size(); ++k)
    if (static_cast<std::int64_t>(k) % (n * n) % (n + 1) == 0) made.elements[k] += T(static_cast<real_of<T>>(n));
  return made;
}

/// As `for_each_setting`, with enough memory for whole matrices and what LAPACK needs besides.
template <class Body>
void for_each_large_setting(Body body) {
  for_each_setting(body, 16 << 20);
}

}  // namespace tessera::support
