#include <cmath>
#include <cstdint>
#include <utility>

#include "benchmarks/gpu/patterns/by_hand.h"
#include "benchmarks/gpu/patterns/check.h"

namespace tessera::bench::by_hand {

namespace kernels {
#include "examples/17_conjugate_gradient.cu"

// As in the example, with scalars that are on the GPU.
__global__ void advance_by(int width, int height, float* u, float* r, const float* p, const float* q, const double* rr,
                           const double* pq) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  float alpha = (float)(*rr / *pq);
  u[i] += alpha * p[i];
  r[i] -= alpha * q[i];
}

__global__ void turn_by(int width, int height, float* p, const float* r, const double* rr, const double* before) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  float beta = (float)(*rr / *before);
  p[i] = r[i] + beta * p[i];
}

// A block of 256 threads adds up its products first.
__global__ void dot_per_block(int width, int height, const float* a, const float* b, double* sum) {
  __shared__ double parts[8];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  double v = x < width && y < height ? (double)a[y * width + x] * b[y * width + x] : 0.0;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  v = threadIdx.x < 8 ? parts[threadIdx.x] : 0.0;
  for (int offset = 4; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x == 0) atomicAdd(sum, v);
}

__global__ void set(long long n, float* y, const float* x) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}
__global__ void add(long long n, float* y, const float* x) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}
__global__ void set_ones(long long n, float* y) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}
__global__ void add_one(int n, float* y, const float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}
}  // namespace kernels

namespace {

class hand_solver final : public solver {
 public:
  hand_solver(int width, int height, const std::vector<float>& right_side, bool per_block)
      : width_(width), height_(height), grid_(blocks(width), height), per_block_(per_block), bytes_(right_side.size() * 4) {
    u_.clear();
    r_.write(right_side.data());
    p_.write(right_side.data());
    check(cudaMallocHost(&residual_, sizeof(double)));
    product(r_, r_, rr_);
  }
  ~hand_solver() override { cudaFreeHost(residual_); }

  double round(int steps) override {
    for (int k = 0; k < steps; ++k) step();
    check_launch();
    check(cudaMemcpyAsync(residual_, rr_, sizeof(double), cudaMemcpyDeviceToHost));
    check(cudaStreamSynchronize(nullptr));
    return std::sqrt(*residual_);
  }

 private:
  void step() {
    kernels::apply<<<grid_, 256>>>(width_, height_, q_.as<float>(), p_.as<float>());
    product(p_, q_, pq_);
    kernels::advance_by<<<grid_, 256>>>(width_, height_, u_.as<float>(), r_.as<float>(), p_.as<float>(), q_.as<float>(),
                                        rr_, pq_);
    std::swap(rr_, before_);
    product(r_, r_, rr_);
    kernels::turn_by<<<grid_, 256>>>(width_, height_, p_.as<float>(), r_.as<float>(), rr_, before_);
  }
  void product(const memory& a, const memory& b, double* sum) {
    check(cudaMemsetAsync(sum, 0, sizeof(double)));
    const auto dot = per_block_ ? kernels::dot_per_block : kernels::dot;
    dot<<<grid_, 256>>>(width_, height_, a.as<float>(), b.as<float>(), sum);
  }

  int width_, height_;
  dim3 grid_;
  bool per_block_;
  std::size_t bytes_;
  memory u_{bytes_}, r_{bytes_}, p_{bytes_}, q_{bytes_}, scalars_{3 * sizeof(double)};
  double *rr_ = scalars_.as<double>(), *before_ = rr_ + 1, *pq_ = rr_ + 2;
  double* residual_ = nullptr;  // page-locked
};

/// Memory that is given back to the pool stays there, also over waits.
void keep_pool() {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t all = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

}  // namespace

std::unique_ptr<solver> make_solver(int width, int height, const std::vector<float>& right_side, bool per_block) {
  return std::make_unique<hand_solver>(width, height, right_side, per_block);
}

void steps_with_temporary(std::int64_t steps, std::int64_t n, float* sum) {
  static const bool kept = (keep_pool(), true);
  (void)kept;
  for (std::int64_t k = 0; k < steps; ++k) {
    void* temporary = nullptr;
    check(cudaMallocAsync(&temporary, static_cast<std::size_t>(n) * sizeof(float), nullptr));
    kernels::set<<<blocks(n), 256>>>(n, static_cast<float*>(temporary), sum);
    kernels::add<<<blocks(n), 256>>>(n, sum, static_cast<float*>(temporary));
    check(cudaFreeAsync(temporary, nullptr));
  }
  check_launch();
  wait();
}

void set_ones(std::int64_t n, float* y) {
  kernels::set_ones<<<blocks(n), 256>>>(n, y);
  check_launch();
}
void add_one(int n, float* y, const float* x) {
  kernels::add_one<<<blocks(n), 256>>>(n, y, x);
  check_launch();
}

}  // namespace tessera::bench::by_hand
