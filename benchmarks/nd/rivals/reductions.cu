#include <cub/device/device_reduce.cuh>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "benchmarks/nd/rivals/by_cuda.h"

namespace tessera::bench::by_cuda {
namespace {

#include "benchmarks/kernels/numbers.cu"  // by_hand.cu has the same functions

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

__device__ float element(const matrix_of_numbers& m, std::int64_t i) {
  return m.low + (m.high - m.low) * number(i, m.seed);
}

constexpr std::int64_t rows_of_block = 1024;

__global__ void column_sums_kernel(matrix_of_numbers m, double* sums) {
  const std::int64_t begin = blockIdx.x * rows_of_block;
  const std::int64_t end = begin + rows_of_block < m.rows ? begin + rows_of_block : m.rows;
  for (std::int64_t j = threadIdx.x; j < m.columns; j += blockDim.x) {
    double sum = 0;
    for (std::int64_t row = begin; row < end; ++row) sum += element(m, row * m.columns + j);
    atomicAdd(&sums[j], sum);
  }
}

/// Elements above 0 are ordered as their bits are.
__global__ void moments_kernel(matrix_of_numbers m, double* sums, int* least) {
  double sum = 0, squares = 0;
  float low = m.high;
  const std::int64_t n = m.rows * m.columns, all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += all) {
    const float x = element(m, i);
    sum += x;
    squares += static_cast<double>(x) * x;
    low = fminf(low, x);
  }
  atomicAdd(&sums[0], sum);
  atomicAdd(&sums[1], squares);
  atomicMin(least, __float_as_int(low));
}

}  // namespace

sum::sum(std::int64_t n, const float* x) : n_(n), x_(x) {
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, bytes, x_, total_.data(), n_));
  scratch_ = std::make_unique<by_hand::device_bytes>(static_cast<std::int64_t>(bytes));
}

void sum::run() const {
  auto bytes = static_cast<std::size_t>(scratch_->size());
  check(cub::DeviceReduce::Sum(scratch_->data(), bytes, x_, total_.data(), n_));
}

std::vector<double> column_sums(const matrix_of_numbers& m) {
  const by_hand::device_array<double> sums(m.columns);
  const std::int64_t bytes = m.columns * std::int64_t{sizeof(double)};
  by_hand::clear(sums.data(), bytes);
  column_sums_kernel<<<static_cast<unsigned>((m.rows + rows_of_block - 1) / rows_of_block), 128>>>(m, sums.data());
  by_hand::check_launch();
  std::vector<double> result(static_cast<std::size_t>(m.columns));
  by_hand::copy_to_host(result.data(), sums.data(), bytes);
  return result;
}

moments moments_of(const matrix_of_numbers& m) {
  const by_hand::device_array<double> sums(2);
  const by_hand::device_floats least(1);
  by_hand::clear(sums.data(), 2 * std::int64_t{sizeof(double)});
  by_hand::copy_from_host(least.data(), &m.high, sizeof(float));
  moments_kernel<<<1024, 256>>>(m, sums.data(), reinterpret_cast<int*>(least.data()));
  by_hand::check_launch();
  const auto n = static_cast<double>(m.rows * m.columns);
  const double mean = sums.at(0) / n;
  return {mean, std::sqrt(sums.at(1) / n - mean * mean), static_cast<double>(least.at(0))};
}

}  // namespace tessera::bench::by_cuda
