#pragma once

#include "tessera/nd/emit/text/rows_text.h"
#include "tessera/runtime/native_call.h"

namespace tessera::nd {

/// What `rows_text` does, while it is being compiled.
[[nodiscard]] native_kernel rows_function(const rows_step& step);

}  // namespace tessera::nd
