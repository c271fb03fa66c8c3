#pragma once

#include <algorithm>
#include <vector>

#include "tests/algo/fuzz/program/pool.h"

namespace tessera::fuzz {

// The arguments that functions of the pool get, from the numbers of a step: the same for the library and the reference.

template <class T>
T small(std::int64_t k) {
  return static_cast<T>(k % 1000);
}
inline unsigned uniform(std::int64_t k) { return static_cast<unsigned>(k); }
inline short second_uniform(std::int64_t k) { return static_cast<short>(k % 77); }

/// A function of the library's names.
template <class T>
T combined(std::int64_t combination, const T& x, const T& y) {
  return combination == 1 ? maximum()(x, y) : combination == 2 ? minimum()(x, y) : plus()(x, y);
}
inline cell combined(std::int64_t, const cell& x, const cell& y) { return fuzzed::joined()(x, y); }

// Operators of algorithms: use(operator) is called with the one that a number stands for.

/// An order of elements of type T.
template <class T, class Use>
auto with_order(std::int64_t which, Use use) {
  if constexpr (std::is_same_v<T, cell>) {
    return use(fuzzed::earlier());
  } else {
    if (which == 1) return use(greater());
    if (which == 2) return use(by_tail());
    return use(less());
  }
}
template <class T>
auto condition(std::int64_t k) {
  const unsigned limit = static_cast<unsigned>(k % 10);  // none, some, or all
  if constexpr (std::is_same_v<T, cell>)
    return fuzzed::lighter{limit};
  else
    return below{limit};
}
template <class T>
auto likeness() {
  if constexpr (std::is_same_v<T, cell>)
    return fuzzed::alike();
  else
    return same_tail();
}
/// A number below `count` for each number.
struct wrapped_place {
  unsigned count;
  template <class X>
  auto operator()(X x) const {
    return x % count;
  }
};
/// The place behind each one, and the first one behind the last.
struct next_place {
  unsigned count;
  template <class X>
  auto operator()(X x) const {
    return (x + 1) % count;
  }
};
/// Element i goes to place (i + by) % count.
struct moved_place {
  std::int64_t by, count;
  template <class X>
  auto operator()(X i) const {
    return (i + by) % count;
  }
};
/// Offsets of `count` segments of `size` elements, some of them empty.
inline std::vector<std::int64_t> segment_offsets(std::int64_t size, std::int64_t count, std::int64_t seed) {
  std::vector<std::int64_t> offsets{0, size};
  for (std::int64_t k = 1; k < count; ++k)
    offsets.push_back(static_cast<std::int64_t>(value_of<unsigned>(seed + k)) % (size + 1));
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

}  // namespace tessera::fuzz
