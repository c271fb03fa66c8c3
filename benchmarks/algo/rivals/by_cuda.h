#pragma once

#include <cstdint>
#include <memory>

#include "benchmarks/gpu/by_hand.h"

/// The rivals of skeletons on GPUs: CUDA as one writes it for a row, and CUB. Launches return at once; pointers are of
/// the GPU, from cudaMalloc. C++17 without Tessera, for nvcc.
namespace tessera::bench::by_cuda {

/// out = factor * x + y * z; n is a multiple of 4.
void map3(std::int64_t n, float factor, const float* x, const float* y, const float* z, float* out);
/// The mean of four neighbours; those that do not exist are the element beside.
void heat_2d(std::int64_t rows, std::int64_t columns, const float* from, float* to);
/// The mean of six neighbours.
void heat_3d(std::int64_t planes, std::int64_t rows, std::int64_t columns, const float* from, float* to);

/// An algorithm of CUB with its scratch memory.
class cub_call {
 public:
  virtual ~cub_call() = default;
  /// Returns at once.
  virtual void run() = 0;
};

/// Into one element at `out`.
[[nodiscard]] std::unique_ptr<cub_call> cub_sum(std::int64_t n, const float* x, float* out);
/// The element that is farthest from 0, by an operator of the program.
[[nodiscard]] std::unique_ptr<cub_call> cub_farthest(std::int64_t n, const float* x, float* out);
[[nodiscard]] std::unique_ptr<cub_call> cub_dot(std::int64_t n, const float* x, const float* y, float* out);
[[nodiscard]] std::unique_ptr<cub_call> cub_scan(std::int64_t n, const float* x, float* out);

}  // namespace tessera::bench::by_cuda
