#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>

#include "tessera/base/reduction.h"

/// The operations that a kernel registers for `reduce(name)` (rule A4), as text: two functions each behind the text of
/// the kernel's file, templates of the type of elements, so that what they mention is compiled with them.
namespace tessera::kernels {

/// A parameter of a kernel whose elements are combined by one of the kernel's registered operations.
struct reduced_parameter {
  int parameter = 0;
  int operation = 0;  ///< Into `kernel_text::reductions`.
  auto operator<=>(const reduced_parameter&) const = default;
};

/// Throws `argument_error`, which names the kernel's file and the operation, for names that are no words, keywords of
/// C++, built-in operations or given twice; for an identity or a combination that is empty or whose brackets do not
/// match; and for too many operations.
void check_reductions(std::span<const registered_reduction> reductions, const std::string& file);

/// The functions of all operations. Messages of the compiler about a text of the user say
/// `FILE, .reductions NAME, .combine` and count the lines of that text.
[[nodiscard]] std::string reduction_functions(std::span<const registered_reduction> reductions,
                                              const std::string& file);

/// Whether a function is one of those: they count as reached by the kernel.
[[nodiscard]] bool is_reduction_function(std::string_view name);

/// How operation `number` is called: `COMBINE(a, b)` and `IDENTITY<T>()`.
[[nodiscard]] std::string combine_function(int number);
[[nodiscard]] std::string identity_function(int number);

}  // namespace tessera::kernels
