#include <utility>

#include "benchmarks/gpu/patterns/by_hand.h"
#include "benchmarks/gpu/patterns/check.h"

namespace tessera::bench::by_hand {

namespace kernels {
#include "benchmarks/kernels/fill.cu"
}  // namespace kernels

memory::memory(std::size_t bytes) : bytes_(bytes) { check(cudaMalloc(&data_, bytes)); }
memory::~memory() { cudaFree(data_); }
memory::memory(memory&& other) noexcept : bytes_(other.bytes_), data_(std::exchange(other.data_, nullptr)) {}

void memory::clear() const { check(cudaMemsetAsync(data_, 0, bytes_)); }
void memory::write(const void* from) const { check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice)); }
std::vector<std::byte> memory::read() const {
  std::vector<std::byte> bytes(bytes_);
  check(cudaMemcpy(bytes.data(), data_, bytes_, cudaMemcpyDeviceToHost));
  return bytes;
}

void wait() { check(cudaDeviceSynchronize()); }

void fill_floats(std::int64_t n, unsigned seed, float* x) {
  kernels::fill_floats<<<blocks(n), 256>>>(n, seed, x);
  check_launch();
}
void fill_ints(std::int64_t n, unsigned seed, int below, int* x) {
  kernels::fill_ints<<<blocks(n), 256>>>(n, seed, below, x);
  check_launch();
}

void write_element(float* to, float value) { check(cudaMemcpy(to, &value, sizeof value, cudaMemcpyHostToDevice)); }
float read_element(const float* from) {
  float value = 0;
  check(cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

}  // namespace tessera::bench::by_hand
