#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/call_site.h"

namespace tessera::nd {

/// The axes of `einsum`'s operands by labels: letters as they are written, and 0, 1, ... for those of `...`, counted
/// from the last.
struct subscripts {
  std::vector<std::string> operands;
  std::string result;
};
/// Reads "ij,jk->ik" for operands with so many axes. Throws `argument_error`.
[[nodiscard]] subscripts parse_subscripts(std::string_view text, std::span<const int> ranks, call_site here);

}  // namespace tessera::nd
