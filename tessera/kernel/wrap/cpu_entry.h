#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/wrap/cpu_wrapper.h"
#include "tessera/kernel/wrap/index_parameters.h"
#include "tessera/kernel/wrap/loop_text.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// What a tier adds to the kernel's text.
struct tier_parts {
  std::string_view driver;  ///< The file put before it.
  std::string_view run;     ///< The function of it that runs a launch.
  [[nodiscard]] static tier_parts of(const cpu_variant& variant);
};

/// Threads per block on x, y and z. Throws `argument_error` for what is no block.
[[nodiscard]] std::array<std::int64_t, 3> block_sizes(const cpu_variant& variant);

/// The code behind the user's text: it calls the kernel, as `plan` says where the tier is `loop`, and tells about its
/// parameters and variables.
[[nodiscard]] std::string write_cpu_entry(const kernel_text& kernel, const parsed_kernel& source,
                                          const cpu_variant& variant, const loop_plan& plan, index_source indices,
                                          const std::vector<shared_variable>& shared);

}  // namespace tessera::kernels
