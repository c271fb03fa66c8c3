#pragma once

#include <cstdint>
#include <vector>

/// The standard library's parallel algorithms, which GCC has where TBB is found: otherwise they return -1.
namespace tessera::bench {

/// How many elements of `x` below `limit` are written to `out`.
std::int64_t standard_copy_if(const std::vector<float>& x, std::vector<float>& out, float limit);
std::int64_t standard_unique_copy(const std::vector<int>& x, std::vector<int>& out);

}  // namespace tessera::bench
