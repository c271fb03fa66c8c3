#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "benchmarks/gpu/by_hand.h"

/// The rivals of arrays on GPUs: CUDA as one writes it for a row, and CUB. Launches return at once; pointers are of
/// the GPU, from cudaMalloc. C++17 without Tessera, for nvcc.
namespace tessera::bench::by_cuda {

/// a = b + factor * c; n is a multiple of 4, as below.
void triad(std::int64_t n, float factor, const float* b, const float* c, float* a);
/// y = 2 * x.
void twice(std::int64_t n, const float* x, float* y);
struct options_of_stocks {
  const float *price, *strike, *years;
  float *call, *put;
};
void black_scholes(std::int64_t n, float rate, float volatility, const options_of_stocks& all);
/// A step of Jacobi's method on n x n points, without the border.
void jacobi(std::int64_t n, const float* u, float* v);

/// cub::DeviceReduce::Sum.
class sum {
 public:
  sum(std::int64_t n, const float* x);
  /// Returns at once.
  void run() const;
  /// Waits for the last run.
  [[nodiscard]] float result() const { return total_.at(0); }

 private:
  std::int64_t n_;
  const float* x_;
  by_hand::device_floats total_{1};
  std::unique_ptr<by_hand::device_bytes> scratch_;
};

/// A matrix of numbers (`benchmarks/frame/device_numbers.h`) that is nowhere stored.
struct matrix_of_numbers {
  std::int64_t rows, columns;
  std::uint32_t seed;
  float low, high;
};
/// What results are compared with; not measured.
[[nodiscard]] std::vector<double> column_sums(const matrix_of_numbers& m);
struct moments {
  double mean, deviation, least;
};
/// Of all elements, which are above 0.
[[nodiscard]] moments moments_of(const matrix_of_numbers& m);

/// Conjugate gradients on width x height points with a five-point stencil: three kernels a step, all numbers on the
/// GPU.
class cg {
 public:
  /// `r` holds the right side, and the residual afterwards.
  cg(std::int64_t width, std::int64_t height, std::unique_ptr<by_hand::device_floats> r);
  /// `steps` steps, as many in every round, at most 100; returns the norm of the residual.
  [[nodiscard]] double round(int steps);

 private:
  void step(int k);

  std::int64_t width_, height_;
  bool begun_ = false;
  std::unique_ptr<by_hand::device_floats> r_;
  by_hand::device_floats u_, p_, q_;
  by_hand::device_array<double> products_;  // p * q and r * r of each step
};

}  // namespace tessera::bench::by_cuda
