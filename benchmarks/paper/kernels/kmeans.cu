// K-means of records with four features. A block takes 4096 records: it finds the nearest of `count` centres for each, a
// thread for eight records at once, and adds it up in shared memory, five numbers for each centre: the four features and
// how many. Then the sums become the new centres.
#define RECORDS 4096
#define THREADS 256
#define AT_ONCE 8
#define MOST_CENTRES 64

//@tessera block b => read records[4096 * b : 4096 * b + 4095], read centres, reduce(+) sums
__global__ void assign(long long n, int count, const float4* records, const float4* centres, double* sums) {
  __shared__ float4 here[MOST_CENTRES];
  __shared__ float parts[5 * MOST_CENTRES];
  const int t = threadIdx.x;
  for (int c = t; c < count; c += blockDim.x) here[c] = centres[c];
  for (int k = t; k < 5 * count; k += blockDim.x) parts[k] = 0;
  __syncthreads();
  for (int from = t; from < RECORDS; from += AT_ONCE * THREADS) {
    const long long first = blockIdx.x * (long long)RECORDS + from;
    float x[AT_ONCE], y[AT_ONCE], z[AT_ONCE], w[AT_ONCE], least[AT_ONCE];
    int nearest[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; ++k) {
      const long long i = first + k * THREADS;
      const float4 r = records[i < n ? i : n - 1];
      x[k] = r.x, y[k] = r.y, z[k] = r.z, w[k] = r.w;
      least[k] = 1e30f;
      nearest[k] = 0;
    }
    for (int c = 0; c < count; ++c) {
      const float4 centre = here[c];
#pragma unroll
      for (int k = 0; k < AT_ONCE; ++k) {
        const float dx = x[k] - centre.x, dy = y[k] - centre.y, dz = z[k] - centre.z, dw = w[k] - centre.w;
        const float distance = dx * dx + dy * dy + dz * dz + dw * dw;
        const int nearer = -(int)(distance < least[k]);  // all bits or none
        nearest[k] = (c & nearer) | (nearest[k] & ~nearer);
        least[k] = distance < least[k] ? distance : least[k];
      }
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; ++k) {
      if (first + k * THREADS >= n) continue;
      atomicAdd(&parts[5 * nearest[k]], x[k]);
      atomicAdd(&parts[5 * nearest[k] + 1], y[k]);
      atomicAdd(&parts[5 * nearest[k] + 2], z[k]);
      atomicAdd(&parts[5 * nearest[k] + 3], w[k]);
      atomicAdd(&parts[5 * nearest[k] + 4], 1.0f);
    }
  }
  __syncthreads();
  for (int k = t; k < 5 * count; k += blockDim.x) atomicAdd(&sums[k], (double)parts[k]);
}

// A centre without records stays where it is.
//@tessera global c => read sums[5 * c : 5 * c + 4], readwrite centres[c]
__global__ void move_centres(int count, const double* sums, float4* centres) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= count || sums[5 * c + 4] == 0) return;
  const double number = sums[5 * c + 4];
  centres[c] = float4{(float)(sums[5 * c] / number), (float)(sums[5 * c + 1] / number),
                      (float)(sums[5 * c + 2] / number), (float)(sums[5 * c + 3] / number)};
}
