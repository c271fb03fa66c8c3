#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tessera::fuzz {

/// Element k goes to lane k mod 128; each lane in order, then lanes by halves.
template <class T, class Combine>
T in_lanes(const T* values, std::size_t count, Combine combine) {
  std::vector<T> lanes(values, values + std::min<std::size_t>(count, 128));
  for (std::size_t k = 128; k < count; ++k) lanes[k % 128] = combine(T(lanes[k % 128]), T(values[k]));
  for (std::size_t half = 64; half > 0; half /= 2)
    for (std::size_t k = 0; k < half && half + k < lanes.size(); ++k)
      lanes[k] = combine(T(lanes[k]), T(lanes[half + k]));
  return lanes[0];
}

/// Runs of 64 in order, and their results again.
template <class T, class Combine>
T in_runs(std::vector<T> values, Combine combine) {
  constexpr std::size_t rows = 64;
  while (values.size() > 1) {
    std::vector<T> next;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (k % rows == 0)
        next.push_back(values[k]);
      else
        next.back() = combine(next.back(), values[k]);
    values = next;
  }
  return values[0];
}

}  // namespace tessera::fuzz
