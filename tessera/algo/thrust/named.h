#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tessera/algo/thrust/policy.h"
#include "tessera/base/call_site.h"

namespace thrust::detail {

struct no_argument {};

/// An algorithm of Thrust: the functions `Forms`, told apart by their arguments, behind a name. Takes an execution
/// policy in front, which the functions do not see, and hands them the user's line for messages first.
template <class... Forms>
class named {
 public:
  constexpr explicit named(Forms... forms) : forms_{forms...} {}

  template <class A, class B = no_argument, class C = no_argument, class D = no_argument, class E = no_argument,
            class F = no_argument, class G = no_argument, class H = no_argument, class I = no_argument,
            class J = no_argument>
  decltype(auto) operator()(A&& a, B&& b = {}, C&& c = {}, D&& d = {}, E&& e = {}, F&& f = {}, G&& g = {}, H&& h = {},
                            I&& i = {}, J&& j = {}, tessera::call_site here = tessera::call_site::current()) const {
    constexpr bool is_policy = std::is_same_v<std::remove_cvref_t<A>, execution_policy>;
    constexpr std::size_t count =
        given<A, B, C, D, E, F, G, H, I, J>() - (is_policy ? std::size_t{1} : std::size_t{0});
    return call<is_policy>(here,
                           std::forward_as_tuple(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c),
                                                 std::forward<D>(d), std::forward<E>(e), std::forward<F>(f),
                                                 std::forward<G>(g), std::forward<H>(h), std::forward<I>(i),
                                                 std::forward<J>(j)),
                           std::make_index_sequence<count>());
  }

  /// For algorithms that are made of others.
  template <class... X>
  decltype(auto) at(tessera::call_site here, X&&... arguments) const {
    return forms_(here, std::forward<X>(arguments)...);
  }

 private:
  template <class... X>
  static constexpr std::size_t given() {
    return (std::size_t{0} + ... + (std::is_same_v<X, no_argument> ? std::size_t{0} : std::size_t{1}));
  }
  template <std::size_t First, class All, std::size_t... K>
  decltype(auto) call(tessera::call_site here, const All& all, std::index_sequence<K...>) const {
    return forms_(here, std::forward<std::tuple_element_t<First + K, All>>(std::get<First + K>(all))...);
  }

  struct overloads : Forms... {
    using Forms::operator()...;
  };
  overloads forms_;
};

}  // namespace thrust::detail
