// A sparse matrix in ELL format, with `width` elements in each of its m rows, and a vector: element k of all rows lies
// together.
//@tessera global i => read values[:, i], columns[:, i], read x, write y[i]
__global__ void ell_product(int m, int width, const float* values, const int* columns, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += values[(long long)k * m + i] * x[columns[(long long)k * m + i]];
  y[i] = sum;
}
