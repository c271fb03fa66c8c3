#pragma once

#include <tessera/tessera.h>

#include <memory>
#include <span>
#include <vector>

namespace tessera::fuzz {

/// Calls visit(k, i) for the k-th element that this rank has of `a`, which is element i of all of them.
template <class T, class Visit>
void for_own_elements(const array<T>& a, Visit visit) {
  std::size_t k = 0;
  const extents strides = dense_strides(a.rank() == 0 ? extents{1} : a.shape(), 1);
  for (const box& b : a.own_boxes()) {
    if (b.empty()) continue;
    extents x = b.lo;
    while (true) {
      visit(k++, static_cast<std::size_t>(offset_of(strides, x)));
      int axis = x.rank() - 1;
      while (axis >= 0 && ++x[axis] == b.hi[axis]) x[axis] = b.lo[axis], --axis;
      if (axis < 0) break;
    }
  }
}

/// Writes with every rank giving only what is its own of `all`.
template <class T>
void write_own_of(const array<T>& a, std::span<const T> all) {
  const std::unique_ptr<T[]> mine(new T[all.size()]);
  std::size_t count = 0;
  for_own_elements(a, [&](std::size_t k, std::size_t i) { mine[k] = all[i], ++count; });
  a.write_own({mine.get(), count});
}

/// Reads this rank's own elements into their places in `all`.
template <class T>
void read_own_into(const array<T>& a, std::span<T> all) {
  const std::vector<T> mine = a.read_own();
  for_own_elements(a, [&](std::size_t k, std::size_t i) { all[i] = mine[k]; });
}

/// Reads all elements on one rank, nothing on the others.
template <class T>
void read_on_into(const array<T>& a, int rank, std::span<T> all) {
  const std::vector<T> found = a.read_on(rank);
  for (std::size_t i = 0; i < found.size(); ++i) all[i] = found[i];
}

}  // namespace tessera::fuzz
