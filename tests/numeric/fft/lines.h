#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "tessera/numeric/fft/transform.h"
#include "tests/numeric/fft/reference.h"

namespace tessera::support {

inline const numeric::parallel_loop in_order = [](std::int64_t n, const std::function<void(std::int64_t)>& body) {
  for (std::int64_t k = 0; k < n; ++k) body(k);
};

/// Transforms all lines of `from`, an array [outer, elements_from, inner], cut into parts along both axes: `cuts` of
/// each.
template <class T, class To, class From>
std::vector<To> transformed(const numeric::fft_lines& lines, std::int64_t outer, const std::vector<From>& from,
                            std::int64_t cuts = 1) {
  std::vector<To> to(index(outer * lines.elements_to() * lines.inner));
  std::vector<std::byte> spare(index(numeric::fft_spare_bytes(lines, sizeof(T))));
  for (std::int64_t a = 0; a < cuts; ++a)
    for (std::int64_t b = 0; b < cuts; ++b)
      numeric::transform_lines<T>(
          lines, {outer * a / cuts, outer * (a + 1) / cuts, lines.inner * b / cuts, lines.inner * (b + 1) / cuts},
          reinterpret_cast<const T*>(from.data()), reinterpret_cast<T*>(to.data()), spare.data(), in_order);
  return to;
}

/// The line at (outer, inner) of an array [.., n, inner].
template <class E>
std::vector<E> line_of(const std::vector<E>& elements, std::int64_t n, std::int64_t inner, std::int64_t at_outer,
                       std::int64_t at_inner) {
  std::vector<E> line;
  for (std::int64_t k = 0; k < n; ++k) line.push_back(elements[index((at_outer * n + k) * inner + at_inner)]);
  return line;
}

}  // namespace tessera::support
