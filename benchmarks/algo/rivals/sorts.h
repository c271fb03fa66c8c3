#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/algo/rivals/records.h"

/// Sorts of libraries that programs have, on all cores. Compiled with their best flags, without Tessera.
namespace tessera::bench {

template <class T>
struct library_sort {
  std::string name;
  std::function<void(T* keys, std::int64_t count)> sort;
};

/// Sorts of numbers by TBB, the standard library and Boost.
[[nodiscard]] std::vector<library_sort<std::uint32_t>> sorts_of_32_bits();
[[nodiscard]] std::vector<library_sort<std::uint64_t>> sorts_of_64_bits();
/// Sorts of pairs by their keys, which differ.
[[nodiscard]] std::vector<library_sort<key_and_place>> sorts_of_pairs();
/// Stable sorts by key.
[[nodiscard]] std::vector<library_sort<key_and_more>> stable_sorts();

}  // namespace tessera::bench
