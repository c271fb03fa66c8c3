// Kernels with `reduce(+)`, against the same kernels and NVIDIA's library.
#include <cmath>

#include "benchmarks/gpu/gpu_benchmarks.h"
#include "benchmarks/gpu/patterns/gpu_case.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

using arrays = std::vector<array_base>;
using memories = std::vector<by_hand::memory>;

constexpr const char *file = "reductions.cu", *same = "CUDA, the same kernel: atomicAdd per block", *cub = "CUB";
constexpr float of_sums = 1e-3F;

gpu_case total(int n, std::optional<double> target) {
  return {.file = file,
          .function = "total",
          .arrays = {numbers({n}), result_of<float>({1})},
          .ours = [=](const kernel& k, const arrays& a) { k.launch({.threads = {n}}, n, a[0], a[1]); },
          .rival = [=](const memories& m) { by_hand::total(n, m[0].as<float>(), m[1].as<float>()); },
          .target = target,
          .rival_name = same,
          .tolerance = of_sums};
}

gpu_case total_against_library(int n) {
  gpu_case c = total(n, std::nullopt);
  c.rival = [=](const memories& m) { by_hand::cub_total(n, m[0].as<float>(), m[1].as<float>()); };
  c.rival_name = cub;
  return c;
}

gpu_case row_sums(int side, double target) {
  return {.file = file,
          .function = "row_sums",
          .arrays = {numbers({side, side}), result_of<float>({side})},
          .ours =
              [=](const kernel& k, const arrays& a) {
                k.launch({.threads = {side, side}}, side, side, a[0], a[1]);
              },
          .rival = [=](const memories& m) { by_hand::row_sums(side, side, m[0].as<float>(), m[1].as<float>()); },
          .target = target,
          .rival_name = same,
          .tolerance = of_sums};
}

gpu_case column_sums(int side, double target) {
  return {.file = file,
          .function = "column_sums",
          .arrays = {numbers({side, side}), result_of<float>({side})},
          .ours =
              [=](const kernel& k, const arrays& a) {
                k.launch({.threads = {side, side / 64}}, side, side, a[0], a[1]);
              },
          .rival = [=](const memories& m) { by_hand::column_sums(side, side, m[0].as<float>(), m[1].as<float>()); },
          .target = target,
          .rival_name = "CUDA, the same kernel: atomicAdd per 64 rows",
          .tolerance = of_sums};
}

gpu_case shared_histogram(int n, std::optional<double> target) {
  return {.file = file,
          .function = "shared_histogram",
          .arrays = {drawn(n, 256), result_of<unsigned>({256})},
          .ours = [=](const kernel& k, const arrays& a) { k.launch({.grid = {n / 4096}}, n, a[0], a[1]); },
          .rival = [=](const memories& m) { by_hand::shared_histogram(n, m[0].as<int>(), m[1].as<unsigned>()); },
          .target = target,
          .rival_name = same};
}

gpu_case histogram_against_library(int n) {
  gpu_case c = shared_histogram(n, std::nullopt);
  c.rival = [=](const memories& m) { by_hand::cub_histogram(n, m[0].as<int>(), m[1].as<unsigned>()); };
  c.rival_name = cub;
  return c;
}

gpu_case scatter_add(int n, double target) {
  constexpr int bins = 1'000'000;
  return {
      .file = file,
      .function = "scatter_add",
      .arrays = {drawn(n, bins), numbers({n}), result_of<float>({bins})},
      .ours = [=](const kernel& k, const arrays& a) { k.launch({.threads = {n}}, n, a[0], a[1], a[2]); },
      .rival =
          [=](const memories& m) { by_hand::scatter_add(n, bins, m[0].as<int>(), m[1].as<float>(), m[2].as<float>()); },
      .target = target,
      .rival_name = "CUDA, the same kernel: atomicAdd per value",
      .tolerance = of_sums};
}

}  // namespace

std::vector<benchmark> gpu_reduction_benchmarks() {
  std::vector<benchmark> all;
  const auto add = [&](const char* name, int power, std::function<gpu_case()> make) {
    all.push_back(row_of(cat("patterns.reduce.", name, ".2^", power), std::move(make)));
  };
  for (const int power : {20, 24, 28}) {
    const int n = 1 << power, side = 1 << (power / 2);
    const double target = power == 20 ? 0.5 : 0.95;
    add("block_sum", power, [=] { return total(n, target); });
    add("row_sums", power, [=] { return row_sums(side, target); });
    add("column_sums", power, [=] { return column_sums(side, target); });
    add("shared_histogram", power, [=] { return shared_histogram(n, target); });
    add("scatter_add", power, [=] { return scatter_add(n, target); });
  }
  add("block_sum", 30, [] { return total(1 << 30, 0.95); });
  add("block_sum.cub", 28, [] { return total_against_library(1 << 28); });
  add("shared_histogram.cub", 28, [] { return histogram_against_library(1 << 28); });
  return all;
}

}  // namespace tessera::bench
