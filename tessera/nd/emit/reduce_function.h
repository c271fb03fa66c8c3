#pragma once

#include "tessera/nd/emit/text/reduce_text.h"
#include "tessera/runtime/native_call.h"

namespace tessera::nd {

/// What `reduce_text` does, while it is being compiled.
[[nodiscard]] native_kernel reduce_function(const reduce_step& step);

}  // namespace tessera::nd
