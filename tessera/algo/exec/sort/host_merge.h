#pragma once

#include "tessera/algo/exec/sort/sort_launch.h"
#include "tessera/runtime/native_call.h"

namespace tessera::algo {

// Kernels of sorts and merges as functions. Parameters and annotations are those of the texts (exec/sort/sort_text.h).

/// Sorts runs on a CPU device: "block b => read bounds, readwrite keys[runs(b)], write spare[runs(b)]", and values
/// likewise. The first parameter says whether results go to the spare memory. `spare_is_kept`: it has contents, and
/// what is not overwritten stays.
[[nodiscard]] kernel_text run_sort(const sort_types& types, const key_order& order, bool spare_is_kept);
/// As `cut_text`, for orders that are host code.
[[nodiscard]] native_kernel host_cut(const key_order& order, std::int64_t key_bytes);
/// As `merge_text`, likewise.
[[nodiscard]] native_kernel host_merge(const key_order& order, const sort_types& types);

}  // namespace tessera::algo
