#pragma once

#include "tessera/algo/function/device_text.h"
#include "tessera/algo/function/signature.h"

/// What functions of SkePU programs take and return. Device text too, so that they may be named in TS_DEVICE and TS_FN.
namespace skepu {
// clang-format off
TS_DEVICE(
using Index1D = tessera::index1;
using Index2D = tessera::index2;
using Index3D = tessera::index3;
using Index4D = tessera::index4;

template <class T> using Region1D = tessera::region<T, 1>;
template <class T> using Region2D = tessera::region<T, 2>;
template <class T> using Region3D = tessera::region<T, 3>;
template <class T> using Region4D = tessera::region<T, 4>;

template <class T>
struct Vec {
  const T* data;
  long long size;
  constexpr Vec(tessera::vec<T> whole) : data(whole.elements), size(whole.count) {}
  constexpr const T& operator()(long long i) const { return data[i]; }
  constexpr const T& operator[](long long i) const { return data[i]; }
};
template <class T>
struct Mat {
  const T* data;
  long long rows, cols, stride;
  constexpr Mat(tessera::mat<T> whole)
      : data(whole.elements), rows(whole.row_count), cols(whole.col_count), stride(whole.stride) {}
  constexpr const T& operator()(long long i, long long j) const { return data[i * stride + j]; }
};
template <class T>
struct MatRow {
  const T* data;
  long long cols;
  constexpr MatRow(tessera::row<T> own) : data(own.elements), cols(own.count) {}
  constexpr const T& operator()(long long j) const { return data[j]; }
  constexpr const T& operator[](long long j) const { return data[j]; }
};
template <class T>
struct MatCol {
  tessera::col<T> own;
  long long rows;
  constexpr MatCol(tessera::col<T> column) : own(column), rows(column.count) {}
  constexpr const T& operator()(long long i) const { return own[i]; }
  constexpr const T& operator[](long long i) const { return own[i]; }
};
template <class T>
struct Ten3 {
  tessera::ten<T, 3> whole;
  long long size_i, size_j, size_k;
  constexpr Ten3(tessera::ten<T, 3> t) : whole(t), size_i(t.extents[0]), size_j(t.extents[1]), size_k(t.extents[2]) {}
  constexpr const T& operator()(long long i, long long j, long long k) const { return whole(i, j, k); }
};
template <class T>
struct Ten4 {
  tessera::ten<T, 4> whole;
  long long size_i, size_j, size_k, size_l;
  constexpr Ten4(tessera::ten<T, 4> t)
      : whole(t), size_i(t.extents[0]), size_j(t.extents[1]), size_k(t.extents[2]), size_l(t.extents[3]) {}
  constexpr const T& operator()(long long i, long long j, long long k, long long l) const { return whole(i, j, k, l); }
};

template <class... T> using multiple = tessera::tuple<T...>;
template <class... T>
constexpr tessera::tuple<T...> ret(T... values) { return tessera::tuple<T...>(values...); })
// clang-format on
}  // namespace skepu

namespace tessera::algo {

// They are to skeletons what they are made of.
template <class T>
struct parameter_traits<::skepu::Vec<T>> : parameter_traits<vec<T>> {};
template <class T>
struct parameter_traits<::skepu::Mat<T>> : parameter_traits<mat<T>> {};
template <class T>
struct parameter_traits<::skepu::MatRow<T>> : parameter_traits<row<T>> {};
template <class T>
struct parameter_traits<::skepu::MatCol<T>> : parameter_traits<col<T>> {};
template <class T>
struct parameter_traits<::skepu::Ten3<T>> : parameter_traits<ten<T, 3>> {};
template <class T>
struct parameter_traits<::skepu::Ten4<T>> : parameter_traits<ten<T, 4>> {};

}  // namespace tessera::algo
