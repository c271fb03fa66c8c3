#pragma once
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>
#include "tessera/algo/sort/sort_memory.h"
namespace tessera::algo {
template <class T, class Before>
void merge_sort(const parallel_runner&, int, T* keys, std::byte* values, std::int64_t value_bytes, std::int64_t count,
                const sort_memory&, const Before& before) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(count));
  std::iota(at.begin(), at.end(), 0);
  std::stable_sort(at.begin(), at.end(), [&](auto a, auto b) { return static_cast<bool>(before(keys[a], keys[b])); });
  std::vector<T> k(keys, keys + count);
  std::vector<std::byte> v(values, values + count * value_bytes);
  for (std::int64_t i = 0; i < count; ++i) {
    keys[i] = k[static_cast<std::size_t>(at[static_cast<std::size_t>(i)])];
    if (value_bytes > 0)
      std::memcpy(values + i * value_bytes, v.data() + at[static_cast<std::size_t>(i)] * value_bytes,
                  static_cast<std::size_t>(value_bytes));
  }
}
}  // namespace tessera::algo
