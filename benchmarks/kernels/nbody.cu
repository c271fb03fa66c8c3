//@tessera global i => read x, y, z, mass, write ax[i], ay[i], az[i]
__global__ void nbody(int n, const float* x, const float* y, const float* z, const float* mass, float* ax, float* ay,
                      float* az) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sx = 0, sy = 0, sz = 0;
  for (int j = 0; j < n; ++j) {
    float dx = x[j] - x[i];
    float dy = y[j] - y[i];
    float dz = z[j] - z[i];
    float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
    float pull = mass[j] * inverse * inverse * inverse;
    sx += pull * dx;
    sy += pull * dy;
    sz += pull * dz;
  }
  ax[i] = sx;
  ay[i] = sy;
  az[i] = sz;
}
