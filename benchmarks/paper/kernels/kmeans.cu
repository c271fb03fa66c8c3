// K-means of records with four features. A block takes 4096 records: it finds the nearest of `count` centres for each and
// adds it up in shared memory, five numbers for each centre: the four features and how many. Then the sums become the new
// centres.
#define RECORDS 4096
#define MOST_CENTRES 64

//@tessera block b => read records[4096 * b : 4096 * b + 4095], read centres, reduce(+) sums
__global__ void assign(long long n, int count, const float4* records, const float4* centres, double* sums) {
  __shared__ float4 here[MOST_CENTRES];
  __shared__ float parts[5 * MOST_CENTRES];
  const int t = threadIdx.x;
  for (int c = t; c < count; c += blockDim.x) here[c] = centres[c];
  for (int k = t; k < 5 * count; k += blockDim.x) parts[k] = 0;
  __syncthreads();
  for (int k = t; k < RECORDS; k += blockDim.x) {
    const long long i = blockIdx.x * (long long)RECORDS + k;
    if (i >= n) continue;
    const float4 r = records[i];
    float least = 1e30f;
    int nearest = 0;
    for (int c = 0; c < count; ++c) {
      const float x = r.x - here[c].x, y = r.y - here[c].y, z = r.z - here[c].z, w = r.w - here[c].w;
      const float distance = x * x + y * y + z * z + w * w;
      nearest = distance < least ? c : nearest;
      least = distance < least ? distance : least;
    }
    atomicAdd(&parts[5 * nearest], r.x);
    atomicAdd(&parts[5 * nearest + 1], r.y);
    atomicAdd(&parts[5 * nearest + 2], r.z);
    atomicAdd(&parts[5 * nearest + 3], r.w);
    atomicAdd(&parts[5 * nearest + 4], 1.0f);
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
