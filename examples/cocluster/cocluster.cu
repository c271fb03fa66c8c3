// Co-clustering of a matrix by information divergence, as in CGC: rows and columns are put into clusters such that the
// averages of the blocks of rows and columns tell most about the elements. An iteration reads the matrix twice: for the
// sums over each row within each cluster of columns, and for those over each column within each cluster of rows.
// Clusters of rows or columns are at most 16.
#define MOST 16
#define ROWS 256

// The sum over a block of 256 threads, in its first thread.
__inline__ __device__ float total_of_block(float v) {
  __shared__ float parts[8];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < 8 ? parts[threadIdx.x] : 0.0f;
  if (threadIdx.x < 32)
    for (int offset = 4; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

// A block takes a row: sums[r, c] over the columns of cluster c.
//@tessera block r => read z[r, :], read column_cluster, write sums[r, :]
__global__ void sums_of_rows(int columns, int clusters, const float* z, const int* column_cluster, float* sums) {
  __shared__ float parts[MOST][256];
  const int t = threadIdx.x;
  for (int c = 0; c < clusters; ++c) parts[c][t] = 0;
  const float* row = z + blockIdx.x * (long long)columns;
  for (int j = t; j < columns; j += 256) parts[column_cluster[j]][t] += row[j];
  for (int c = 0; c < clusters; ++c) {
    const float total = total_of_block(parts[c][t]);
    if (t == 0) sums[blockIdx.x * (long long)clusters + c] = total;
  }
}

// A block takes 256 columns of 256 rows: sums[j, r] over the rows of cluster r.
//@tessera block [x, y] => read z[256 * y : 256 * y + 255, 256 * x : 256 * x + 255], row_cluster[256 * y : 256 * y + 255],
//@tessera   reduce(+) sums[256 * x : 256 * x + 255, :]
__global__ void sums_of_columns(int rows, int columns, int clusters, const float* z, const int* row_cluster,
                                float* sums) {
  __shared__ float parts[MOST][256];
  const int t = threadIdx.x, j = blockIdx.x * 256 + t, first = blockIdx.y * ROWS;
  for (int r = 0; r < clusters; ++r) parts[r][t] = 0;
  if (j >= columns) return;
  for (int i = first; i < first + ROWS && i < rows; ++i) parts[row_cluster[i]][t] += z[i * (long long)columns + j];
  for (int r = 0; r < clusters; ++r) atomicAdd(&sums[j * (long long)clusters + r], parts[r][t]);
}

// How many rows or columns are in each cluster.
//@tessera global i => read cluster[i], reduce(+) numbers
__global__ void count_members(int n, const int* cluster, int* numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&numbers[cluster[i]], 1);
}

// The sums over the blocks of the matrix: of the rows in a cluster, by clusters of columns.
//@tessera global i => read sums[i, :], cluster[i], reduce(+) totals
__global__ void sums_of_blocks(int rows, int clusters, int others, const float* sums, const int* cluster,
                               double* totals) {
  __shared__ float parts[MOST * MOST];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < clusters * others; k += blockDim.x) parts[k] = 0;
  __syncthreads();
  if (i < rows)
    for (int c = 0; c < others; ++c) atomicAdd(&parts[cluster[i] * others + c], sums[i * (long long)others + c]);
  __syncthreads();
  for (int k = threadIdx.x; k < clusters * others; k += blockDim.x) atomicAdd(&totals[k], (double)parts[k]);
}

// The average of each block; `epsilon` of the whole matrix's average keeps empty blocks away from zero.
//@tessera global k => read totals[k], row_numbers, column_numbers, write averages[k]
__global__ void average_blocks(int clusters, int others, double whole, double epsilon, const double* totals,
                               const int* row_numbers, const int* column_numbers, float* averages) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= clusters * others) return;
  const double elements = (double)row_numbers[k / others] * column_numbers[k % others];
  averages[k] = (float)((totals[k] + whole * epsilon) / (elements + epsilon));
}

// What it costs to put a row with these sums into cluster `r`: the divergence, but for terms that are the same for all.
__inline__ __device__ float divergence(int r, int others, float epsilon, const float* sums, const float* averages,
                                       const int* numbers, int row_step, int other_step) {
  float cost = 0;
  for (int c = 0; c < others; ++c) {
    const float average = averages[r * row_step + c * other_step] + epsilon;
    cost += numbers[c] * average - sums[c] * logf(average);
  }
  return cost;
}

// The nearest cluster of each row, or of each column: the averages' steps tell which. `error` is the sum of the costs.
//@tessera global i => read sums[i, :], read averages, numbers, write cluster[i], reduce(+) error[0]
__global__ void assign_clusters(int n, int clusters, int others, int row_step, int other_step, float epsilon,
                                const float* sums, const float* averages, const int* numbers, int* cluster,
                                double* error) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float least = 0;
  if (i < n) {
    int nearest = 0;
    for (int r = 0; r < clusters; ++r) {
      const float cost = divergence(r, others, epsilon, sums + i * (long long)others, averages, numbers, row_step, other_step);
      if (r == 0 || cost < least) least = cost, nearest = r;
    }
    cluster[i] = nearest;
  }
  const float total = total_of_block(least);
  if (threadIdx.x == 0) atomicAdd(error, (double)total);
}
