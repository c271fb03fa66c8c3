#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/iterator/zip.h"
#include "tessera/algo/thrust/named.h"

/// `for_each`: a function that changes the elements that it is given, by reference, or members of a tuple of
/// references.
namespace tessera::algo {

/// A recorded element that a function may assign to.
template <class T>
class sym_element : public sym<T> {
 public:
  explicit sym_element(sym<T> value) : sym<T>(value) {}
  sym_element(const sym_element&) = default;
  sym_element& operator=(const sym_element&) = default;
  template <class U>
  sym_element& operator=(const U& value) {
    sym<T>::operator=(sym<T>(as_step<T>(value)));
    return *this;
  }
  // clang-format off
  template <class U> sym_element& operator+=(const U& u) { return *this = *this + u; }
  template <class U> sym_element& operator-=(const U& u) { return *this = *this - u; }
  template <class U> sym_element& operator*=(const U& u) { return *this = *this * u; }
  template <class U> sym_element& operator/=(const U& u) { return *this = *this / u; }
  // clang-format on
};
template <class T>
inline constexpr bool is_sym<sym_element<T>> = true;
template <class T>
struct scalar_of<sym_element<T>> {
  using type = T;
};

}  // namespace tessera::algo

namespace thrust {
namespace detail {

// clang-format off
TS_DEVICE(
/// How a function takes an element: by value, or by reference to what it reads (1) or changes (2).
template <class T, int Kind> struct taken { using type = T; };
template <class T> struct taken<T, 1> { using type = const T&; };
template <class T> struct taken<T, 2> { using type = T&; };
template <class Members>
struct given_as {
  template <class F, class... A>
  static constexpr void call(F& f, A&... a) { f(a...); }
};
template <class... M>
struct given_as<tuple<M...>> {
  template <class F, class... A>
  static constexpr void call(F& f, A&... a) { f(tuple<typename M::type...>(a...)); }
};
template <class R> constexpr R results_of(const R& result) { return result; }
template <class A, class B, class... R>
constexpr tessera::tuple<A, B, R...> results_of(const A& a, const B& b, const R&... rest) {
  return tessera::tuple<A, B, R...>(a, b, rest...);
}
/// What a function that takes references makes of elements `Changed` of those it is given, one by one or as a tuple.
template <class F, class Members, int... Changed>
struct changed_by {
  F f;
  template <class... A>
  constexpr auto operator()(A... a) const {
    F own = f;
    given_as<Members>::call(own, a...);
    const tuple<A&...> all(a...);
    return results_of(get<Changed>(all)...);
  }
};)
// clang-format on

/// The elements that a function is given, and where those go that it changes: empty where they cannot be changed.
struct changed_elements {
  std::vector<algo::sequence> inputs;
  std::vector<algo::operand> outputs;
};
/// One launch that writes the results of `function`, of which number k belongs to output `changed[k]`. Throws
/// `argument_error` where no container has an element that is changed.
void store_changed(const algo::op& function, const std::vector<std::size_t>& changed, const changed_elements& elements,
                   call_site here);

template <class I>
[[nodiscard]] algo::operand changeable(const I& first, std::int64_t count) {
  if constexpr (algo::iterator_like<I>)
    if constexpr (!std::is_const_v<std::remove_reference_t<typename I::reference>> &&
                  std::is_same_v<typename I::reference, tessera::element<value_t<I>>>)
      return algo::operand_of(first, first + count);
  return {};
}

/// The members of zipped elements, or the elements of any other iterator, one by one.
template <class I>
struct members_of_iterator {
  using types = std::tuple<value_t<I>>;
  static constexpr bool is_zip = false;
  static changed_elements of(const I& first, std::int64_t count, call_site here) {
    return {{elements_from(first, count, here).elements()}, {changeable(first, count)}};
  }
};
template <class... I>
struct members_of_iterator<zip_iterator<tuple<I...>>> {
  using types = std::tuple<value_t<I>...>;
  static constexpr bool is_zip = true;
  static changed_elements of(const zip_iterator<tuple<I...>>& first, std::int64_t count, call_site here) {
    return [&]<int... K>(std::integer_sequence<int, K...>) {
      const auto& all = first.get_iterator_tuple();
      return changed_elements{{elements_from(thrust::get<K>(all), count, here).elements()...},
                              {changeable(thrust::get<K>(all), count)...}};
    }
    (std::make_integer_sequence<int, sizeof...(I)>());
  }
};

/// Records what a function with `auto` parameters assigns.
template <bool IsZip, class F, class... T>
void change_recorded(const F& f, const changed_elements& elements, std::type_identity<std::tuple<T...>>,
                     call_site here) {
  std::vector<std::size_t> changed;
  const algo::op function = [&]<int... K>(std::integer_sequence<int, K...>) {
    algo::recording active;
    std::tuple<algo::sym_element<T>...> members(
        algo::sym_element<T>(algo::traced_argument(K, std::type_identity<T>()))...);
    F own = f;
    const std::vector<tessera::kernels::expression::value> before{std::get<K>(members).step()...};
    if constexpr (IsZip)
      own(tuple<algo::sym_element<T>&...>(std::get<K>(members)...));
    else
      own(std::get<0>(members));
    const std::vector<tessera::kernels::expression::value> after{std::get<K>(members).step()...};
    std::vector<tessera::kernels::expression::value> results;
    for (std::size_t k = 0; k < after.size(); ++k)
      if (after[k] != before[k]) changed.push_back(k), results.push_back(after[k]);
    return active.finish({algo::traced_parameter(std::type_identity<T>())...}, results);
  }
  (std::make_integer_sequence<int, sizeof...(T)>());
  if (!changed.empty()) store_changed(function, changed, elements, here);
}

/// How a function of text takes elements.
template <class A>
inline constexpr int taken_kind = !std::is_lvalue_reference_v<A>                ? 0
                                  : std::is_const_v<std::remove_reference_t<A>> ? 1
                                                                                : 2;
template <class Signature>
struct taken_by {
  static_assert(sizeof(Signature) == 0, "a function of for_each takes one element, or one tuple of zipped ones");
};
template <class R, class A>
struct taken_by<algo::call_signature<R, A>> {
  static constexpr int kinds[] = {taken_kind<A>};
  static std::string members() { return "int"; }
};
template <class R, class... A>
struct taken_by<algo::call_signature<R, tuple<A...>>> {
  static constexpr int kinds[] = {taken_kind<A>...};
  static std::string members() { return algo::type_name<tuple<taken<std::remove_cvref_t<A>, taken_kind<A>>...>>(); }
};
template <class F, class... T>
void change_by_text(const F& f, const changed_elements& elements, std::type_identity<std::tuple<T...>>,
                    call_site here) {
  using how = taken_by<typename algo::functor_signature<F>::type>;
  static_assert(std::size(how::kinds) == sizeof...(T), "the function takes another number of elements than are zipped");
  static_assert(
      std::find(std::begin(how::kinds), std::end(how::kinds), 2) != std::end(how::kinds),
      "for_each changes elements: take one by reference, or several as thrust::tuple<A&, B&>. For what is done "
      "beside that, such as printing, give ts::host(f)");
  const std::vector<algo::op_result> all{{algo::type_name<T>(), tessera::dtype_of<T>()}...};
  algo::wrapped_signature signature = algo::signature_for<bool, T...>();
  signature.results.clear();
  std::vector<std::string> arguments{how::members()};
  std::vector<std::size_t> changed;
  for (std::size_t k = 0; k < sizeof...(T); ++k) {
    if (how::kinds[k] != 2) continue;
    changed.push_back(k);
    arguments.push_back(std::to_string(k));
    signature.results.push_back(all[k]);
  }
  store_changed(algo::wrapped("thrust::detail::changed_by", {algo::functor_op({}, f, here)}, arguments,
                              std::move(signature), here),
                changed, elements, here);
}

template <class I, class F>
I for_each_of(const I& first, std::int64_t count, const F& f, call_site here) {
  if constexpr (!is_of_devices<I>) {
    std::for_each(first, std::next(first, count), f);
  } else if constexpr (algo::is_host_callable<F>) {
    if constexpr (algo::iterator_like<I>) {
      const auto elements = algo::range_from(first, count).host(tessera::readwrite, here);
      std::for_each(elements.begin(), elements.end(), *f.function());
    } else {
      for (const auto& element : elements_from(first, count, here).to_host(here)) (*f.function())(element);
    }
  } else {
    using members = members_of_iterator<I>;
    const changed_elements elements = members::of(first, count, here);
    const std::type_identity<typename members::types> types;
    if constexpr (algo::is_text_lambda<F> || algo::typed_call<F>)
      change_by_text(f, elements, types, here);
    else
      change_recorded<members::is_zip>(f, elements, types, here);
  }
  return std::next(first, count);
}

}  // namespace detail

/// `f` changes elements by reference; what it does beside that is lost, and it may run more than once per element.
/// `ts::host(f)` is called on the host, once per element and in order.
inline constexpr detail::named for_each_n([](tessera::call_site here, const auto& first, std::int64_t count,
                                             const auto& f) { return detail::for_each_of(first, count, f, here); });
inline constexpr detail::named for_each([](tessera::call_site here, const auto& first, const auto& last,
                                           const auto& f) {
  return detail::for_each_of(first, detail::distance_between(first, last), f, here);
});

}  // namespace thrust
