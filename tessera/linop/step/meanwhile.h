#pragma once

#include "tessera/linop/step/text.h"
#include "tessera/runtime/native_call.h"

namespace tessera::linop {

/// What `step_text` does, bit for bit, as a function: for CPU devices while the text is being compiled.
[[nodiscard]] native_kernel step_function(const step_form& form);

}  // namespace tessera::linop
