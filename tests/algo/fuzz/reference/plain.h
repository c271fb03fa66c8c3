#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tessera/base/geometry/box.h"

namespace tessera::fuzz {

/// What a container stands for: elements in host memory, row by row.
template <class T, int N>
struct plain {
  extents shape = extents::uniform(N, 0);
  std::vector<T> elements;

  [[nodiscard]] box whole() const { return box::whole(shape); }
  void set(std::vector<T> values) {
    elements = std::move(values);
    shape = extents{static_cast<std::int64_t>(elements.size())};
  }
  [[nodiscard]] T& at(const extents& index) {
    return elements[static_cast<std::size_t>(offset_of(dense_strides(shape, 1), index))];
  }
};

/// Calls use(index) for every index of a box, row by row.
template <class Use>
void for_each_index(const box& part, Use use) {
  if (part.empty()) return;
  extents at = part.lo;
  while (true) {
    use(at);
    int k = part.rank() - 1;
    for (; k >= 0 && ++at[k] == part.hi[k]; --k) at[k] = part.lo[k];
    if (k < 0) return;
  }
}
/// `index` counted from the beginning of `from`, as an index of what begins at `to`.
inline extents moved(const extents& index, const extents& from, const extents& to) {
  extents result = index;
  for (int k = 0; k < index.rank(); ++k) result[k] += to[k] - from[k];
  return result;
}

template <class T, int N>
std::vector<T> elements_of(plain<T, N>& all, const box& part) {
  std::vector<T> values;
  for_each_index(part, [&](const extents& at) { values.push_back(all.at(at)); });
  return values;
}
template <class T, int N>
void put_elements(plain<T, N>& all, const box& part, const std::vector<T>& values) {
  std::size_t k = 0;
  for_each_index(part, [&](const extents& at) { all.at(at) = values[k++]; });
}

}  // namespace tessera::fuzz
