// Four elements per thread: side by side where each stands alone, below each other in stencils.
#include "benchmarks/algo/rivals/by_cuda.h"

namespace tessera::bench::by_cuda {
namespace {

constexpr int threads = 256;

unsigned blocks(std::int64_t items, int per_block) { return static_cast<unsigned>((items + per_block - 1) / per_block); }

__global__ void __launch_bounds__(threads)
    map3_kernel(std::int64_t quads, float a, const float4* __restrict__ x, const float4* __restrict__ y,
                const float4* __restrict__ z, float4* __restrict__ out) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= quads) return;
  const float4 u = x[i], v = y[i], w = z[i];
  out[i] = make_float4(a * u.x + v.x * w.x, a * u.y + v.y * w.y, a * u.z + v.z * w.z, a * u.w + v.w * w.w);
}

constexpr int rows_of_thread = 4;

__global__ void __launch_bounds__(threads)
    heat_2d_kernel(std::int64_t rows, std::int64_t columns, const float* __restrict__ from, float* __restrict__ to) {
  const std::int64_t j = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  const std::int64_t first = blockIdx.y * std::int64_t{rows_of_thread};
  if (j >= columns) return;
  const std::int64_t left = j > 0 ? -1 : 0, right = j + 1 < columns ? 1 : 0;
  const float* at = from + first * columns + j;
  float here = at[0], above = first > 0 ? at[-columns] : here;
#pragma unroll
  for (int k = 0; k < rows_of_thread; ++k, at += columns) {
    const std::int64_t row = first + k;
    if (row >= rows) return;
    const float below = row + 1 < rows ? at[columns] : here;
    to[row * columns + j] = 0.25f * (above + below + at[left] + at[right]);
    above = here;
    here = below;
  }
}

/// A thread goes through planes, of which three are in its registers.
constexpr int planes_of_thread = 16;

__global__ void __launch_bounds__(threads)
    heat_3d_kernel(std::int64_t planes, std::int64_t rows, std::int64_t columns, const float* __restrict__ from,
                   float* __restrict__ to) {
  const std::int64_t j = blockIdx.x * std::int64_t{threads / 4} + threadIdx.x;
  const std::int64_t i = blockIdx.y * std::int64_t{4} + threadIdx.y;
  const std::int64_t first = blockIdx.z * std::int64_t{planes_of_thread}, plane = rows * columns;
  if (j >= columns || i >= rows) return;
  const std::int64_t left = j > 0 ? -1 : 0, right = j + 1 < columns ? 1 : 0;
  const std::int64_t up = i > 0 ? -columns : 0, down = i + 1 < rows ? columns : 0;
  const float* at = from + first * plane + i * columns + j;
  float here = at[0], before = first > 0 ? at[-plane] : here;
#pragma unroll 4
  for (int k = 0; k < planes_of_thread; ++k, at += plane) {
    if (first + k >= planes) return;
    const float behind = first + k + 1 < planes ? at[plane] : here;
    to[at - from] = (before + behind + at[up] + at[down] + at[left] + at[right]) * (1.0f / 6.0f);
    before = here;
    here = behind;
  }
}

const float4* quads(const float* x) { return reinterpret_cast<const float4*>(x); }

}  // namespace

void map3(std::int64_t n, float factor, const float* x, const float* y, const float* z, float* out) {
  map3_kernel<<<blocks(n / 4, threads), threads>>>(n / 4, factor, quads(x), quads(y), quads(z),
                                                   reinterpret_cast<float4*>(out));
  by_hand::check_launch();
}

void heat_2d(std::int64_t rows, std::int64_t columns, const float* from, float* to) {
  const dim3 grid(blocks(columns, threads), blocks(rows, rows_of_thread));
  heat_2d_kernel<<<grid, threads>>>(rows, columns, from, to);
  by_hand::check_launch();
}

void heat_3d(std::int64_t planes, std::int64_t rows, std::int64_t columns, const float* from, float* to) {
  const dim3 grid(blocks(columns, threads / 4), blocks(rows, 4), blocks(planes, planes_of_thread));
  heat_3d_kernel<<<grid, dim3(threads / 4, 4)>>>(planes, rows, columns, from, to);
  by_hand::check_launch();
}

}  // namespace tessera::bench::by_cuda
