#pragma once

#include "tessera/kernel/index/index_use.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// Has the kernel take its index from `__tessera_at` where it is computed in 64 bits: `(decltype(SUM))__tessera_at.x`.
void replace_sums(const index_use& use, text_edits& edits);

}  // namespace tessera::kernels
