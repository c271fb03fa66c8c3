#include <doctest/doctest.h>

#include "tests/kernel/split_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Of reductions by shuffles only what somebody reads is computed, and that is what fibers compute.
namespace {

struct saving {
  std::size_t halves;  ///< Loops that half of a warp does.
  bool some_warps;     ///< Some run is left to the warps whose values are read.
};

void saves(const std::string& source, saving expected) {
  CAPTURE(source);
  const std::string all = make_cpu_source(parse_kernel(source, "kernel.cu"), {tier::split, {64}});
  const std::string text = all.substr(all.find("#line 1 \"kernel.cu\""));
  std::size_t halves = 0;
  for (std::size_t at = text.find("half_exchange<"); at != std::string::npos; at = text.find("half_exchange<", at + 1))
    ++halves;
  CHECK(halves == expected.halves);
  CHECK((text.find("if (!__tessera::of_warp(") != std::string::npos) == expected.some_warps);
  same_as_fibers(source);
}

std::string block_sum(const std::string& type, const std::string& step = "o /= 2") {
  return "__device__ " + type + " tree(" + type + " v) {\n  for (int o = 16; o > 0; " + step +
         ") v += __shfl_down_sync(0xffffffffu, v, o);\n  return v;\n}\n__device__ " + type + " total(" + type +
         " v) {\n  __shared__ " + type + R"( parts[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = tree(v);
  __syncthreads();
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? parts[lane] : ()" +
         type + R"()0;
  if (warp == 0) v = tree(v);
  return v;
}
)";
}

/// A warp's sum in `v`, and what is done then.
std::string after_sum(const std::string& rest, const std::string& head = "int o = 16; o > 0; o /= 2") {
  return with("  __shared__ int s[64];\n  const int lane = threadIdx.x % 32;\n  int v = in[i], w = 0;\n  for (" + head +
              ") v += __shfl_down_sync(~0u, v, o);\n" + rest);
}

}  // namespace

TEST_CASE("a block's sum is computed by half warps, and in the end by one warp") {
  for (const char* type : {"float", "long long"})
    saves(
        with("  const auto v = total((" + std::string(type) + ")in[i]);\n  if (threadIdx.x == 0) out[i * 8] = (int)v;",
             block_sum(type)),
        {2, true});
  saves(with("  int v = total(in[i]);\n  if (threadIdx.x == 0) result(0) = v;\n  if (threadIdx.x == 0) result(1) = v;",
             block_sum("int", "o >>= 1")),
        {2, true});
}

TEST_CASE("what other threads read of a sum is computed for them") {
  saves(with("  int v = total(in[i]);\n  result(0) = v;", block_sum("int")), {1, false});
  saves(with("  int v = total(in[i]);\n  if (threadIdx.x < 40) result(0) = v;", block_sum("int")), {1, true});
  saves(with("  int v = total(in[i]);\n  if (threadIdx.x == 0) result(0) = v;\n  if (threadIdx.x == 33) result(1) = v;",
             block_sum("int")),
        {1, false});
  saves(with("  int v = 0;\n  for (int k = 0; k < 3; ++k) {\n    result(k) = v;\n    v = total(in[i] + k);\n  }\n"
             "  if (threadIdx.x == 0) result(7) = v;",
             block_sum("int")),
        {0, false});
  saves(after_sum("  if (lane == 0) result(0) = v;"), {1, false});
  saves(after_sum("  if (lane == 1) result(0) = v;"), {0, false});
  saves(after_sum("  if (lane == 0) { result(0) = v; } else { result(1) = v; }"), {0, false});
  saves(after_sum("  result(0) = __shfl_sync(~0u, v, 0);"), {0, false});
  saves(after_sum("  w = v * 2;\n  if (lane == 0) result(0) = w;"), {1, false});
  saves(after_sum("  __syncthreads();\n  w = v * 2;\n  if (lane == 0) result(0) = w;"), {1, false});
  saves(after_sum("  for (int k = 0; k < 3; ++k) {\n    result(k) = w;\n    w = v;\n    __syncthreads();\n  }"),
        {0, false});
  saves(after_sum("  w = v * 2;\n  s[t] = w;\n  __syncthreads();\n  result(0) = s[(t + 1) % T];"), {0, false});
}

TEST_CASE("a variable that all threads set again does not need its sum, if they do") {
  saves(after_sum("  if (lane == 0) result(0) = v;\n  __syncthreads();\n  v = t;\n  result(1) = v;"), {1, false});
  saves(after_sum("  if (lane == 0) result(0) = v;\n  __syncthreads();\n  v = v + t;\n  result(1) = v;"), {0, false});
  saves(after_sum("  if (n > 1) {\n    v = t;\n    __syncthreads();\n  }\n  result(1) = v;"), {0, false});
  saves(after_sum("  if (threadIdx.x < 7) v = t;\n  __syncthreads();\n  result(1) = v;"), {0, false});
}

TEST_CASE("loops that halve in another way are left to whole warps") {
  const std::string rest = "  if (lane == 0) result(0) = v;";
  saves(after_sum(rest, "int o = 8; o >= 1; o >>= 1"), {1, false});
  saves(after_sum(rest, "unsigned o = warpSize / 2; o != 0; o /= 2"), {1, false});
  saves(after_sum(rest, "int o = 1; o < 32; o *= 2"), {0, false});
  saves(after_sum(rest, "int o = 24; o > 0; o /= 2"), {0, false});
  saves(after_sum(rest, "int o = 16; o > 0; o /= 4"), {0, false});
  saves(after_sum(rest, "int o = 16; o > 0; o -= 5"), {0, false});
}

TEST_CASE("what a warp does besides computing is done, whichever lanes read the sum") {
  const std::string head = "  int v = in[i];\n  ";
  const std::string rest =
      "  v = __shfl_xor_sync(~0u, v, 3) + 1;\n  __syncthreads();\n  if (threadIdx.x == 0) result(0) = v;";
  saves(with(head + "v += 2;\n" + rest), {0, true});
  saves(with(head + "out[i * 8 + 2] = v;\n" + rest), {0, false});
  saves(with(head + "atomicAdd(&out[i * 8 + 2], v);\n" + rest), {0, false});
  saves(with(head + "int k = 0;\n  *(out + i * 8 + 2) = k++;\n" + rest), {0, false});
}
