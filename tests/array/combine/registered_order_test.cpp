#include <cmath>
#include <cstdint>

#include "tests/array/on_ranks.h"
#include "tests/array/support.h"

using namespace tessera;
using support::quiet;
using support::require;

namespace {

struct running {
  double count, mean, spread;
};

/// Mean and spread of floats, whose bits depend on the order.
std::vector<double> spread_of(context& ctx, int n) {
  const kernel k = ctx.compile(
      "struct running { double count, mean, spread; };\n"
      "__device__ void join(running& a, const running& b) {\n"
      "  if (b.count == 0) return;\n"
      "  double n = a.count + b.count, d = b.mean - a.mean;\n"
      "  a = running{n, a.mean + d * b.count / n, a.spread + b.spread + d * d * a.count * b.count / n};\n"
      "}\n"
      "__global__ void spread(int n, running* r, const float* x) {\n"
      "  if (threadIdx.x != 0) return;\n"
      "  for (int i = blockIdx.x * 16; i < blockIdx.x * 16 + 16 && i < n; ++i) join(*r, running{1, x[i], 0});\n"
      "}\n",
      "spread",
      {.annotation = "block b => read x[16*b:16*b+15], reduce(join) r",
       .reductions = {{"join", "{0, 0, 0}", "join(a, b);"}}});
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i * 31 % 97);
  auto x = ctx.from<float>({n}, values);
  auto r = ctx.zeros<running>({1});
  k.launch({.threads = {n}, .block = {16}}, n, r, x);
  const running found = r.read()[0];
  return {found.count, found.mean, found.spread};
}

/// Maps x -> factor * x + added modulo 65521: composing them is associative and not commutative.
struct linear {
  std::uint32_t factor, added;
  bool operator==(const linear&) const = default;
};

linear composed_in(context& ctx, const extents& threads, const extents& block) {
  const kernel k = ctx.compile(
      R"(
struct linear { unsigned factor, added; };
__device__ void then(linear& a, const linear& b) {
  a = linear{a.factor * b.factor % 65521u, (a.added * b.factor + b.added) % 65521u};
}
__global__ void compose(linear* all) {
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  unsigned number = blockIdx.x + gridDim.x * blockIdx.y;
  then(*all, linear{number % 100u + 2u, number % 1000u});
}
)",
      "compose",
      {.annotation = "global [i, j] => reduce(then) all", .reductions = {{"then", "{1, 0}", "then(a, b);"}}});
  auto all = ctx.zeros<linear>({1});
  k.launch({.threads = threads, .block = block}, all);
  return all.read()[0];
}

template <class Body>
void in_deterministic_mode(const char* devices, const char* memory, Body body) {
  options settings = quiet(devices);
  settings.deterministic = true;
  if (memory != nullptr) settings.device_memory = memory;
  context ctx(settings);
  body(ctx);
}

/// GPUs do not divide arrays of less than 1 MiB.
const char* const little_memory = support::on_gpu() ? "1MiB" : "32KiB";

}  // namespace

TEST_CASE("operations on floats have the same bits in deterministic mode, on any devices, ranks and memories") {
  const int n = 20000;
  std::vector<double> first;
  in_deterministic_mode("cpu", nullptr, [&](context& ctx) { first = spread_of(ctx, n); });
  CHECK(first[0] == n);
  CHECK(std::abs(first[1] - 4.8) < 0.01);
  for (const auto& [devices, memory] :
       {std::pair<const char*, const char*>{"cpu*3", nullptr}, {"cpu*5", nullptr}, {"cpu*2", little_memory}})
    in_deterministic_mode(devices, memory, [&](context& ctx) { CHECK(spread_of(ctx, n) == first); });
  const auto settings = [](int) {
    options s = quiet("cpu*2");
    s.deterministic = true;
    return s;
  };
  for (const std::string& e : support::errors_on_ranks(
           3, settings, [&](context& ctx) { require(spread_of(ctx, n) == first, "the same bits on ranks"); }))
    FAIL_CHECK(e);
}

TEST_CASE("deterministic mode keeps the order of thread blocks for operations that are only associative") {
  linear expected{1, 0};
  for (std::uint32_t number = 0; number < 70 * 9; ++number) {
    const linear b{number % 100 + 2, number % 1000};
    expected = {expected.factor * b.factor % 65521, (expected.added * b.factor + b.added) % 65521};
  }
  for (const char* devices : {"cpu", "cpu*3", "cpu*5"})
    in_deterministic_mode(devices, nullptr, [&](context& ctx) {
      CHECK(composed_in(ctx, {70 * 9 * 4, 1}, {4, 1}) == expected);
      CHECK(composed_in(ctx, {70 * 4, 9 * 2}, {4, 2}) == expected);
    });
}
