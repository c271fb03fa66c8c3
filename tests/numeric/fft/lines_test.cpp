// Where lines lie in arrays, and how they are shared out, changes nothing.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/numeric/fft/lines.h"

using namespace tessera;
using namespace tessera::support;
using numeric::fft_kind;
using numeric::fft_lines;

namespace {

template <class E>
bool same_bits(const std::vector<E>& a, const std::vector<E>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(E)) == 0;
}

/// Lines along the middle axis against the same lines one behind the other.
template <class T, class To, class From>
void check_strides(fft_lines lines, std::int64_t outer, std::int64_t inner) {
  lines.inner = inner;
  lines.lines = outer * inner;
  const auto x = noise<From>(outer * lines.elements_from() * inner, 7);
  const auto y = transformed<T, To>(lines, outer, x);
  std::vector<From> straight;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) {
      const auto line = line_of(x, lines.elements_from(), inner, o, i);
      straight.insert(straight.end(), line.begin(), line.end());
    }
  fft_lines side = lines;
  side.inner = 1;
  const auto expected = transformed<T, To>(side, outer * inner, straight);
  const std::int64_t n = lines.elements_to();
  bool same = true;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i)
      same = same && same_bits(line_of(y, n, inner, o, i), line_of(expected, n, 1, o * inner + i, 0));
  CHECK(same);
  for (const std::int64_t cuts : {2, 3}) CHECK(same_bits(transformed<T, To>(lines, outer, x, cuts), y));
}

}  // namespace

TEST_CASE("lines along any axis, in any parts, have the same bits") {
  for (const std::int64_t n : {6, 15, 17, 64, 288, 5120})
    for (const auto& [outer, inner] : {std::pair<std::int64_t, std::int64_t>{5, 3}, {2, 37}, {1, 8}, {40, 1}, {1, 2}}) {
      CAPTURE(n);
      CAPTURE(outer);
      CAPTURE(inner);
      const fft_lines plain{.length = n}, back{.length = n, .backward = true, .scale = 0.25},
          half{.kind = fft_kind::real_to_half, .length = n},
          reals{.kind = fft_kind::half_to_real, .length = n, .backward = true};
      check_strides<float, std::complex<float>, std::complex<float>>(plain, outer, inner);
      check_strides<double, std::complex<double>, std::complex<double>>(back, outer, inner);
      check_strides<float, std::complex<float>, float>(half, outer, inner);
      check_strides<double, std::complex<double>, double>(half, outer, inner);
      check_strides<float, float, std::complex<float>>(reals, outer, inner);
      check_strides<double, double, std::complex<double>>(reals, outer, inner);
    }
}

TEST_CASE("no lines are no work") {
  const fft_lines lines{.length = 12, .inner = 4, .lines = 0};
  CHECK(transformed<float, std::complex<float>>(lines, 0, std::vector<std::complex<float>>()).empty());
}

TEST_CASE("a transform and the way back give the line again") {
  for (const std::int64_t n : {1, 30, 31, 4096, 6000, 7919}) {
    CAPTURE(n);
    const auto x = noise<std::complex<double>>(3 * n, 5);
    const fft_lines there{.length = n, .lines = 3},
        back{.length = n, .lines = 3, .backward = true, .scale = 1.0 / static_cast<double>(n)};
    const auto y = transformed<double, std::complex<double>>(there, 3, x);
    CHECK(relative_error(transformed<double, std::complex<double>>(back, 3, y), x) < 1e-15);
  }
}
