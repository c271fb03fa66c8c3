#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>

#include "benchmarks/gpu/patterns/by_hand.h"
#include "benchmarks/gpu/patterns/check.h"

namespace tessera::bench::by_hand {

namespace kernels {
#include "benchmarks/kernels/axpy.cu"
#include "benchmarks/kernels/reductions.cu"
}  // namespace kernels

namespace {

template <class T>
void clear(T* results, std::size_t n) {
  check(cudaMemsetAsync(results, 0, n * sizeof(T)));
}

/// Calls an algorithm of the library with memory that is allocated once.
template <class Algorithm>
void with_workspace(const Algorithm& algorithm) {
  static const memory workspace(std::size_t{16} << 20);
  std::size_t needed = 0;
  check(algorithm(nullptr, needed));
  if (needed > workspace.size()) throw std::runtime_error("CUB: the workspace is too small");
  check(algorithm(workspace.as<void>(), needed));
}

}  // namespace

void total(int n, const float* x, float* sum) {
  clear(sum, 1);
  kernels::total<<<blocks(n), 256>>>(n, x, sum);
  check_launch();
}

void row_sums(int width, int height, const float* m, float* sums) {
  clear(sums, height);
  kernels::row_sums<<<dim3(blocks(width), height), 256>>>(width, height, m, sums);
  check_launch();
}

void column_sums(int width, int height, const float* m, float* sums) {
  clear(sums, width);
  kernels::column_sums<<<dim3(blocks(width), blocks(height, 64)), 256>>>(width, height, m, sums);
  check_launch();
}

void shared_histogram(int n, const int* x, unsigned* bins) {
  clear(bins, 256);
  kernels::shared_histogram<<<blocks(n, 4096), 256>>>(n, x, bins);
  check_launch();
}

void scatter_add(int n, int bins, const int* at, const float* values, float* y) {
  clear(y, bins);
  kernels::scatter_add<<<blocks(n), 256>>>(n, at, values, y);
  check_launch();
}

void cub_total(int n, const float* x, float* sum) {
  with_workspace([&](void* room, std::size_t& bytes) { return cub::DeviceReduce::Sum(room, bytes, x, sum, n); });
}

void cub_histogram(int n, const int* x, unsigned* bins) {
  with_workspace([&](void* room, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(room, bytes, x, bins, 257, 0, 256, n);
  });
}

float axpy_and_dot(int n, float a, const float* x, float* y, float* sum) {
  kernels::axpy<<<blocks(n), 256>>>(n, a, x, y);
  clear(sum, 1);
  kernels::dot<<<blocks(n), 256>>>(n, x, y, sum);
  check_launch();
  return read_element(sum);
}

}  // namespace tessera::bench::by_hand
