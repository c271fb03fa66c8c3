#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>

/// For the sources that nvcc compiles.
namespace tessera::bench::by_hand {

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}

/// Throws if the launch before was refused.
inline void check_launch() { check(cudaGetLastError()); }

/// How many blocks of `size` threads `n` threads are.
inline unsigned blocks(std::int64_t n, int size = 256) { return static_cast<unsigned>((n + size - 1) / size); }

}  // namespace tessera::bench::by_hand
