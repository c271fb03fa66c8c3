struct best {
  float value;
  int at;
};

//@tessera global i => read x[i], reduce(argmin) least
__global__ void find_least(int n, best* least, const float* x) {
  __shared__ best part[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? best{x[i], i} : best{INFINITY, -1};
  __syncthreads();
  // Of equal values the first: what is combined must not depend on the order.
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half && (part[t + half].value < part[t].value ||
                     (part[t + half].value == part[t].value && part[t + half].at < part[t].at)))
      part[t] = part[t + half];
    __syncthreads();
  }
  if (t == 0) *least = part[0];
}
