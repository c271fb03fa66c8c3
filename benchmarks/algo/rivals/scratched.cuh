#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "benchmarks/algo/rivals/by_cuda.h"

namespace tessera::bench::by_cuda {

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// `call(scratch, bytes)` is a function of CUB with its arguments.
template <class Call>
class scratched final : public cub_call {
 public:
  explicit scratched(Call call) : call_(std::move(call)) {
    check(call_(nullptr, bytes_));
    scratch_ = std::make_unique<by_hand::device_bytes>(static_cast<std::int64_t>(bytes_));
  }
  void run() override { check(call_(scratch_->data(), bytes_)); }

 private:
  Call call_;
  std::size_t bytes_ = 0;
  std::unique_ptr<by_hand::device_bytes> scratch_;
};

template <class Call>
std::unique_ptr<cub_call> with_scratch(Call call) {
  return std::make_unique<scratched<Call>>(std::move(call));
}

}  // namespace tessera::bench::by_cuda
