#pragma once

#include <tessera/algo.h>

#include <type_traits>

// Types of elements of the product of all algorithms, and functions that have a meaning for each of them. They are C++
// of the host, which the standard library calls, and text for devices.

namespace ts = tessera;

namespace oracle {
TS_DEVICE(
  struct three {
  unsigned char a, b, c;
  };
  struct wide {
  double a;
  long long b;
  int c, d;
  };

  struct turned_three {
    three operator()(three x) const { return {x.b, x.c, (unsigned char)(x.a + 1)};
}
}
;
struct turned_wide {
  wide operator()(wide x) const { return {x.a + 1, x.b * 3 % 1000003, x.d, x.c}; }
};
/// In any order.
struct sum_three {
  three operator()(three x, three y) const {
    return {(unsigned char)(x.a + y.a), (unsigned char)(x.b ^ y.b), x.c < y.c ? y.c : x.c};
  }
};
struct sum_wide {
  wide operator()(wide x, wide y) const { return {x.a + y.a, (x.b + y.b) % 1000003, x.c ^ y.c, x.d < y.d ? x.d : y.d}; }
};
/// In order only: maps v -> a v + b one after the other.
struct chained_three {
  three operator()(three x, three y) const {
    return {(unsigned char)(x.a * y.a), (unsigned char)(x.b * y.a + y.b), (unsigned char)(x.c + y.c)};
  }
};
struct chained_wide {
  wide operator()(wide x, wide y) const {
    return {x.a + y.a, (x.b % 10007 * (y.c % 10007) + y.b) % 10007, (int)((long long)x.c * y.c % 10007), y.d};
  }
};
/// Orders in which many elements are equal that can be told apart.
struct earlier_three {
  bool operator()(three x, three y) const { return x.a % 16 < y.a % 16; }
};
struct earlier_wide {
  bool operator()(wide x, wide y) const { return x.c < y.c; }
};
struct alike_three {
  bool operator()(three x, three y) const { return x.b / 64 == y.b / 64; }
};
struct alike_wide {
  bool operator()(wide x, wide y) const { return x.d / 4 == y.d / 4; }
};
struct chosen_three {
  bool operator()(three x) const { return x.a % 3 == 0; }
};
struct chosen_wide {
  bool operator()(wide x) const { return x.b % 3 == 0; }
};
struct numbered_three {
  three operator()(long long i) const { return {(unsigned char)i, (unsigned char)(i / 256), (unsigned char)(i % 7)}; }
};
struct numbered_wide {
  wide operator()(long long i) const { return {(double)i, i * 5, (int)i, (int)(i % 7)}; }
};)

// Functions of numbers are recorded.
struct turned_number {
  template <class X>
  auto operator()(X x) const {
    return x * 2;
  }
};
struct sum_number {
  template <class X>
  auto operator()(X x, X y) const {
    return x + y;
  }
};
struct earlier_number {
  template <class X>
  auto operator()(X x, X y) const {
    return x < y;
  }
};
struct alike_number {
  template <class X>
  auto operator()(X x, X y) const {
    return (x < 250) == (y < 250);
  }
};
struct chosen_number {
  template <class X>
  auto operator()(X x) const {
    return x < 250;
  }
};
struct numbered_number {
  template <class X>
  auto operator()(X i) const {
    return i * 5;
  }
};
struct odd {
  template <class X>
  auto operator()(X x) const {
    return x % 2 != 0;
  }
};

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T>;

template <class T, class OfNumbers, class OfThrees, class OfWides>
using function_of =
    std::conditional_t<is_number<T>, OfNumbers, std::conditional_t<std::is_same_v<T, three>, OfThrees, OfWides>>;
template <class T>
using turned = function_of<T, turned_number, turned_three, turned_wide>;
/// Associative, in any order.
template <class T>
using sum = function_of<T, sum_number, sum_three, sum_wide>;
/// As `sum`, by the library's operator where there is one.
template <class T>
using added = function_of<T, ts::plus, sum_three, sum_wide>;
/// Associative; of structs in order only.
template <class T>
using chained = function_of<T, sum_number, chained_three, chained_wide>;
template <class T>
using earlier = function_of<T, earlier_number, earlier_three, earlier_wide>;
template <class T>
using alike = function_of<T, alike_number, alike_three, alike_wide>;
template <class T>
using chosen = function_of<T, chosen_number, chosen_three, chosen_wide>;
/// An element for each place.
template <class T>
using numbered = function_of<T, numbered_number, numbered_three, numbered_wide>;

/// Contents from a number.
template <class T>
T element(std::int64_t k) {
  if constexpr (std::is_same_v<T, int>)
    return static_cast<int>(k % 5000);
  else if constexpr (std::is_same_v<T, float>)
    return 0.1f * static_cast<float>(k % 5000);
  else if constexpr (std::is_same_v<T, three>)
    return {static_cast<unsigned char>(k), static_cast<unsigned char>(k >> 5), static_cast<unsigned char>(k >> 11)};
  else
    return {static_cast<double>(k % 1000), k % 1000003, static_cast<int>(k % 97 + 1), static_cast<int>(k % 13)};
}

}  // namespace oracle
