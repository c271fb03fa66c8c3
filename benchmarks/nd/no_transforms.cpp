// Stands for transforms.cpp where FFTW was not found.
#include "benchmarks/nd/nd_benchmarks.h"

namespace tessera::bench {

std::vector<benchmark> transform_benchmarks() { return {}; }

}  // namespace tessera::bench
