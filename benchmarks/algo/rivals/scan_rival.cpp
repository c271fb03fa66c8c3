#include "benchmarks/kernels/rival.h"

// Two passes, as threaded scans are written: items are chunks of 65536 elements. `pass` 0 sums each chunk, 1 scans it
// behind the sums of those before it, which the caller has made running sums of.
RIVAL {
  const float* __restrict x = parameter<const float*>(parameters, 0);
  float* __restrict out = parameter<float*>(parameters, 1);
  float* __restrict sums = parameter<float*>(parameters, 2);
  const long n = parameter<long>(parameters, 3), pass = parameter<long>(parameters, 4);
  for (long chunk = begin; chunk < end; ++chunk) {
    const long first = chunk * 65536, limit = first + 65536 < n ? first + 65536 : n;
    if (pass == 0) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (long i = first; i < limit; ++i) sum += x[i];
      sums[chunk] = sum;
    } else {
      float sum = chunk > 0 ? sums[chunk - 1] : 0;
      for (long i = first; i < limit; ++i) out[i] = sum += x[i];
    }
  }
}
