#include "benchmarks/kernels/rival.h"

// Two passes: items are chunks of 65536 elements. `pass` 0 counts the segments that begin in each chunk and sums the
// values behind its last beginning; 1 writes keys and sums of the segments that end there. The caller has counted up
// the segments, and carried the sums over chunks in which none begins.
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
      int count = first == 0;
      for (long i = first > 0 ? first : 1; i < limit; ++i) count += keys[i] != keys[i - 1];
      int sum = 0;
      for (long i = limit; i-- > first;) {
        sum += values[i];
        if (i > 0 && keys[i] != keys[i - 1]) break;
      }
      counts[chunk + 1] = count;
      carries[chunk + 1] = sum;
    } else {
      // counts[chunk] segments have begun before; the last of them is open, with a sum of carries[chunk].
      long at = counts[chunk] - 1;
      int sum = chunk > 0 ? carries[chunk] : 0;
      for (long i = first; i < limit; ++i) {
        const bool begins = i == 0 || keys[i] != keys[i - 1];
        at += begins;
        sum = begins ? values[i] : sum + values[i];
        if (i + 1 == n || keys[i + 1] != keys[i]) {
          keys_out[at] = keys[i];
          sums_out[at] = sum;
        }
      }
    }
  }
}
