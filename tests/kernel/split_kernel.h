#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/kernel/cpu_kernel.h"

/// Kernels that are run cut at their barriers and on fibers.
namespace tessera::support {

using kernels::kernel_text;
using kernels::tier;

inline constexpr int blocks = 3, words = 8;  // of the grid; of the result, per thread

/// The body of `k(int n, const int* in, int* out)`. There is `t`, the number of the thread in the block, `T`, how many
/// there are, `i` in the grid, and `result(k)`, a place of its own.
inline std::string with(const std::string& body, const std::string& before = {}) {
  return before + "\n#define result(k) out[(long long)i * " + std::to_string(words) + " + (k)]\n" + R"(
__global__ void k(int n, const int* in, int* out) {
  const unsigned T = blockDim.x * blockDim.y * blockDim.z;
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int i = blockIdx.x * T + t;
)" + body +
         "\n}\n";
}

inline std::vector<int> run(const kernel_text& text, tier form, const extents& block, const std::string& compiler,
                            int n) {
  std::int64_t threads = 1;
  for (int a = 0; a < block.rank(); ++a) threads *= block[a];
  const std::vector<int> in = numbers<int>(static_cast<std::size_t>(threads) * blocks + 64, -100, 100);
  std::vector<int> out(static_cast<std::size_t>(threads * blocks * words), -7);
  const int* from = in.data();
  int* to = out.data();
  cpu_kernel(text, form, block, compiler).run({blocks}, {&n, &from, &to}, 8192);
  return out;
}

/// Runs a kernel that must be cut, and requires the results of its fibers.
inline void same_as_fibers(const std::string& source) {
  CAPTURE(source);
  const kernel_text text = kernels::parse_kernel(source, "kernel.cu");
  REQUIRE(text.features.unsplit == "");
  REQUIRE(kernels::choose_tier(text.features) == tier::split);
  REQUIRE(kernels::make_cpu_source(text, {tier::split, {32}}) != kernels::make_cpu_source(text, {tier::fiber, {32}}));
  for (const std::string& compiler : compilers())
    for (const extents& block : {extents{64}, extents{8, 3, 2}, extents{1}})
      for (const int n : {0, 1, 5, 100}) {
        CAPTURE(compiler);
        CAPTURE(to_string(block));
        CAPTURE(n);
        REQUIRE(run(text, tier::split, block, compiler, n) == run(text, tier::fiber, block, compiler, n));
      }
}

}  // namespace tessera::support
