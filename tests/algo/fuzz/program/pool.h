#pragma once

#include <tessera/algo.h>

#include <cmath>
#include <cstdint>

#include "tests/algo/fuzz/program/program.h"

// The functions of container programs. Skeletons and the reference use the same ones, which are few, so that their
// kernels are compiled once for all programs. Each tells apart its arguments and the order in which it gets them.

namespace ts = tessera;

namespace fuzzed {
TS_DEVICE(
  struct cell {
  unsigned a, b;
  unsigned short c, d;
  };
  inline cell turned(cell x, unsigned k, short j) {
  return {x.b + k, x.a * 3 + (unsigned)j, (unsigned short)(x.c + k), x.d};
  }
  inline cell crossed(cell x, cell y, unsigned k) {
  return {x.a - y.b, y.a + k, x.c, (unsigned short)(y.d ^ x.c)}; }
  inline cell made(ts::index1 i, unsigned x) {
  return {x, (unsigned)(i * 5), (unsigned short)i, (unsigned short)x}; }
  inline unsigned weight(cell x, unsigned char k) {
  return x.a * 7 + x.b * 5 + x.c * 3 + x.d + k; }

  /// In any order.
  struct joined {
    cell operator()(cell x, cell y) const {
      return {x.a + y.a, x.b < y.b ? y.b : x.b, (unsigned short)(x.c ^ y.c), (unsigned short)(x.d + y.d)};
}
}
;
/// In order only: maps v -> a v + b one after the other.
struct chained {
  unsigned k;
  cell operator()(cell x, cell y) const { return {x.a * y.a, x.b * y.a + y.b, x.c, (unsigned short)(y.d + 0 * k)}; }
};

/// In an order of few keys, so that many elements are equal.
struct earlier {
  bool operator()(cell x, cell y) const { return x.b % 16 < y.b % 16; }
};
struct alike {
  bool operator()(cell x, cell y) const { return x.c % 3 == y.c % 3; }
};
struct lighter {
  unsigned k;
  bool operator()(cell x) const { return x.a % 8 < k; }
};

inline unsigned placed1(ts::index1 i, unsigned x, unsigned k) { return x * 3 + (unsigned)(i * 11) + k; }
inline unsigned placed2(ts::index2 i, unsigned x, unsigned k) {
  return x * 3 + (unsigned)(i.row * 101 + i.col * 7) + k;
}
inline unsigned placed3(ts::index3 i, unsigned x, unsigned k) {
  return x * 3 + (unsigned)(i.i * 1009 + i.j * 101 + i.k * 7) + k;
}

inline unsigned in_vector(ts::index1 i, unsigned x, ts::vec<unsigned> all, unsigned k) {
  return x + 3 * all[(i * 7 + k) % all.size()];
}
inline unsigned in_matrix(unsigned x, unsigned k, ts::mat<unsigned> all) {
  return x + 3 * all((x + k) % all.rows(), (x / 3 + k) % all.cols());
}
inline unsigned in_tensor(unsigned x, ts::ten<unsigned, 3> all, unsigned k) {
  return x + 3 * all(x % all.extent(0), (x + k) % all.extent(1), k % all.extent(2));
}
inline unsigned of_row(ts::row<unsigned> line, unsigned x, unsigned k) {
  for (long long j = 0; j < line.size(); ++j) x = x * 3 + line[j];
  return x + k;
}
inline unsigned of_column(unsigned x, ts::col<unsigned> line, unsigned k) {
  for (long long j = 0; j < line.size(); ++j) x = x * 3 + line[j];
  return x + k;
}

inline unsigned around1(ts::region1<unsigned> c, unsigned k) { return c(-1) * 3 + c(1) * 5 + c(0) + k; }
inline unsigned around2(ts::index2 i, ts::region2<unsigned> c, unsigned k) {
  return c(-1, 0) * 3 + c(1, 0) * 5 + c(0, -1) * 7 + c(0, 1) * 11 + c(1, 1) + (unsigned)(i.row * 13 + i.col) + k;
})
}  // namespace fuzzed

