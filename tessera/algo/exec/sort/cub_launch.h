#pragma once

#include <optional>

#include "tessera/algo/exec/sort/sort_launch.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// The kernel that sorts its keys, and values, on a GPU by CUB: parameters keys, spare and values, spare_values, one
/// thread per element. Nothing where there is no plugin for these types, or the order is not that of bits.
/// `spare_is_kept`: as for CPUs (exec/sort/host_merge.h).
[[nodiscard]] std::optional<kernel> cub_kernel(context ctx, const sort_types& types, const key_order& order,
                                               bool spare_is_kept);

}  // namespace tessera::algo
