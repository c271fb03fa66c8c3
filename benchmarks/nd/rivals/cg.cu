// Conjugate gradients in three kernels a step. Each adds the product that the next one needs while it has the elements.
#include <cmath>

#include "benchmarks/nd/rivals/by_cuda.h"

namespace tessera::bench::by_cuda {
namespace {

constexpr int threads = 256;
constexpr int most_steps = 100;
/// Of kernels that add to one product: enough for all processors, and few additions.
constexpr unsigned adding_blocks = 1024;

unsigned blocks(std::int64_t items) { return static_cast<unsigned>((items + threads - 1) / threads); }

/// Adds the values of all threads of the block to `total`.
__device__ void add_to(double* total, float value) {
  __shared__ float of_warp[threads / 32];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double sum = 0;
  for (float each : of_warp) sum += each;
  atomicAdd(total, sum);
}

/// The products of step k: p * q is number 2 k, r * r before it number 2 k + 1.
__global__ void begin(int steps, double* products) {
  const double rr = products[2 * steps + 1];
  for (int k = 0; k < 2 * steps + 2; ++k) products[k] = 0;
  products[1] = rr;
}

/// q = A p.
__global__ void __launch_bounds__(threads)
    apply(std::int64_t width, std::int64_t height, const float* __restrict__ p, float* __restrict__ q,
          double* products) {
  const std::int64_t x = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  float product = 0;
  for (std::int64_t y = blockIdx.y; x < width && y < height; y += gridDim.y) {
    const float* at = p + y * width + x;
    const float left = x > 0 ? at[-1] : 0, right = x + 1 < width ? at[1] : 0;
    const float above = y > 0 ? at[-width] : 0, below = y + 1 < height ? at[width] : 0;
    const float value = 4 * at[0] - above - below - left - right;
    q[y * width + x] = value;
    product += at[0] * value;
  }
  add_to(&products[0], product);
}

__global__ void __launch_bounds__(threads)
    advance(std::int64_t n, const float* __restrict__ p, const float* __restrict__ q, float* __restrict__ u,
            float* __restrict__ r, double* products) {
  const auto alpha = static_cast<float>(products[1] / products[0]);
  float product = 0;
  for (std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * threads) {
    u[i] += alpha * p[i];
    const float rest = r[i] - alpha * q[i];
    r[i] = rest;
    product += rest * rest;
  }
  add_to(&products[3], product);
}

__global__ void __launch_bounds__(threads)
    turn(std::int64_t n, const float* __restrict__ r, float* __restrict__ p, const double* products) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i < n) p[i] = r[i] + static_cast<float>(products[3] / products[1]) * p[i];
}

/// p = r, and r * r where a round expects that of the round before.
__global__ void __launch_bounds__(threads)
    prepare(std::int64_t n, const float* __restrict__ r, float* __restrict__ p, float* __restrict__ u, double* rr) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  const float value = i < n ? r[i] : 0;
  if (i < n) p[i] = value, u[i] = 0;
  add_to(rr, value * value);
}

}  // namespace

cg::cg(std::int64_t width, std::int64_t height, std::unique_ptr<by_hand::device_floats> r)
    : width_(width),
      height_(height),
      r_(std::move(r)),
      u_(width * height),
      p_(width * height),
      q_(width * height),
      products_(2 * most_steps + 2) {
  by_hand::clear(products_.data(), products_.size() * std::int64_t{sizeof(double)});
}

void cg::step(int k) {
  const std::int64_t n = width_ * height_;
  double* const products = products_.data() + 2 * k;
  const unsigned columns = blocks(width_);
  apply<<<dim3(columns, adding_blocks / columns + 1), threads>>>(width_, height_, p_.data(), q_.data(), products);
  advance<<<adding_blocks, threads>>>(n, p_.data(), q_.data(), u_.data(), r_->data(), products);
  turn<<<blocks(n), threads>>>(n, r_->data(), p_.data(), products);
  by_hand::check_launch();
}

double cg::round(int steps) {
  if (!begun_) {
    prepare<<<blocks(r_->size()), threads>>>(r_->size(), r_->data(), p_.data(), u_.data(),
                                             products_.data() + 2 * steps + 1);
    begun_ = true;
  }
  begin<<<1, 1>>>(steps, products_.data());
  for (int k = 0; k < steps; ++k) step(k);
  return std::sqrt(products_.at(2 * steps + 1));
}

}  // namespace tessera::bench::by_cuda
