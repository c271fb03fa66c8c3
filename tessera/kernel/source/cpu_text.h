#pragma once

#include <string>

#include "tessera/kernel/source/signature.h"

namespace tessera::kernels {

/// Parses the text that CPU devices compile instead of `kernel` (rule H22). One call of it does the work of
/// `tessera_blocks` thread blocks along x from `blockIdx` on; there are no threads. It defines a kernel of the same
/// name and parameters, is compiled with the same macros and rounding, and its headers are looked for in the same
/// folder. Throws `compile_error`, which names the text, for what `parse_kernel` refuses, a signature that differs,
/// barriers, warp functions, shared memory, and an annotation: that of `kernel` counts.
[[nodiscard]] kernel_text parse_cpu_text(const std::string& source, const kernel_text& kernel);

}  // namespace tessera::kernels
