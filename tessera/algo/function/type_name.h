#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/base/dtype.h"

// Outside of the namespaces whose types are named: GCC leaves out the namespaces that the function stands in.
namespace tessera_signature {
template <class X>
[[nodiscard]] std::string_view of_type() {
  return __PRETTY_FUNCTION__;
}
template <auto X>
[[nodiscard]] std::string_view of_value() {
  return __PRETTY_FUNCTION__;
}
}  // namespace tessera_signature

namespace tessera::algo {

/// What stands behind "X = " in the text that the compiler gives for a function with the template parameter X, without
/// unnamed namespaces, which device text does not have.
[[nodiscard]] std::string name_in_signature(std::string_view signature);
/// The namespaces of a function from the text that the compiler gives for a lambda in it: "user::detail", "".
[[nodiscard]] std::string scope_in_signature(std::string_view signature);
/// How kernels spell a scalar type.
[[nodiscard]] std::string scalar_name(const dtype& type);

template <class X>
[[nodiscard]] std::string signature_name() {
  return name_in_signature(tessera_signature::of_type<X>());
}
template <auto X>
[[nodiscard]] std::string signature_name() {
  return name_in_signature(tessera_signature::of_value<X>());
}

/// T as device text spells it: scalars as CUDA does, everything else with its namespaces.
template <class T>
[[nodiscard]] const std::string& type_name() {
  static const std::string name = [] {
    if constexpr (std::is_arithmetic_v<T>)
      return scalar_name(dtype_of<T>());
    else
      return signature_name<T>();
  }();
  return name;
}

}  // namespace tessera::algo
