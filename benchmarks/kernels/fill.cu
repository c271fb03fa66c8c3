// Numbers without a pattern, with the same bits from every compiler: the place of an element, its bits mixed.
__inline__ __device__ unsigned mixed_bits(unsigned bits) {
  bits = (bits ^ bits >> 16) * 2246822519u;
  bits = (bits ^ bits >> 13) * 3266489917u;
  return bits ^ bits >> 16;
}

// From [0, 1).
//@tessera global i => write x as [:][i]
__global__ void fill_floats(long long n, unsigned seed, float* x) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = (float)(mixed_bits((unsigned)i + seed) >> 8) * (1.0f / 16777216.0f);
}

// From [0, below).
//@tessera global i => write x as [:][i]
__global__ void fill_ints(long long n, unsigned seed, int below, int* x) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = (int)(mixed_bits((unsigned)i + seed) % below);
}
