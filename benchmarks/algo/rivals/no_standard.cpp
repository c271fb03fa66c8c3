// Where TBB was not found: install the package libtbb-dev to compare with the standard library.
#include "benchmarks/algo/rivals/standard.h"

namespace tessera::bench {

std::int64_t standard_copy_if(const std::vector<float>&, std::vector<float>&, float) { return -1; }
std::int64_t standard_unique_copy(const std::vector<int>&, std::vector<int>&) { return -1; }

}  // namespace tessera::bench
