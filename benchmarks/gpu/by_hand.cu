#include "benchmarks/gpu/by_hand.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "benchmarks/kernels/numbers.cu"

namespace tessera::bench::by_hand {
namespace {

constexpr std::int64_t copied_at_once = std::int64_t{2} << 30;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // not kept for the next row
  throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}

std::size_t unsigned_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

void wait() { check(cudaDeviceSynchronize()); }

void check_launch() { check(cudaGetLastError()); }

float number_at(std::int64_t i, std::uint32_t seed, float low, float high) {
  return low + (high - low) * number(i, seed);
}

device_bytes::device_bytes(std::int64_t bytes) : size_(bytes) { check(cudaMalloc(&data_, unsigned_of(bytes))); }
device_bytes::~device_bytes() { cudaFree(data_); }

void copy_to_host(void* to, const void* from, std::int64_t bytes) {
  check(cudaMemcpy(to, from, unsigned_of(bytes), cudaMemcpyDeviceToHost));
}
void copy_from_host(void* to, const void* from, std::int64_t bytes) {
  check(cudaMemcpy(to, from, unsigned_of(bytes), cudaMemcpyHostToDevice));
}
void clear(void* at, std::int64_t bytes) { check(cudaMemset(at, 0, unsigned_of(bytes))); }

void fill(const device_floats& out, std::uint32_t seed, float low, float high) {
  const long long n = out.size();
  numbers<<<static_cast<unsigned>((n + 255) / 256), 256>>>(n, seed, low, high - low, out.data());
  check_launch();
}

device_copies::device_copies() : from_(copied_at_once), to_(copied_at_once) { clear(from_.data(), copied_at_once); }

void device_copies::move(std::int64_t traffic) const {
  for (std::int64_t left = traffic / 2; left > 0; left -= copied_at_once)
    check(cudaMemcpyAsync(to_.data(), from_.data(), unsigned_of(std::min(left, copied_at_once)),
                          cudaMemcpyDeviceToDevice));
}

host_copies::host_copies(std::int64_t bytes, bool page_locked) : from_(bytes), page_locked_(page_locked) {
  if (page_locked)
    check(cudaMallocHost(&to_, unsigned_of(bytes)));
  else if ((to_ = std::malloc(unsigned_of(bytes))) == nullptr)
    throw std::bad_alloc();
  std::memset(to_, 0, unsigned_of(bytes));
}
host_copies::~host_copies() {
  if (page_locked_)
    cudaFreeHost(to_);
  else
    std::free(to_);
}
void host_copies::run() const { copy_to_host(to_, from_.data(), from_.size()); }
void host_copies::run_back() const { copy_from_host(from_.data(), to_, from_.size()); }

}  // namespace tessera::bench::by_hand
