#pragma once

#include <string>

#include "tessera/plan/access/access.h"
#include "tessera/runtime/kernel_library.h"

namespace tessera::runtime {

/// A rule as the annotation of `kernel` would have it, with its names of parameters and threads.
[[nodiscard]] std::string rule_text(const plan::access_rule& rule, const kernel_entry& kernel);

}  // namespace tessera::runtime
