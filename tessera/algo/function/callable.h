#pragma once

#include <type_traits>

#include "tessera/algo/function/host.h"
#include "tessera/algo/function/lambda.h"
#include "tessera/algo/function/named.h"
#include "tessera/algo/function/op.h"
#include "tessera/algo/function/signature.h"
#include "tessera/algo/function/trace.h"
#include "tessera/algo/function/type_name.h"
#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/call_site.h"

namespace tessera::algo {

template <class F>
inline constexpr bool is_text_lambda = false;
template <class L, class... C>
inline constexpr bool is_text_lambda<text_lambda<L, C...>> = true;
template <class F>
inline constexpr bool is_named_function = false;
template <auto F>
inline constexpr bool is_named_function<named_function<F>> = true;

/// A function that makes its own operator for arguments of types `Args`: `f.template operator_for<Args...>(here)`, which
/// returns a `typename F::template result_for<Args...>`.
template <class F>
concept makes_own_operator = requires {
  typename F::makes_own_operator;
};

/// Notes the TS_DEVICE blocks that define the types of the parameters of `text` and what it names. Throws
/// `argument_error` if a struct, or the functor itself where `functor_needs_text`, stands in none.
void add_blocks(op_text& text, bool functor_needs_text, call_site here);
/// Makes `text` a functor that calls the function `name` of a TS_DEVICE block.
void wrap_function(op_text& text, const std::string& name, call_site here);

/// The signature of a functor or of what TS_FN gives.
template <class F>
struct functor_signature {
  using type = typename signature_of<decltype(&F::operator())>::type;
};
template <class L, class... C>
struct functor_signature<text_lambda<L, C...>> : functor_signature<L> {};

/// The operator of a functor or of what TS_FN gives, with the parameters and results of `text`.
template <class F>
[[nodiscard]] op functor_op(op_text text, const F& function, call_site here) {
  op made;
  if constexpr (is_text_lambda<F>) {
    text.type = function.text().type;
    text.text = function.text().text;
    text.name = function.text().name;
    add_blocks(text, false, here);
    made.state = function.state().bytes();
    made.state_alignment = function.state().alignment();
  } else {
    text.name = text.type = type_name<F>();
    add_blocks(text, true, here);
    if constexpr (!std::is_empty_v<F>) {
      made.state = bytes_of(function);
      made.state_alignment = alignof(F);
    }
  }
  text.has_state = !made.state.empty();
  made.text = keep_text(std::move(text));
  return made;
}
/// The operator of a function whose parameter types are known from itself.
template <class F>
[[nodiscard]] op typed_op(const F& function, call_site here) {
  op_text text;
  describe_call(text, std::type_identity<typename functor_signature<F>::type>());
  return functor_op(std::move(text), function, here);
}

template <auto Function>
[[nodiscard]] op named_op(const named_function<Function>&, call_site here) {
  static const auto text = [&] {
    op_text made;
    describe_call(made, std::type_identity<typename signature_of<decltype(Function)>::type>());
    wrap_function(made, signature_name<Function>(), here);
    add_blocks(made, false, here);
    return keep_text(std::move(made));
  }();
  return {text, {}, 1};
}

/// The operator of a library operator for arguments of types `Args`.
template <class Operator, class... Args>
[[nodiscard]] op library_op(call_site here) {
  static const auto text = [&] {
    op_text made;
    using result = std::remove_cvref_t<std::invoke_result_t<Operator, Args...>>;
    describe_call(made, std::type_identity<call_signature<result, Args...>>());
    made.name = made.type = type_name<Operator>();
    add_blocks(made, false, here);
    return keep_text(std::move(made));
  }();
  return {text, {}, 1};
}

/// `function` as an operator for arguments of types `Args`: elements and uniform values.
template <class... Args, class F>
[[nodiscard]] op make_op(const F& function, call_site here) {
  static_assert(std::is_trivially_copyable_v<F> || is_text_lambda<F> || is_host_callable<F> || makes_own_operator<F>,
                "a function captures numbers and trivially copyable structs; pass the container as an argument");
  if constexpr (is_host_callable<F>) {
    return host_op<Args...>(function.function(), function.kernels(), function.number());
  } else if constexpr (makes_own_operator<F>) {
    return function.template operator_for<Args...>(here);
  } else if constexpr (!std::is_void_v<library_operator_t<F>>) {
    return library_op<library_operator_t<F>, Args...>(here);
  } else if constexpr (is_named_function<F>) {
    return named_op(function, here);
  } else if constexpr (is_text_lambda<F> || typed_call<F>) {
    constexpr std::string_view name = __PRETTY_FUNCTION__;
    static_assert(is_text_lambda<F> ||
                      (name.find("F = ") != name.npos && name.substr(name.find("F = ")).find("lambda") == name.npos),
                  "write [](auto x) to have it traced, TS_FN(...) for loops and branches, or ts::host(f)");
    return typed_op(function, here);
  } else {
    return trace<Args...>(function);
  }
}

/// Distinguishes the states of functions of one type.
[[nodiscard]] std::uint64_t number_of_state(const std::vector<std::byte>& state);
template <class F>
[[nodiscard]] std::uint64_t state_number(const F& function) {
  if constexpr (is_text_lambda<F>)
    return number_of_state(function.state().bytes());
  else if constexpr (std::is_empty_v<F>)
    return 0;
  else
    return number_of_state(bytes_of(function));
}
/// `make_op` for a function that one kernel calls beside `Other`: host code, too, if that is.
template <class Other, class... Args, class F>
[[nodiscard]] op make_op_beside(const F& function, call_site here) {
  if constexpr (is_host_callable<Other> && !is_host_callable<F>)
    return host_op<Args...>(std::make_shared<const F>(function), nullptr, state_number(function));
  else
    return make_op<Args...>(function, here);
}

// What a function returns for elements and uniform values of types `Args`.
template <class R>
struct recorded_result {
  using type = scalar_t<R>;
};
template <class... R>
struct recorded_result<tuple<R...>> {
  using type = tuple<scalar_t<R>...>;
};
template <class F, class... Args>
struct call_result {
  static_assert(std::is_invocable_v<const F&, decltype(traced_argument(0, std::type_identity<Args>()))...>,
                "the function takes another number of arguments than are given");
  using recorded =
      std::remove_cvref_t<decltype(std::declval<const F&>()(traced_argument(0, std::type_identity<Args>())...))>;
  static_assert(!std::is_void_v<recorded>,
                "a function of a skeleton returns what it computes: return the new element instead of changing one");
  using type = typename recorded_result<recorded>::type;
};
template <class F, class... Args>
struct call_result<host_callable<F>, Args...> {
  using type = typename host_calls<F, typename host_reads_of<typename host_signature<F>::type, Args...>::type>::result;
};
template <auto Function, class... Args>
struct call_result<named_function<Function>, Args...> {
  using type = std::remove_cvref_t<typename signature_of<decltype(Function)>::type::result>;
};
template <class L, class... C, class... Args>
struct call_result<text_lambda<L, C...>, Args...> {
  using type = std::remove_cvref_t<typename signature_of<decltype(&L::operator())>::type::result>;
};
template <typed_call F, class... Args>
struct call_result<F, Args...> {
  using type = std::remove_cvref_t<typename signature_of<decltype(&F::operator())>::type::result>;
};
template <class F, class... Args>
requires(!std::is_void_v<library_operator_t<F>> && !typed_call<F>) struct call_result<F, Args...> {
  using type = std::remove_cvref_t<std::invoke_result_t<library_operator_t<F>, Args...>>;
};

template <makes_own_operator F, class... Args>
struct call_result<F, Args...> {
  using type = typename F::template result_for<Args...>;
};

/// The signature of a function whose parameter types are known from itself; void if they follow from its arguments.
template <class F>
struct own_signature {
  using type = void;
};
template <class F>
struct own_signature<host_callable<F>> {
  using type = typename host_signature<F>::type;
};
template <auto Function>
struct own_signature<named_function<Function>> {
  using type = typename signature_of<decltype(Function)>::type;
};
template <class L, class... C>
struct own_signature<text_lambda<L, C...>> {
  using type = typename signature_of<decltype(&L::operator())>::type;
};
template <typed_call F>
struct own_signature<F> {
  using type = typename signature_of<decltype(&F::operator())>::type;
};

template <class F, class... Args>
using call_result_t = typename call_result<F, Args...>::type;

}  // namespace tessera::algo
