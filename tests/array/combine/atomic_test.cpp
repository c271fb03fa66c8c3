#include <cstdint>
#include <random>

#include "tests/array/support.h"

using namespace tessera;
using support::quiet;

namespace {

const char* const histogram = R"(
__global__ void histogram(int n, int* bins, const int* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1);
}
)";

std::vector<int> drawn(int n, int bins, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> x(static_cast<std::size_t>(n));
  for (int& value : x) value = static_cast<int>(random() % static_cast<unsigned>(bins));
  return x;
}

/// What counting gives, from `first` on in every bin.
std::vector<int> counted_bins(const std::vector<int>& x, int bins, int first) {
  std::vector<int> result(static_cast<std::size_t>(bins), first);
  for (const int value : x) ++result[static_cast<std::size_t>(value)];
  return result;
}

}  // namespace

TEST_CASE("bins counted by atomics alone are right on any devices, small or large, as reduce and as atomic") {
  for (const char* devices : {"cpu", "cpu*2", "cpu*5"}) {
    context ctx(quiet(devices));
    const kernel replacing =
        ctx.compile(histogram, "histogram", {.annotation = "global i => read x[i], reduce(+) bins"});
    const kernel adding = ctx.compile(histogram, "histogram", {.annotation = "global i => read x[i], atomic(+) bins"});
    for (const auto& [n, bins] : {std::pair{20000, 7}, {20000, 3000}, {3000, 5000}, {100, 1}, {0, 5}}) {
      const std::vector<int> values = drawn(n, bins, static_cast<unsigned>(n + bins));
      auto x = ctx.from<int>({n}, values);
      auto first = ctx.full<int>({bins}, 10), second = ctx.full<int>({bins}, 10);
      INFO(devices, ", ", n, " values in ", bins, " bins");
      for (int times = 0; times < 2; ++times) {
        replacing.launch({.threads = {n}, .block = {64}}, n, first, x);
        adding.launch({.threads = {n}, .block = {64}}, n, second, x);
      }
      std::vector<int> twice = counted_bins(values, bins, 0);
      for (int& count : twice) count = 10 + 2 * count;
      CHECK(first.read() == counted_bins(values, bins, n == 0 ? 10 : 0));
      CHECK(second.read() == twice);
    }
  }
}

TEST_CASE("results by atomics stand beside results that every thread block stores") {
  context ctx(quiet("cpu*3"));
  const kernel k = ctx.compile(R"(
__global__ void both(int n, int* sum, int* most, const int* x) {
  __shared__ int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { atomicAdd(&part, x[i]); atomicMax(&most[i % 4], x[i]); }
  __syncthreads();
  if (threadIdx.x == 0) sum[0] = part;
}
)",
                               "both", {.annotation = "global i => read x[i], reduce(+) sum, reduce(max) most"});
  const int n = 5000;
  const std::vector<int> values = drawn(n, 1000, 3);
  auto x = ctx.from<int>({n}, values);
  auto sum = ctx.zeros<int>({1}), most = ctx.zeros<int>({4});
  k.launch({.threads = {n}, .block = {96}}, n, sum, most, x);
  std::vector<int> expected(4, 0);
  for (std::size_t i = 0; i < values.size(); ++i) expected[i % 4] = std::max(expected[i % 4], values[i]);
  CHECK(sum.read()[0] == std::accumulate(values.begin(), values.end(), 0));
  CHECK(most.read() == expected);
}

TEST_CASE("sums of floats by atomics keep their bits where these are asked for") {
  std::vector<float> results;
  for (const char* devices : {"cpu", "cpu*2", "cpu*3"}) {
    options settings = quiet(devices);
    settings.deterministic = true;
    context ctx(settings);
    const kernel k = ctx.compile(
        "__global__ void sum(int n, float* s, const float* x) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n && threadIdx.x == 0) atomicAdd(s, x[i]); }\n",
        "sum", {.annotation = "global i => read x[i], reduce(+) s"});
    std::vector<float> values(10000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i % 97);
    auto x = ctx.from<float>({10000}, values);
    auto s = ctx.zeros<float>({1});
    k.launch({.threads = {10000}, .block = {16}}, 10000, s, x);
    results.push_back(s.read()[0]);
  }
  CHECK(results == std::vector<float>(3, results[0]));
}
