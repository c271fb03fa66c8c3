#pragma once

// The neighbourhood of an element where every neighbour exists. Host code and device text, as device/views.h; kernels
// for the elements at an edge begin with device/edge_region.h instead, so that functions are compiled against either.
namespace tessera {

template <class T, int N>
struct region {
  const T* elements;
  long long at;  // the element itself: a number, so that kernels see where neighbours of several elements are the same
  long long strides[N];
  template <class... I>
  constexpr T operator()(I... offsets) const {
    static_assert(sizeof...(I) == N, "a neighbour takes one offset per axis");
    const long long list[] = {(long long)offsets...};
    long long place = at;
    for (int k = 0; k < N; ++k) place += list[k] * strides[k];
    return elements[place];
  }
};

}  // namespace tessera
