#pragma once

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

}  // namespace tessera::fuzz
