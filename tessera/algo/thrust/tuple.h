#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "tessera/algo/device/views.h"
#include "tessera/algo/function/device_text.h"

/// Thrust's tuples and pairs: elements of zipped ranges, and results of several values. Device text too: functions of a
/// TS_DEVICE block take and return them.
namespace thrust {

// clang-format off
TS_DEVICE(
template <class... T> struct tuple;
template <> struct tuple<> {};
template <class A>
struct tuple<A> {
  A first;
  constexpr tuple() : first() {}
  constexpr tuple(const A& a) : first(a) {}
  template <class B> constexpr tuple(const tuple<B>& t) : first(static_cast<A>(t.first)) {}
  template <class B> constexpr tuple& operator=(const tuple<B>& t) { first = t.first; return *this; }
};
template <class A, class B, class... T>
struct tuple<A, B, T...> {
  A first;
  tuple<B, T...> rest;
  constexpr tuple() : first(), rest() {}
  constexpr tuple(const A& a, const B& b, const T&... t) : first(a), rest(b, t...) {}
  template <class C, class D, class... U>
  constexpr tuple(const tuple<C, D, U...>& t) : first(static_cast<A>(t.first)), rest(t.rest) {}
  template <class C, class D, class... U>
  constexpr tuple& operator=(const tuple<C, D, U...>& t) { first = t.first; rest = t.rest; return *this; }
  template <class P>
  constexpr auto operator=(const P& t) -> decltype(t.second, *this) { first = t.first; rest.first = t.second; return *this; }
};
template <class A, class B>
struct pair {
  using first_type = A;
  using second_type = B;
  A first;
  B second;
  constexpr pair() : first(), second() {}
  constexpr pair(const A& a, const B& b) : first(a), second(b) {}
  template <class C, class D>
  constexpr pair(const pair<C, D>& p) : first(static_cast<A>(p.first)), second(static_cast<B>(p.second)) {}
};

template <int K, class A, class... T>
constexpr auto& get(tuple<A, T...>& t) {
  if constexpr (K == 0) return t.first; else return get<K - 1>(t.rest);
}
template <int K, class A, class... T>
constexpr auto& get(const tuple<A, T...>& t) {
  if constexpr (K == 0) return t.first; else return get<K - 1>(t.rest);
}
template <int K, class A, class B>
constexpr auto& get(pair<A, B>& p) {
  if constexpr (K == 0) return p.first; else return p.second;
}
template <int K, class A, class B>
constexpr auto& get(const pair<A, B>& p) {
  if constexpr (K == 0) return p.first; else return p.second;
}
template <class... T> constexpr tuple<T...> make_tuple(T... t) { return tuple<T...>(t...); }
template <class A, class B> constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <class... T> constexpr tuple<T&...> tie(T&... t) { return tuple<T&...>(t...); }

// Operators are looked for by kernels where they say __device__.
template <class A, class B>
__device__ constexpr auto operator==(const tuple<A>& a, const tuple<B>& b) { return a.first == b.first; }
template <class A, class A2, class... T, class B, class B2, class... U>
__device__ constexpr auto operator==(const tuple<A, A2, T...>& a, const tuple<B, B2, U...>& b) {
  return a.first == b.first && a.rest == b.rest;
}
template <class A, class B>
__device__ constexpr auto operator<(const tuple<A>& a, const tuple<B>& b) { return a.first < b.first; }
template <class A, class A2, class... T, class B, class B2, class... U>
__device__ constexpr auto operator<(const tuple<A, A2, T...>& a, const tuple<B, B2, U...>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.rest < b.rest);
}
template <class... T, class... U>
__device__ constexpr auto operator!=(const tuple<T...>& a, const tuple<U...>& b) { return !(a == b); }
template <class... T, class... U>
__device__ constexpr auto operator>(const tuple<T...>& a, const tuple<U...>& b) { return b < a; }
template <class... T, class... U>
__device__ constexpr auto operator<=(const tuple<T...>& a, const tuple<U...>& b) { return !(b < a); }
template <class... T, class... U>
__device__ constexpr auto operator>=(const tuple<T...>& a, const tuple<U...>& b) { return !(a < b); }
template <class A, class B>
__device__ constexpr auto operator==(const pair<A, B>& a, const pair<A, B>& b) { return a.first == b.first && a.second == b.second; }
template <class A, class B>
__device__ constexpr auto operator!=(const pair<A, B>& a, const pair<A, B>& b) { return !(a == b); }
template <class A, class B>
__device__ constexpr auto operator<(const pair<A, B>& a, const pair<A, B>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
})
// clang-format on

