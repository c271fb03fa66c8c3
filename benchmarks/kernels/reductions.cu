// Sums and histograms of many elements: a block of threads combines its own, then one atomic operation for each result.

// The sum over a block of 256 threads, in its first thread.
__inline__ __device__ float total_of_block(float v) {
  __shared__ float parts[8];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < 8 ? parts[threadIdx.x] : 0.0f;
  if (threadIdx.x < 32)
    for (int offset = 4; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

//@tessera global i => read x[i], reduce(+) sum[0]
__global__ void total(int n, const float* x, float* sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = total_of_block(i < n ? x[i] : 0.0f);
  if (threadIdx.x == 0) atomicAdd(sum, v);
}

//@tessera global i => read x[i], y[i], reduce(+) sum[0]
__global__ void dot(int n, const float* x, const float* y, float* sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = total_of_block(i < n ? x[i] * y[i] : 0.0f);
  if (threadIdx.x == 0) atomicAdd(sum, v);
}

// Blocks are 256 columns of one row.
//@tessera global [j, i] => read m[i, j], reduce(+) sums[i]
__global__ void row_sums(int width, int height, const float* m, float* sums) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  float v = total_of_block(j < width && i < height ? m[(long long)i * width + j] : 0.0f);
  if (threadIdx.x == 0) atomicAdd(&sums[i], v);
}

// A thread adds up 64 rows of its column.
//@tessera global [j, s] => read m[64 * s : 64 * s + 63, j], reduce(+) sums[j]
__global__ void column_sums(int width, int height, const float* m, float* sums) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, first = 64 * blockIdx.y;
  if (j >= width) return;
  float sum = 0.0f;
  for (int i = first; i < first + 64 && i < height; ++i) sum += m[(long long)i * width + j];
  atomicAdd(&sums[j], sum);
}

// A block counts 4096 values in shared memory.
//@tessera block b => read x[4096 * b : 4096 * b + 4095], reduce(+) bins
__global__ void shared_histogram(int n, const int* x, unsigned* bins) {
  __shared__ unsigned part[256];
  int t = threadIdx.x;
  part[t] = 0;
  __syncthreads();
  for (int k = 0; k < 16; ++k) {
    int i = blockIdx.x * 4096 + k * 256 + t;
    if (i < n) atomicAdd(&part[x[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[t], part[t]);
}

//@tessera global i => read at[i], values[i], reduce(+) y
__global__ void scatter_add(int n, const int* at, const float* values, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[at[i]], values[i]);
}
