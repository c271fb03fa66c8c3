#pragma once

#if !defined(__CUDACC__) && !defined(__host__)
#define __host__
#define __device__
#endif

// Numbers without a pattern; each is found from its place alone, so that host and devices make the same ones.
__host__ __device__ inline float number(long long i, unsigned int seed) {
  unsigned int h = (unsigned int)i * 2654435761u + (unsigned int)(i >> 32) * 2246822519u + seed * 3266489917u;
  h = (h ^ (h >> 15)) * 2246822519u;
  h = (h ^ (h >> 13)) * 3266489917u;
  h ^= h >> 16;
  return (float)(h >> 8) / 16777216.0f;
}
