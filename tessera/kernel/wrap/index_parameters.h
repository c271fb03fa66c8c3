#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// Where the thread's indices come from outside the kernel's own body.
enum class index_source : std::uint8_t {
  parameters,  ///< Hidden parameters of every function that needs them.
  variables,   ///< Some code cannot be given parameters and must find them elsewhere.
};

/// The words of CUDA that functions get as hidden first parameters.
struct hidden_parameters {
  bool (*hides)(std::string_view word);
  std::string_view declared;   ///< The parameters.
  std::string_view passed;     ///< What a call passes for them.
  std::string_view specifier;  ///< Put before functions that get them, unless they call themselves; may be empty.
  bool of_kernel = false;      ///< The kernel gets them too.
};

/// True if the indices of a thread can be passed as parameters to all that mentions them, so that
/// `add_index_parameters` gives `parameters`.
[[nodiscard]] bool can_pass_indices(const parsed_kernel& source);

/// Gives the functions that need them hidden parameters, and their calls the arguments. With `variables`, none but the
/// kernel has been changed.
[[nodiscard]] index_source add_index_parameters(const parsed_kernel& source, const hidden_parameters& hidden,
                                                text_edits& edits);

/// The bodies within `body` that cannot use its function's parameters: of local classes, and of lambdas that capture
/// nothing by default.
[[nodiscard]] std::vector<token_range> closed_scopes(const outline& source, token_range body);

}  // namespace tessera::kernels
