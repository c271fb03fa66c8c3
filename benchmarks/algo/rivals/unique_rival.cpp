#include "benchmarks/kernels/rival.h"

// As copy_if_rival.cpp; kept is what differs from the element in front of it.
RIVAL {
  const int* __restrict x = parameter<const int*>(parameters, 0);
  int* __restrict out = parameter<int*>(parameters, 1);
  long* __restrict counts = parameter<long*>(parameters, 2);
  const long n = parameter<long>(parameters, 3), pass = parameter<long>(parameters, 4);
  for (long chunk = begin; chunk < end; ++chunk) {
    const long first = chunk * 65536, limit = first + 65536 < n ? first + 65536 : n;
    if (pass == 0) {
      int count = first == 0;
      for (long i = first > 0 ? first : 1; i < limit; ++i) count += x[i] != x[i - 1];
      counts[chunk + 1] = count;
    } else {
      const long stop = counts[chunk + 1];
      long at = counts[chunk];
      if (first == 0) out[at++] = x[0];
      for (long i = first > 0 ? first : 1; at < stop; ++i) {
        out[at] = x[i];
        at += x[i] != x[i - 1];
      }
    }
  }
}
