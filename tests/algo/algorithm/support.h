#pragma once

#include <doctest/doctest.h>
#include <tessera/algo.h>
#include <numeric>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"

namespace tessera::support {

/// `settings` with at least `bytes` of memory where the environment leaves less: for chunks of large elements.
inline options with_room(options settings, std::int64_t bytes) {
  if (settings.device_memory.empty() || settings.device_memory.of(0) >= bytes) return settings;
  settings.device_memory = bytes;
  settings.host_memory = bytes / 4;
  return settings;
}

/// True in the long tests (TEST_LONG=1), which take all of what follows; others take a selection.
inline bool is_long() { return std::getenv("TEST_LONG") != nullptr; }

template <class T>
std::vector<T> selected(const std::vector<T>& some, const std::vector<T>& all) {
  return is_long() ? all : some;
}

/// Calls `body(ctx)` on one device and on several, all of which take a share of the smallest container, and have at
/// least `room` bytes.
template <class Body>
void for_each_context(Body body, std::int64_t room = 0) {
  for (const std::string& devices : selected<std::string>({"cpu", "cpu*3"}, {"cpu", "cpu*3", "cpu*7"})) {
    CAPTURE(devices);
    context ctx(with_room(cut_everywhere(devices), room));
    body(ctx);
  }
}

/// Sizes around none, one, the number of devices, and `chunk` elements.
inline std::vector<std::int64_t> sizes_around(std::int64_t chunk) {
  return selected<std::int64_t>({0, 1, 2, 7, chunk, 2 * chunk + 17},
                                {0, 1, 2, 3, 4, 7, 100, chunk - 1, chunk, chunk + 1, 3 * chunk + 17});
}

/// Reproducible numbers below `below`, with repetitions.
template <class T = int>
std::vector<T> numbers_below(std::int64_t n, std::int64_t below, std::uint64_t seed = 1) {
  std::vector<T> all;
  std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (std::int64_t k = 0; k < n; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    all.push_back(static_cast<T>((state >> 33) % static_cast<std::uint64_t>(below)));
  }
  return all;
}

/// What a gather by `map` gives.
template <class T>
std::vector<T> gathered(const std::vector<int>& map, const std::vector<T>& source) {
  std::vector<T> out;
  for (const int at : map) out.push_back(source[static_cast<std::size_t>(at)]);
  return out;
}

/// A permutation of the numbers below n.
inline std::vector<int> shuffled(std::int64_t n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::int64_t> draw = numbers_below<std::int64_t>(n, 1 << 30, 7);
  for (std::size_t k = 1; k < all.size(); ++k) std::swap(all[k], all[static_cast<std::size_t>(draw[k]) % (k + 1)]);
  return all;
}

}  // namespace tessera::support
