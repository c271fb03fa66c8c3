#include "number.h"

//@tessera global i => write out[i]
__global__ void numbers(long long n, unsigned int seed, float low, float range, float* out) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) out[i] = low + range * number(i, seed);
}
