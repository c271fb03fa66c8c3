#pragma once

#include <cstdint>

#include "tessera/algo/exec/call.h"
#include "tessera/runtime/native_call.h"

namespace tessera::algo {

/// As `segments_text`, where a function runs on the host; `last` may be null.
[[nodiscard]] native_kernel host_segments(const call& bound, const op& combine, const op* last, std::int64_t bytes,
                                          bool has_start);

}  // namespace tessera::algo
