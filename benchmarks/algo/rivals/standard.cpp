#include "benchmarks/algo/rivals/standard.h"

#include <algorithm>
#include <execution>

namespace tessera::bench {

std::int64_t standard_copy_if(const std::vector<float>& x, std::vector<float>& out, float limit) {
  return std::copy_if(std::execution::par_unseq, x.begin(), x.end(), out.begin(),
                      [limit](float v) { return v < limit; }) -
         out.begin();
}

std::int64_t standard_unique_copy(const std::vector<int>& x, std::vector<int>& out) {
  return std::unique_copy(std::execution::par_unseq, x.begin(), x.end(), out.begin()) - out.begin();
}

}  // namespace tessera::bench
