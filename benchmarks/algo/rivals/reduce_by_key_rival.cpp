#include "benchmarks/kernels/rival.h"

// Two passes: items are chunks of 65536 elements. `pass` 0 counts the segments that end in each chunk and sums the
// values of the one that is open behind it; 1 writes keys and sums of the segments that end there, one over the other
// until they end. The caller has counted up the segments, and carried the sums over chunks in which none ends.
RIVAL {
  const int* __restrict keys = parameter<const int*>(parameters, 0);
  const int* __restrict values = parameter<const int*>(parameters, 1);
  int* __restrict keys_out = parameter<int*>(parameters, 2);
  int* __restrict sums_out = parameter<int*>(parameters, 3);
  long* __restrict counts = parameter<long*>(parameters, 4);
  int* __restrict carries = parameter<int*>(parameters, 5);
  const long n = parameter<long>(parameters, 6), pass = parameter<long>(parameters, 7);
  for (long chunk = begin; chunk < end; ++chunk) {
    const long first = chunk * 65536, limit = first + 65536 < n ? first + 65536 : n;
    if (pass == 0) {
      int count = limit == n;
      for (long i = first; i < (limit == n ? n - 1 : limit); ++i) count += keys[i] != keys[i + 1];
      int sum = 0;
      for (long i = limit; i-- > first && i + 1 < n && keys[i] == keys[i + 1];) sum += values[i];
      counts[chunk + 1] = count;
      carries[chunk + 1] = sum;
    } else {
      const long stop = counts[chunk + 1];
      long at = counts[chunk];
      int sum = carries[chunk];
      for (long i = first; at < stop; ++i) {
        sum += values[i];
        keys_out[at] = keys[i];
        sums_out[at] = sum;
        const int ends = i + 1 == n || keys[i] != keys[i + 1];
        at += ends;
        sum &= ends - 1;  // no branch: it could not be foretold
      }
    }
  }
}
