#include "benchmarks/kernels/rival.h"

// A histogram for each range of items, added to that of all. The last parameter is the number of bins.
RIVAL {
  const int* __restrict x = parameter<const int*>(parameters, 1);
  unsigned* bins = parameter<unsigned*>(parameters, 2);
  const int count = parameter<int>(parameters, 3);
  static thread_local unsigned memory[65536];
  unsigned* __restrict own = memory;
  for (int k = 0; k < count; ++k) own[k] = 0;
  for (long i = begin; i < end; ++i) ++own[x[i]];
  for (int k = 0; k < count; ++k)
    if (own[k] != 0) __atomic_fetch_add(&bins[k], own[k], __ATOMIC_RELAXED);
}
