#pragma once

#include "tessera/algo/device/algorithms.h"
#include "tessera/algo/device/operators.h"
#include "tessera/algo/thrust/function.h"

/// Thrust's function objects: ours, for arguments of any types. Device text too.
namespace thrust {

// clang-format off
TS_DEVICE(
template <class A, class R>
struct unary_function {
  using argument_type = A;
  using result_type = R;
};
template <class A, class B, class R>
struct binary_function {
  using first_argument_type = A;
  using second_argument_type = B;
  using result_type = R;
};
template <class T = void> struct plus : tessera::plus {};
template <class T = void> struct minus : tessera::minus {};
template <class T = void> struct multiplies : tessera::multiplies {};
template <class T = void> struct divides : tessera::divides {};
template <class T = void> struct modulus : tessera::modulus {};
template <class T = void> struct negate : tessera::negate {};
template <class T = void> struct equal_to : tessera::equal_to {};
template <class T = void> struct not_equal_to : tessera::not_equal_to {};
template <class T = void> struct greater : tessera::greater {};
template <class T = void> struct less : tessera::less {};
template <class T = void> struct greater_equal : tessera::greater_equal {};
template <class T = void> struct less_equal : tessera::less_equal {};
template <class T = void> struct logical_and : tessera::logical_and {};
template <class T = void> struct logical_or : tessera::logical_or {};
template <class T = void> struct logical_not : tessera::logical_not {};
template <class T = void> struct bit_and : tessera::bit_and {};
template <class T = void> struct bit_or : tessera::bit_or {};
template <class T = void> struct bit_xor : tessera::bit_xor {};
template <class T = void> struct identity : tessera::identity {};
template <class T = void> struct maximum : tessera::maximum {};
template <class T = void> struct minimum : tessera::minimum {};
template <class A = void, class B = void> struct project1st : tessera::algo::first_of {};
template <class A = void, class B = void> struct project2nd : tessera::algo::second_of {};
template <class T = void>
struct square {
  template <class A>
  constexpr auto operator()(A a) const { return a * a; }
};)
// clang-format on

namespace detail {

template <class F>
struct negated_function {
  using makes_own_operator = void;
  F f;

  template <class... Args>
  constexpr bool operator()(const Args&... args) const {
    return !f(args...);
  }
  template <class... Args>
  using result_for = bool;
  template <class... Args>
  [[nodiscard]] algo::op operator_for(call_site here) const {
    return algo::wrapped("thrust::detail::negated", {algo::make_op<Args...>(function_of(f), here)}, {},
                         algo::signature_for<bool, Args...>(), here);
  }
};

/// A function of the members of a tuple as one of the tuple.
template <class F>
struct zipped_function {
  using makes_own_operator = void;
  F f;

  template <class... T>
  constexpr auto operator()(const tuple<T...>& all) const {
    return call(all, std::make_integer_sequence<int, sizeof...(T)>());
  }
  template <class T>
  struct call_of;
  template <class... T>
  struct call_of<tuple<T...>> {
    using result = result_t<F, T...>;
    static algo::op make(const F& f, call_site here) { return algo::make_op<T...>(function_of(f), here); }
  };
  template <class T>
  using result_for = typename call_of<T>::result;
  template <class T>
  [[nodiscard]] algo::op operator_for(call_site here) const {
    return algo::wrapped("thrust::detail::of_parts", {call_of<T>::make(f, here)}, {},
                         algo::signature_for<result_for<T>, T>(), here);
  }

 private:
  template <class T, int... K>
  constexpr auto call(const T& all, std::integer_sequence<int, K...>) const {
    return f(get<K>(all)...);
  }
};

}  // namespace detail

// clang-format off
/// What `f` denies. Of any function that algorithms take.
template <class F> [[nodiscard]] constexpr detail::negated_function<F> not_fn(F f) { return {f}; }
template <class F> [[nodiscard]] constexpr detail::negated_function<F> not1(F f) { return {f}; }
template <class F> [[nodiscard]] constexpr detail::negated_function<F> not2(F f) { return {f}; }
/// `f` of as many arguments as zipped iterators give.
template <class F> [[nodiscard]] constexpr detail::zipped_function<F> make_zip_function(F f) { return {f}; }
template <class F> using zip_function = detail::zipped_function<F>;
// clang-format on

}  // namespace thrust

namespace tessera::algo {

#define TESSERA_THRUST_OPERATOR(name) \
  template <class T>                  \
  struct library_operator<::thrust::name<T>> : library_operator<tessera::name> {};
// clang-format off
TESSERA_THRUST_OPERATOR(plus) TESSERA_THRUST_OPERATOR(minus) TESSERA_THRUST_OPERATOR(multiplies)
TESSERA_THRUST_OPERATOR(divides) TESSERA_THRUST_OPERATOR(modulus) TESSERA_THRUST_OPERATOR(negate)
TESSERA_THRUST_OPERATOR(equal_to) TESSERA_THRUST_OPERATOR(not_equal_to) TESSERA_THRUST_OPERATOR(greater)
TESSERA_THRUST_OPERATOR(less) TESSERA_THRUST_OPERATOR(greater_equal) TESSERA_THRUST_OPERATOR(less_equal)
TESSERA_THRUST_OPERATOR(logical_and) TESSERA_THRUST_OPERATOR(logical_or) TESSERA_THRUST_OPERATOR(logical_not)
TESSERA_THRUST_OPERATOR(bit_and) TESSERA_THRUST_OPERATOR(bit_or) TESSERA_THRUST_OPERATOR(bit_xor)
TESSERA_THRUST_OPERATOR(identity) TESSERA_THRUST_OPERATOR(maximum) TESSERA_THRUST_OPERATOR(minimum)
// clang-format on
#undef TESSERA_THRUST_OPERATOR
template <class A, class B>
struct library_operator<::thrust::project1st<A, B>> {
  using type = first_of;
};
template <class A, class B>
struct library_operator<::thrust::project2nd<A, B>> {
  using type = second_of;
};

}  // namespace tessera::algo
