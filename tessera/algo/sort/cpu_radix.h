#pragma once

#include <cstdint>

#include "tessera/algo/sort/sort_memory.h"
#include "tessera/base/dtype.h"

namespace tessera::algo {

/// Whether keys of this type have an order that bits give: truth values, integers, floating-point numbers.
[[nodiscard]] bool has_radix_order(const dtype& keys);

/// Sorts `count` keys, which are aligned as their type, and the values that go with them: stably, the result in `keys`
/// and `values`. -0 equals +0, and NaN comes last in either order. Needs, besides the memory given, at most 0.6 MB
/// per thread.
void radix_sort(const parallel_runner& run, int threads, const dtype& key, std::int64_t value_bytes, std::int64_t count,
                const sort_memory& memory, bool descending);

}  // namespace tessera::algo
