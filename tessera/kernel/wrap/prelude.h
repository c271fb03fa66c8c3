#pragma once

#include <string>
#include <string_view>

#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// The text that stands before a kernel's source: the agreement with the process, CUDA's types, the functions that
/// the kernel's words ask for (every unused one would cost compile time), what an `instrumented` kernel calls at each
/// access, and `driver`.
[[nodiscard]] std::string make_prelude(const parsed_kernel& source, std::string_view driver, bool instrumented = false);

/// Whether `name` is called in that text: a function of CUDA that a kernel may use. None takes a reference but `swap`.
[[nodiscard]] bool is_device_function(std::string_view name);

}  // namespace tessera::kernels
