//@tessera block b => read x[b, :], write y[b, :]
__global__ void softmax(int m, const float* x, float* y) {
  __shared__ float part[256];
  int t = threadIdx.x;
  const float* row = x + (long long)blockIdx.x * m;
  float best = -1e30f;
  for (int j = t; j < m; j += 256) best = fmaxf(best, row[j]);
  part[t] = best;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) part[t] = fmaxf(part[t], part[t + s]);
    __syncthreads();
  }
  best = part[0];
  __syncthreads();
  float sum = 0.0f;
  for (int j = t; j < m; j += 256) sum += expf(row[j] - best);
  part[t] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  sum = part[0];
  for (int j = t; j < m; j += 256) y[(long long)blockIdx.x * m + j] = expf(row[j] - best) / sum;
}