namespace tessera::fuzz {

using fuzzed::cell;

template <class X>
inline constexpr bool is_real = std::is_same_v<algo::scalar_t<X>, double>;

/// Doubles stay integers, of no more digits than before.
template <class X>
auto settled(const X& x) {
  using std::floor;
  if constexpr (is_real<X>)
    return floor(x * 0.25);
  else
    return x;
}

// Functions of `auto` parameters, which are recorded.

template <class T>
struct affine {
  T k;
  template <class X>
  auto operator()(X x) const {
    return settled(x * 3 + k);
  }
};
struct with_uniforms {
  template <class X, class K, class J>
  auto operator()(X x, K k, J j) const {
    return settled(x * 2 + k * 5 + j);
  }
};
template <class T>
struct difference {
  T k;
  template <class X, class Y>
  auto operator()(X x, Y y) const {
    return settled(x - y * 3 + k);
  }
};
struct scaled_difference {
  template <class X, class Y>
  auto operator()(X x, Y y) const {
    return settled(x * 3 - y);
  }
};
struct both {
  unsigned k;
  template <class X>
  auto operator()(X x) const {
    using result = std::conditional_t<algo::is_sym<X>, sym<double>, double>;
    return tessera::tuple(x ^ k, result(x % 1024));
  }
};

/// A number below `count` for each element.
template <int Count, class X>
auto tail(const X& x) {
  using std::floor;
  if constexpr (is_real<X>)
    return x - floor(x / Count) * Count;
  else
    return x % static_cast<unsigned>(Count);
}
struct by_tail {
  template <class X, class Y>
  auto operator()(X x, Y y) const {
    return tail<16>(x) < tail<16>(y);
  }
};
struct same_tail {
  template <class X, class Y>
  auto operator()(X x, Y y) const {
    return tail<3>(x) == tail<3>(y);
  }
};
struct below {
  unsigned k;
  template <class X>
  auto operator()(X x) const {
    return tail<8>(x) < k;
  }
};
struct as_real {
  template <class X>
  auto operator()(X x) const {
    using result = std::conditional_t<algo::is_sym<X>, sym<double>, double>;
    return result(x % 1024);
  }
};

/// Around an element of one to three axes, within a radius of 1 or more on each.
template <int N>
struct around {
  template <class C, class K>
  auto operator()(const C& c, K k) const {
    if constexpr (N == 1)
      return settled(c(-1) * 2 + c(1) + k);
    else if constexpr (N == 2)
      return settled(c(-1, 0) + c(1, -1) * 2 + c(0, 1) + k);
    else
      return settled(c(-1, 0, 0) + c(1, 0, -1) * 2 + c(0, 1, 0) + k);
  }
};
/// Around an element of one to three axes, with neighbours two elements away.
template <int N>
struct far_around {
  template <class C, class K>
  auto operator()(const C& c, K k) const {
    if constexpr (N == 1)
      return settled(c(-2) * 2 + c(2) + c(1) + k);
    else if constexpr (N == 2)
      return settled(c(-2, 0) + c(2, -2) * 2 + c(0, 1) + k);
    else
      return settled(c(-2, 0, 1) + c(2, 0, -2) * 2 + c(0, 2, 0) + k);
  }
};

/// Contents of elements from a number.
template <class T>
T value_of(std::int64_t seed) {
  std::uint64_t x = (static_cast<std::uint64_t>(seed) + 1) * 0x9E3779B97F4A7C15U;
  x ^= x >> 29;
  if constexpr (std::is_same_v<T, cell>)
    return {static_cast<unsigned>(x), static_cast<unsigned>(x >> 32), static_cast<unsigned short>(x >> 7),
            static_cast<unsigned short>(x >> 17)};
  else if constexpr (std::is_same_v<T, double>)
    return static_cast<double>(x % 4096);
  else
    return static_cast<T>(x);
}
template <class T>
std::vector<T> values_of(std::int64_t count, std::int64_t seed) {
  std::vector<T> values;
  for (std::int64_t k = 0; k < count; ++k) values.push_back(value_of<T>(seed + k));
  return values;
}
/// An element changed by the host.
template <class T>
T changed(const T& x, std::int64_t k) {
  if constexpr (std::is_same_v<T, cell>)
    return fuzzed::turned(x, static_cast<unsigned>(k), 3);
  else
    return settled(x * 2 + static_cast<T>(k % 1000));
}

}  // namespace tessera::fuzz
