// Stands for sort.cpp where the libraries that it is measured against are missing.
#include <cstdio>

#include "benchmarks/algo/algo_benchmarks.h"

namespace tessera::bench {

std::vector<benchmark> sort_benchmarks() {
  std::fprintf(stderr, "rows algo.sort are left out: TBB or Boost was not found (packages libtbb-dev, libboost-dev)\n");
  return {};
}

}  // namespace tessera::bench
