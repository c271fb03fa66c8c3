#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tessera/algo/function/composed.h"
#include "tessera/algo/thrust/tuple.h"

namespace thrust {

/// A function of a TS_DEVICE block as an argument: `thrust::transform(first, last, out, thrust::function<f>)`.
template <auto F>
inline constexpr tessera::algo::named_function<F> function{};

namespace detail {

namespace algo = tessera::algo;
using tessera::call_site;

/// The members of tuples among `Args`, and how functions that are recorded get and return tuples of them.
template <class T>
struct members_of {
  using type = std::tuple<T>;
};
template <class... T>
struct members_of<tuple<T...>> {
  static_assert(!(is_tuple<T> || ...), "a recorded function takes tuples of numbers: zip all iterators at once");
  using type = std::tuple<T...>;
};
template <class... Args>
using members_t = decltype(std::tuple_cat(std::declval<typename members_of<Args>::type>()...));

template <class T>
struct recorded_value {
  using type = decltype(algo::traced_argument(0, std::type_identity<T>()));
};
template <class... T>
struct recorded_value<tuple<T...>> {
  using type = tuple<typename recorded_value<T>::type...>;
};
template <class T>
using recorded_t = typename recorded_value<T>::type;

template <class R>
struct value_of_recorded {
  using type = algo::scalar_t<R>;
};
template <class... R>
struct value_of_recorded<tuple<R...>> {
  using type = tuple<algo::scalar_t<R>...>;
};
template <class... R>
struct value_of_recorded<tessera::tuple<R...>> : value_of_recorded<tuple<R...>> {};

/// The argument of type T that the recorded members from `First` on make.
template <class T, std::size_t First, class All>
[[nodiscard]] recorded_t<T> argument_from(const All& all) {
  if constexpr (is_tuple<T>) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) { return recorded_t<T>(std::get<First + K>(all)...); }
    (std::make_index_sequence<tuple_size<T>::value>());
  } else {
    return std::get<First>(all);
  }
}
template <class... Args, class F, class All>
[[nodiscard]] auto call_with_members(const F& f, const All& all) {
  constexpr std::size_t sizes[] = {std::tuple_size_v<typename members_of<Args>::type>..., 0};
  constexpr auto first = [](std::size_t place) {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < place; ++k) sum += sizes[k];
    return sum;
  };
  F own = f;
  return [&]<std::size_t... K>(std::index_sequence<K...>) { return own(argument_from<Args, first(K)>(all)...); }
  (std::index_sequence_for<Args...>());
}
template <class R>
[[nodiscard]] R as_recorded_result(const R& result) {
  return result;
}
template <class... R>
[[nodiscard]] tessera::tuple<R...> as_recorded_result(const tuple<R...>& results) {
  return [&]<int... K>(std::integer_sequence<int, K...>) { return tessera::tuple<R...>(get<K>(results)...); }
  (std::make_integer_sequence<int, sizeof...(R)>());
}

/// A function with `auto` parameters, which may be tuples and pairs of iterators' elements: it is recorded with a tuple
/// of recorded values for each of them, and may return one.
template <class F>
struct recorded_function {
  using makes_own_operator = void;
  F f;

  template <class... Args>
  constexpr auto operator()(const Args&... args) const {
    F own = f;
    return own(args...);
  }
  template <class... Args>
  struct call {
    static_assert(std::is_invocable_v<F&, recorded_t<Args>...>,
                  "the function takes another number of arguments than are given");
    using recorded = std::remove_cvref_t<std::invoke_result_t<F&, recorded_t<Args>...>>;
    static_assert(!std::is_void_v<recorded>,
                  "a function returns the new element: thrust::for_each takes those that change one");
    using type = typename value_of_recorded<recorded>::type;
  };
  template <class... Args>
  using result_for = typename call<Args...>::type;

  template <class... Args>
  [[nodiscard]] algo::op operator_for(call_site here) const {
    using R = result_for<Args...>;
    const algo::op flat = traced<Args...>(std::type_identity<members_t<Args...>>());
    if constexpr (is_tuple<R> || (is_tuple<Args> || ...))
      return algo::wrapped("thrust::detail::of_parts", {flat}, {}, algo::signature_for<R, Args...>(), here);
    else
      return flat;
  }

 private:
  template <class... Args, class... Members>
  [[nodiscard]] algo::op traced(std::type_identity<std::tuple<Members...>>) const {
    return algo::trace<Members...>([this](const auto&... members) {
      return as_recorded_result(call_with_members<Args...>(f, std::tie(members...)));
    });
  }
};

/// A functor whose call operator is not const.
template <class F>
struct unsteady_function {
  using makes_own_operator = void;
  F f;

  template <class... Args>
  constexpr auto operator()(const Args&... args) const {
    F own = f;
    return own(args...);
  }
  template <class... Args>
  using result_for = std::remove_cvref_t<typename algo::functor_signature<F>::type::result>;
  template <class... Args>
  [[nodiscard]] algo::op operator_for(call_site here) const {
    return algo::wrapped("thrust::detail::own_copy", {algo::typed_op(f, here)}, {},
                         algo::signature_for<result_for<Args...>, Args...>(), here);
  }
};
template <class Member>
inline constexpr bool is_unsteady = false;
template <class C, class R, class... A>
inline constexpr bool is_unsteady<R (C::*)(A...)> = true;

template <class F>
[[nodiscard]] constexpr bool is_unsteady_functor() {
  if constexpr (algo::typed_call<F>)
    return is_unsteady<decltype(&F::operator())>;
  else
    return false;
}

template <class F>
inline constexpr bool is_known_function =
    algo::is_host_callable<F> || algo::makes_own_operator<F> || algo::is_named_function<F> || algo::is_text_lambda<F> ||
    algo::typed_call<F> || !std::is_void_v<algo::library_operator_t<F>>;

/// A function of a program as our algorithms take it.
template <class F>
[[nodiscard]] decltype(auto) function_of(const F& f) {
  static_assert(!std::is_pointer_v<F> && !std::is_function_v<F>,
                "a pointer does not tell the function's text: put the function in TS_DEVICE(...) and give "
                "thrust::function<f>, or ts::host(f)");
  if constexpr (is_unsteady_functor<F>()) {
    return unsteady_function<F>{f};
  } else if constexpr (is_known_function<F>) {
    return (f);
  } else {
    static_assert(std::is_trivially_copyable_v<F>,
                  "a function captures numbers and trivially copyable structs; pass the container as an argument");
    return recorded_function<F>{f};
  }
}
template <class F>
using function_t = std::remove_cvref_t<decltype(function_of(std::declval<const F&>()))>;
template <class F, class... Args>
using result_t = algo::call_result_t<function_t<F>, Args...>;

}  // namespace detail
}  // namespace thrust
