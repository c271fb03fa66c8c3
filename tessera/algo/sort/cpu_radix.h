#pragma once
#include "tessera/algo/sort/sort_memory.h"
#include "tessera/base/dtype.h"
namespace tessera::algo {
[[nodiscard]] inline bool has_radix_order(const dtype&) { return false; }
inline void radix_sort(const parallel_runner&, int, const dtype&, std::int64_t, std::int64_t, const sort_memory&,
                       bool) {}
}  // namespace tessera::algo
