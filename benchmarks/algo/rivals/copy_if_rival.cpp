#include "benchmarks/kernels/rival.h"

// Two passes: items are chunks of 65536 elements. `pass` 0 counts what is kept of each chunk, 1 writes it behind what
// is kept of those before it, which the caller has counted up.
RIVAL {
  const float* __restrict x = parameter<const float*>(parameters, 0);
  float* __restrict out = parameter<float*>(parameters, 1);
  long* __restrict counts = parameter<long*>(parameters, 2);
  const long n = parameter<long>(parameters, 3), pass = parameter<long>(parameters, 4);
  const float limit_of_values = parameter<float>(parameters, 5);
  for (long chunk = begin; chunk < end; ++chunk) {
    const long first = chunk * 65536, limit = first + 65536 < n ? first + 65536 : n;
    if (pass == 0) {
      int count = 0;
      for (long i = first; i < limit; ++i) count += x[i] < limit_of_values;
      counts[chunk + 1] = count;
    } else {
      const long stop = counts[chunk + 1];
      long at = counts[chunk];
      for (long i = first; at < stop; ++i) {
        out[at] = x[i];
        at += x[i] < limit_of_values;
      }
    }
  }
}
