#include "benchmarks/kernels/rival.h"

// A strip of bodies stays in registers while all bodies pull at it in turn: no sum is reordered.
template <int Strip>
static inline __attribute__((always_inline)) void pull_at(long first, void* const* parameters) {
  const int n = parameter<int>(parameters, 0);
  const float* __restrict x = parameter<const float*>(parameters, 1);
  const float* __restrict y = parameter<const float*>(parameters, 2);
  const float* __restrict z = parameter<const float*>(parameters, 3);
  const float* __restrict mass = parameter<const float*>(parameters, 4);
  float here_x[Strip], here_y[Strip], here_z[Strip], sx[Strip] = {}, sy[Strip] = {}, sz[Strip] = {};
  for (int k = 0; k < Strip; ++k) {
    here_x[k] = x[first + k];
    here_y[k] = y[first + k];
    here_z[k] = z[first + k];
  }
  for (int j = 0; j < n; ++j) {
    const float there_x = x[j], there_y = y[j], there_z = z[j], there_mass = mass[j];
#pragma omp simd
    for (int k = 0; k < Strip; ++k) {
      const float dx = there_x - here_x[k];
      const float dy = there_y - here_y[k];
      const float dz = there_z - here_z[k];
      const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float pull = there_mass * inverse * inverse * inverse;
      sx[k] += pull * dx;
      sy[k] += pull * dy;
      sz[k] += pull * dz;
    }
  }
  for (int k = 0; k < Strip; ++k) {
    parameter<float*>(parameters, 5)[first + k] = sx[k];
    parameter<float*>(parameters, 6)[first + k] = sy[k];
    parameter<float*>(parameters, 7)[first + k] = sz[k];
  }
}

RIVAL {
  constexpr int strip = 16;
  for (; begin + strip <= end; begin += strip) pull_at<strip>(begin, parameters);
  for (; begin < end; ++begin) pull_at<1>(begin, parameters);
}
