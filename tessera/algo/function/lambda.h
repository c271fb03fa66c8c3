#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/algo/function/device_text.h"
#include "tessera/algo/function/op.h"
#include "tessera/algo/function/type_name.h"

/// A lambda with typed parameters whose text is device code too, so that it may have loops and branches. What it
/// captures is listed in front of it, in parentheses:
///
///     auto square = TS_FN([](float x) { return x * x; });
///     auto scaled = TS_FN((a, n), [=](float x) { for (int k = 0; k < n; ++k) x *= a; return x; });
#define TS_FN(...) TS_FN_PICK(TS_IS_PARENTHESISED(__VA_ARGS__))(__VA_ARGS__)

#define TS_FN_PICK(captures) TS_FN_PICK_(captures)
#define TS_FN_PICK_(captures) TS_FN_##captures
#define TS_FN_0(...) ::tessera::algo::make_lambda(__VA_ARGS__, TS_LAMBDA_TEXT("", #__VA_ARGS__), ::std::tuple<>())
#define TS_FN_1(captures, ...) \
  ::tessera::algo::make_lambda(__VA_ARGS__, TS_LAMBDA_TEXT(#captures, #__VA_ARGS__), ::std::make_tuple captures)
#define TS_LAMBDA_TEXT(captures, text)                                       \
  ::tessera::algo::lambda_source {                                           \
    text, captures, __FILE__, __LINE__, [] { return __PRETTY_FUNCTION__; }() \
  }
#define TS_IS_PARENTHESISED(first, ...) TS_SECOND(TS_PROBE first, 0, 0)
#define TS_PROBE(...) 0, 1
#define TS_SECOND(...) TS_SECOND_(__VA_ARGS__)
#define TS_SECOND_(ignored, second, ...) second

namespace tessera::algo {

struct lambda_source {
  const char* text;
  const char* captures;  ///< "(a, n)", or empty.
  const char* file;
  int line;
  const char* signature;  ///< Of a lambda in the same place: tells the namespaces.
};

/// A member of a functor that stands for a captured variable.
struct captured_member {
  std::string type;
};

/// The text of a lambda as that of a functor of its own name.
struct lambda_text {
  std::string type;
  std::string text;
  std::string name;
};
/// Throws `argument_error` if the captures that are listed are not as many as `members`, or are not names.
[[nodiscard]] lambda_text functor_of(const lambda_source& source, const std::vector<captured_member>& members);

/// What TS_FN gives: callable on the host, and an operator everywhere.
template <class Lambda, class... Captures>
class text_lambda {
 public:
  text_lambda(Lambda function, const lambda_source& source, std::tuple<Captures...> captures)
      : function_(std::move(function)), text_(functor_of(source, {captured_member{type_name<Captures>()}...})) {
    static_assert((std::is_trivially_copyable_v<Captures> && ...),
                  "TS_FN captures numbers and trivially copyable structs; pass containers as arguments");
    std::apply([&](const Captures&... c) { (state_.add(&c, sizeof c, alignof(Captures)), ...); }, captures);
  }

  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return function_(std::forward<Args>(args)...);
  }
  [[nodiscard]] const Lambda& function() const { return function_; }
  [[nodiscard]] const lambda_text& text() const { return text_; }
  [[nodiscard]] const state_layout& state() const { return state_; }

 private:
  Lambda function_;
  lambda_text text_;
  state_layout state_;
};

template <class Lambda, class... Captures>
[[nodiscard]] text_lambda<Lambda, Captures...> make_lambda(Lambda function, const lambda_source& source,
                                                           std::tuple<Captures...> captures) {
  return {std::move(function), source, std::move(captures)};
}

}  // namespace tessera::algo
