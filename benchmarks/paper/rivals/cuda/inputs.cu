#include "benchmarks/paper/kernels/inputs.cu"

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"
#include "benchmarks/paper/rivals/cuda/cuda.h"

namespace tessera::bench::paper {
namespace {

/// Numbers depend on their places alone: any matrix is filled as one row.
template <class Kernel, class T>
void fill_with(Kernel kernel, const by_hand::device_array<T>& out, std::uint32_t seed, float low, float range) {
  kernel<<<blocks_of(out.size(), 256), 256>>>(out.size(), 1, seed, low, range, out.data());
  by_hand::check_launch();
}

__global__ void fill_matrix(long long columns, long long size, unsigned int seed, float* out) {
  const long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (at < size) out[at] = block_element(at / columns, at % columns, columns, seed);
}

}  // namespace

void fill(const by_hand::device_array<float4>& out, std::uint32_t seed, float low, float high) {
  fill_with(fill_fours, out, seed, low, high - low);
}
void fill(const by_hand::device_array<int>& out, std::uint32_t seed, int high) {
  fill_with(fill_ints, out, seed, 0, static_cast<float>(high));
}
void fill_blocks(const by_hand::device_array<float>& out, std::int64_t rows, std::uint32_t seed) {
  fill_matrix<<<blocks_of(out.size(), 256), 256>>>(out.size() / rows, out.size(), seed, out.data());
  by_hand::check_launch();
}

std::unique_ptr<program> by_cuda(const std::string& name, const problem& p) {
  if (name == "md5") return cuda_md5(p);
  if (name == "nbody") return cuda_nbody(p);
  if (name == "correlator") return cuda_correlator(p);
  if (name == "kmeans") return cuda_kmeans(p);
  if (name == "hotspot") return cuda_hotspot(p);
  if (name == "gemm") return cuda_gemm(p);
  if (name == "spmv") return cuda_spmv(p);
  if (name == "black_scholes") return cuda_black_scholes(p);
  if (name == "cocluster") return cuda_cocluster(p);
  return nullptr;
}

}  // namespace tessera::bench::paper
