#pragma once

// What functions of users get beside elements: their index, whole containers, rows, neighbourhoods. Host code and
// device text: programs include this file, and kernels of skeletons begin with it. Plain values that kernels make from
// pointers and extents; functions look at them and change nothing.
namespace tessera {

/// Where an element stands. `ts::index1 i` as a parameter of a function: which element it computes.
struct index1 {
  long long i;
  constexpr operator long long() const { return i; }
};
struct index2 {
  long long row, col;
};
struct index3 {
  long long i, j, k;
};
struct index4 {
  long long i, j, k, l;
};

/// A whole vector, read only.
template <class T>
struct vec {
  const T* elements;
  long long count;
  constexpr long long size() const { return count; }
  constexpr const T& operator[](long long i) const { return elements[i]; }
  constexpr const T& operator()(long long i) const { return elements[i]; }
};

/// A whole matrix, read only; `stride` elements from a row to the next.
template <class T>
struct mat {
  const T* elements;
  long long row_count, col_count, stride;
  constexpr long long rows() const { return row_count; }
  constexpr long long cols() const { return col_count; }
  constexpr long long size() const { return row_count * col_count; }
  constexpr const T& operator()(long long i, long long j) const { return elements[i * stride + j]; }
  constexpr const T* operator[](long long i) const { return elements + i * stride; }
};

/// A whole tensor of N axes, read only.
template <class T, int N>
struct ten {
  const T* elements;
  long long extents[N], strides[N];
  constexpr long long extent(int axis) const { return extents[axis]; }
  constexpr long long size() const {
    long long product = 1;
    for (int k = 0; k < N; ++k) product *= extents[k];
    return product;
  }
  template <class... I>
  constexpr const T& operator()(I... indices) const {
    static_assert(sizeof...(I) == N, "a tensor takes one index per axis");
    const long long list[] = {(long long)indices...};
    long long offset = 0;
    for (int k = 0; k < N; ++k) offset += list[k] * strides[k];
    return elements[offset];
  }
};

/// The row of a matrix that belongs to the element: `ts::row<T>` as a parameter takes a matrix.
template <class T>
struct row {
  const T* elements;
  long long count;
  constexpr long long size() const { return count; }
  constexpr const T& operator[](long long j) const { return elements[j]; }
  constexpr const T& operator()(long long j) const { return elements[j]; }
};

/// The column of a matrix that belongs to the element.
template <class T>
struct col {
  const T* elements;
  long long count, stride;
  constexpr long long size() const { return count; }
  constexpr const T& operator[](long long i) const { return elements[i * stride]; }
  constexpr const T& operator()(long long i) const { return elements[i * stride]; }
};

/// The elements around one: `ts::region2<float> c` as a parameter of a function of `map_overlap`; `c(-1, 0)` is the
/// element a row above. Defined in device/region.h, for elements at an edge in device/edge_region.h.
template <class T, int N>
struct region;
template <class T>
using region1 = region<T, 1>;
template <class T>
using region2 = region<T, 2>;
template <class T>
using region3 = region<T, 3>;
template <class T>
using region4 = region<T, 4>;

/// Several results of one function: `return ts::tuple(sum, difference);`.
template <class... T>
struct tuple;
template <>
struct tuple<> {};
template <class First, class... Rest>
struct tuple<First, Rest...> {
  First first;
  tuple<Rest...> rest;
  constexpr tuple() = default;
  constexpr tuple(First f, Rest... r) : first(f), rest{r...} {}
};
template <class... T>
tuple(T...) -> tuple<T...>;

template <int K, class... T>
constexpr const auto& get(const tuple<T...>& values) {
  if constexpr (K == 0)
    return values.first;
  else
    return get<K - 1>(values.rest);
}

}  // namespace tessera