template <class T>
struct tuple_size;
template <class... T>
struct tuple_size<tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <class A, class B>
struct tuple_size<pair<A, B>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t K, class T>
struct tuple_element;
template <std::size_t K, class... T>
struct tuple_element<K, tuple<T...>> : std::tuple_element<K, std::tuple<T...>> {};
template <std::size_t K, class A, class B>
struct tuple_element<K, pair<A, B>> : std::tuple_element<K, std::tuple<A, B>> {};

namespace detail {

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<tuple<T...>> = true;

// clang-format off
TS_DEVICE(
/// Elements side by side.
struct zipped {
  template <class... A>
  constexpr tuple<A...> operator()(A... a) const { return tuple<A...>(a...); }
};
template <int K>
struct part {
  template <class T>
  constexpr auto operator()(T all) const { return get<K>(all); }
};
template <class F>
struct negated {
  F f;
  template <class... A>
  constexpr bool operator()(A... a) const { return !f(a...); }
};

/// The first element combined with what comes before all.
template <class F>
struct begun {
  F f;
  template <class T>
  constexpr T operator()(T start, T x, long long i) const { return i == 0 ? static_cast<T>(f(start, x)) : x; }
};
/// A function that is called as one that may be changed.
template <class F>
struct own_copy {
  F f;
  template <class... A>
  constexpr auto operator()(A... a) const {
    F own = f;
    return own(a...);
  }
};

// Tuples of the library, of several results, have the same members as those of Thrust.
template <class T, class U>
constexpr void copy_parts(tuple<T>& to, const U& from) { to.first = static_cast<T>(from.first); }
template <class T, class U>
constexpr void copy_parts(tessera::tuple<T>& to, const U& from) { to.first = static_cast<T>(from.first); }
template <class A, class B, class... T, class U>
constexpr void copy_parts(tuple<A, B, T...>& to, const U& from) {
  to.first = static_cast<A>(from.first);
  copy_parts(to.rest, from.rest);
}
template <class A, class B, class... T, class U>
constexpr void copy_parts(tessera::tuple<A, B, T...>& to, const U& from) {
  to.first = static_cast<A>(from.first);
  copy_parts(to.rest, from.rest);
}
template <class... To>
struct as_results {
  template <class T>
  constexpr tessera::tuple<To...> operator()(T all) const {
    tessera::tuple<To...> made;
    copy_parts(made, all);
    return made;
  }
};
template <class R> constexpr R joined(const R& result) { return result; }
template <class... R>
constexpr tuple<R...> joined(const tessera::tuple<R...>& results) {
  tuple<R...> made;
  copy_parts(made, results);
  return made;
}

/// Calls a function with the members of tuples: moves one argument after the other, as its members, to the end.
template <int Left>
struct flattened {
  template <class F, class A, class... R>
  static constexpr auto call(const F& f, const A& a, const R&... rest) { return flattened<Left - 1>::call(f, rest..., a); }
  template <class F, class A, class... R>
  static constexpr auto call(const F& f, const tuple<A>& a, const R&... rest) {
    return flattened<Left - 1>::call(f, rest..., a.first);
  }
  template <class F, class A, class B, class... T, class... R>
  static constexpr auto call(const F& f, const tuple<A, B, T...>& a, const R&... rest) {
    return call(f, a.rest, rest..., a.first);
  }
};
template <>
struct flattened<0> {
  template <class F, class... A>
  static constexpr auto call(const F& f, const A&... all) { return joined(f(all...)); }
};
template <class F>
struct of_parts {
  F f;
  template <class... A>
  constexpr auto operator()(A... a) const { return flattened<sizeof...(A)>::call(f, a...); }
};)
// clang-format on

}  // namespace detail
}  // namespace thrust

template <class... T>
struct std::tuple_size<thrust::tuple<T...>> : thrust::tuple_size<thrust::tuple<T...>> {};
template <std::size_t K, class... T>
struct std::tuple_element<K, thrust::tuple<T...>> : thrust::tuple_element<K, thrust::tuple<T...>> {};
template <class A, class B>
struct std::tuple_size<thrust::pair<A, B>> : thrust::tuple_size<thrust::pair<A, B>> {};
template <std::size_t K, class A, class B>
struct std::tuple_element<K, thrust::pair<A, B>> : thrust::tuple_element<K, thrust::pair<A, B>> {};
