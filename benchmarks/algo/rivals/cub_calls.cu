#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>

#include "benchmarks/algo/rivals/scratched.cuh"

namespace tessera::bench::by_cuda {
namespace {

struct farther {
  __host__ __device__ float operator()(float a, float b) const { return fabsf(a) < fabsf(b) ? b : a; }
};

struct product_at {
  const float* x;
  const float* y;
  __host__ __device__ float operator()(std::int64_t i) const { return x[i] * y[i]; }
};

}  // namespace

std::unique_ptr<cub_call> cub_sum(std::int64_t n, const float* x, float* out) {
  return with_scratch([=](void* scratch, std::size_t& bytes) { return cub::DeviceReduce::Sum(scratch, bytes, x, out, n); });
}

std::unique_ptr<cub_call> cub_farthest(std::int64_t n, const float* x, float* out) {
  return with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(scratch, bytes, x, out, n, farther{}, 0.0f);
  });
}

std::unique_ptr<cub_call> cub_dot(std::int64_t n, const float* x, const float* y, float* out) {
  return with_scratch([=](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(scratch, bytes, thrust::counting_iterator<std::int64_t>(0), out, n,
                                              ::cuda::std::plus<>{}, product_at{x, y}, 0.0f);
  });
}

std::unique_ptr<cub_call> cub_scan(std::int64_t n, const float* x, float* out) {
  return with_scratch(
      [=](void* scratch, std::size_t& bytes) { return cub::DeviceScan::InclusiveSum(scratch, bytes, x, out, n); });
}

}  // namespace tessera::bench::by_cuda
