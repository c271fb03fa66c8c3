#pragma once

#include <type_traits>
#include <vector>

#include "tessera/algo/device/region.h"
#include "tessera/algo/device/views.h"
#include "tessera/algo/function/op.h"
#include "tessera/algo/function/type_name.h"

namespace tessera::algo {

// What a call operator takes and returns.
template <class R, class... A>
struct call_signature {
  using result = R;
  static constexpr std::size_t count = sizeof...(A);
};
template <class F>
struct signature_of;
template <class C, class R, class... A>
struct signature_of<R (C::*)(A...) const> {
  using type = call_signature<R, A...>;
};
template <class C, class R, class... A>
struct signature_of<R (C::*)(A...)> {
  using type = call_signature<R, A...>;
};
template <class C, class R, class... A>
struct signature_of<R (C::*)(A...) const noexcept> {
  using type = call_signature<R, A...>;
};
template <class R, class... A>
struct signature_of<R (*)(A...)> {
  using type = call_signature<R, A...>;
};
template <class R, class... A>
struct signature_of<R (*)(A...) noexcept> {
  using type = call_signature<R, A...>;
};

/// A call operator with one set of parameter types; otherwise it is generic, and recorded.
template <class F>
concept typed_call = requires {
  &F::operator();
};

/// What a parameter's type says about it.
template <class T>
struct parameter_traits {
  static constexpr parameter_kind kind = parameter_kind::plain;
  static op_parameter describe() { return {parameter_kind::plain, type_name<T>(), dtype_of<T>(), 0}; }
};
#define TESSERA_INDEX_PARAMETER(n)                                                                 \
  template <>                                                                                      \
  struct parameter_traits<index##n> {                                                              \
    static constexpr parameter_kind kind = parameter_kind::index;                                  \
    static op_parameter describe() { return {parameter_kind::index, "tessera::index" #n, {}, n}; } \
  };
TESSERA_INDEX_PARAMETER(1)
TESSERA_INDEX_PARAMETER(2)
TESSERA_INDEX_PARAMETER(3)
TESSERA_INDEX_PARAMETER(4)
#undef TESSERA_INDEX_PARAMETER
template <class T>
struct parameter_traits<vec<T>> {
  static constexpr parameter_kind kind = parameter_kind::container;
  static op_parameter describe() { return {parameter_kind::container, type_name<T>(), dtype_of<T>(), 1}; }
};
template <class T>
struct parameter_traits<mat<T>> {
  static constexpr parameter_kind kind = parameter_kind::container;
  static op_parameter describe() { return {parameter_kind::container, type_name<T>(), dtype_of<T>(), 2}; }
};
template <class T, int N>
struct parameter_traits<ten<T, N>> {
  static constexpr parameter_kind kind = parameter_kind::container;
  static op_parameter describe() { return {parameter_kind::container, type_name<T>(), dtype_of<T>(), N}; }
};
template <class T>
struct parameter_traits<row<T>> {
  static constexpr parameter_kind kind = parameter_kind::row;
  static op_parameter describe() { return {parameter_kind::row, type_name<T>(), dtype_of<T>(), 2}; }
};
template <class T>
struct parameter_traits<col<T>> {
  static constexpr parameter_kind kind = parameter_kind::column;
  static op_parameter describe() { return {parameter_kind::column, type_name<T>(), dtype_of<T>(), 2}; }
};

template <class T, int N>
struct parameter_traits<region<T, N>> {
  static constexpr parameter_kind kind = parameter_kind::region;
  static op_parameter describe() { return {parameter_kind::region, type_name<T>(), dtype_of<T>(), N}; }
};

template <class R>
struct result_traits {
  static std::vector<op_result> describe() { return {{type_name<R>(), dtype_of<R>()}}; }
};
template <class... R>
struct result_traits<tuple<R...>> {
  static std::vector<op_result> describe() { return {{type_name<R>(), dtype_of<R>()}...}; }
};

template <class R, class... A>
void describe_call(op_text& text, std::type_identity<call_signature<R, A...>>) {
  static_assert(!std::is_void_v<R>,
                "a function of a skeleton returns what it computes: return the new element instead of changing one");
  text.parameters = {parameter_traits<std::remove_cvref_t<A>>::describe()...};
  text.results = result_traits<std::remove_cvref_t<R>>::describe();
}

}  // namespace tessera::algo
