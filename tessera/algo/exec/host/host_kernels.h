#pragma once

#include <functional>
#include <string>

#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/function/op.h"
#include "tessera/runtime/native_call.h"

namespace tessera::algo {

/// The kernel of `key` for a call of `function`, and of `combine` if it is not null: text, or `body` where one of them
/// runs on the host, with the parameters and the annotation of that text.
[[nodiscard]] kernel kernel_for(const context& ctx, const op& function, const op* combine, std::string key,
                                const std::function<kernel_text()>& text, const std::function<native_kernel()>& body);

// The bodies of the kernels of skeletons where a function runs on the host. Each has the parameters and the annotation
// of the kernel that is printed as text, and combines in the same order.

/// As `map_text`; the last parameter is how many threads a block has.
[[nodiscard]] native_kernel host_map(const call& bound, int outputs, int axes);
/// As `segment_fold_text`.
[[nodiscard]] native_kernel host_segment_fold(const call& bound, const op& combine, std::int64_t bytes);
/// As `column_fold_text`.
[[nodiscard]] native_kernel host_column_fold(const op& combine, std::int64_t bytes);
/// As `chunk_total_text` and `chunk_scan_text`; `last` may be null.
[[nodiscard]] native_kernel host_chunk_total(const call& bound, const op& combine, std::int64_t bytes);
[[nodiscard]] native_kernel host_chunk_scan(const call& bound, const op& combine, const op* last, std::int64_t bytes,
                                            bool exclusive);

}  // namespace tessera::algo
