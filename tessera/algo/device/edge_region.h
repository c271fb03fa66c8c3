#pragma once

// The neighbourhood of an element at an edge: each neighbour is looked for, and one that does not exist is replaced.
// Device text alone, instead of device/region.h.
namespace tessera {

/// What stands for a neighbour outside of the container.
enum edge_kind { edge_none, edge_duplicate, edge_cyclic, edge_pad };

template <class T, int N>
struct region {
  const T* elements;      // of the box that the kernel has
  long long position[N];  // of the element in the container
  long long extents[N];   // of the container
  long long first[N];     // where the box begins
  long long strides[N];
  int edge;
  T padding;
  template <class... I>
  constexpr T operator()(I... offsets) const {
    static_assert(sizeof...(I) == N, "a neighbour takes one offset per axis");
    const long long list[] = {(long long)offsets...};
    long long distance = 0;
    for (int k = 0; k < N; ++k) {
      long long at = position[k] + list[k];
      const long long count = extents[k];
      if (at < 0 || at >= count) {
        if (edge == edge_pad) return padding;
        if (edge == edge_cyclic)
          at = (at % count + count) % count;
        else
          at = at < 0 ? 0 : count - 1;
      }
      distance += (at - first[k]) * strides[k];
    }
    return elements[distance];
  }
};

}  // namespace tessera
