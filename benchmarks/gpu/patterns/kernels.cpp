// Common forms of kernels, against the same kernels launched by hand: threads that meet in warps and at barriers,
// histograms, loops over the grid's stride, indices of 64 bits, loops within a thread.
#include "benchmarks/frame/inputs.h"
#include "benchmarks/gpu/gpu_benchmarks.h"
#include "benchmarks/gpu/patterns/gpu_case.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

using arrays = std::vector<array_base>;
using memories = std::vector<by_hand::memory>;

constexpr double target = 0.95;
constexpr int many = 1 << 26, rows = 1 << 16, width = 1 << 10;

/// One array to another, with a kernel whose first argument is `n`.
gpu_case one_to_one(const std::string& name, const extents& in, const extents& out, int n, const launch_options& each,
                    std::function<void(const float* x, float* y)> rival) {
  return {.file = name + ".cu",
          .function = name,
          .arrays = {numbers(in), result_of<float>(out)},
          .ours = [=](const kernel& k, const arrays& a) { k.launch(each, n, a[0], a[1]); },
          .rival = [=](const memories& m) { rival(m[0].as<float>(), m[1].as<float>()); },
          .target = target};
}

gpu_case shuffle_sum() {
  constexpr int n = 1 << 28;
  return one_to_one("shuffle_sum", {n}, {n / 256}, n, {.threads = {n}},
                    [](const float* x, float* y) { by_hand::shuffle_sum(n, x, y); });
}
gpu_case layernorm() {
  return one_to_one("layernorm", {rows, width}, {rows, width}, width, {.grid = {rows}},
                    [](const float* x, float* y) { by_hand::layernorm(rows, width, x, y); });
}
gpu_case softmax() {
  return one_to_one("softmax", {rows, width}, {rows, width}, width, {.grid = {rows}},
                    [](const float* x, float* y) { by_hand::softmax(rows, width, x, y); });
}
gpu_case warp_rows() {
  constexpr int count = 1 << 20, length = 256;
  return {.file = "warp_rows.cu",
          .function = "warp_rows",
          .arrays = {numbers({count, length}), numbers({length}), result_of<float>({count})},
          .ours = [=](const kernel& k, const arrays& a) { k.launch({.grid = {count / 8}}, length, a[0], a[1], a[2]); },
          .rival =
              [](const memories& m) {
                by_hand::warp_rows(count, length, m[0].as<float>(), m[1].as<float>(), m[2].as<float>());
              },
          .target = target};
}

gpu_case block_tile() {
  constexpr int side = 1 << 14;
  return one_to_one("block_tile", {side, side}, {side, side}, side, {.threads = {side, side}, .block = {16, 16}},
                    [](const float* x, float* y) { by_hand::block_tile(side, x, y); });
}
gpu_case block_scan() {
  return one_to_one("block_scan", {many}, {many}, many, {.threads = {many}},
                    [](const float* x, float* y) { by_hand::block_scan(many, x, y); });
}
gpu_case block_sort() {
  constexpr int n = 1 << 25;
  return one_to_one("block_sort", {n}, {n}, n, {.threads = {n}},
                    [](const float* x, float* y) { by_hand::block_sort(n, x, y); });
}
gpu_case block_histogram() {
  constexpr int each = 4096, blocks = many / each;
  return one_to_one("block_histogram", {many}, {std::int64_t{blocks} * 256}, each, {.grid = {blocks}},
                    [](const float* x, float* y) { by_hand::block_histogram(blocks, each, x, y); });
}

gpu_case histogram(int bins, const std::string& frequencies) {
  constexpr int n = 1 << 24;
  return {.file = "histogram.cu",
          .function = "histogram",
          .arrays = {given(bin_numbers(n, bins, frequencies)), result_of<unsigned>({bins})},
          .ours = [=](const kernel& k, const arrays& a) { k.launch({.threads = {n}}, n, a[0], a[1]); },
          .rival = [](const memories& m) { by_hand::histogram(n, m[0].as<int>(), m[1].as<unsigned>()); },
          .target = target};
}

gpu_case grid_stride() {
  constexpr int blocks = 1024;
  return {
      .file = "grid_stride.cu",
      .function = "grid_stride",
      .arrays = {numbers({many}), changed(numbers({many}))},
      .ours = [=](const kernel& k, const arrays& a) { k.launch({.grid = {blocks}}, many, 0.5F, a[0], a[1]); },
      .rival = [](const memories& m) { by_hand::grid_stride(blocks, many, 0.5F, m[0].as<float>(), m[1].as<float>()); },
      .target = target};
}
gpu_case wide_axpy() {
  return {.file = "wide_axpy.cu",
          .function = "wide_axpy",
          .arrays = {numbers({many}), changed(numbers({many}))},
          .ours = [=](const kernel& k, const arrays& a) { k.launch({.threads = {many}}, many, 0.5F, a[0], a[1]); },
          .rival = [](const memories& m) { by_hand::wide_axpy(many, 0.5F, m[0].as<float>(), m[1].as<float>()); },
          .target = target};
}
gpu_case wide_bytes() {
  constexpr int n = 1 << 28;
  return {.file = "wide_bytes.cu",
          .function = "wide_bytes",
          .arrays = {result_of<unsigned char>({n})},
          .ours = [=](const kernel& k, const arrays& a) { k.launch({.threads = {n}}, n, a[0]); },
          .rival = [](const memories& m) { by_hand::wide_bytes(n, m[0].as<unsigned char>()); },
          .target = target};
}
gpu_case naive_product() {
  constexpr int n = 2048;
  return {
      .file = "naive_product.cu",
      .function = "naive_product",
      .arrays = {numbers({n, n}), numbers({n, n}), result_of<float>({n, n})},
      .ours =
          [=](const kernel& k, const arrays& a) {
            k.launch({.threads = {n, n}, .block = {16, 16}}, n, a[0], a[1], a[2]);
          },
      .rival =
          [](const memories& m) { by_hand::naive_product(n, m[0].as<float>(), m[1].as<float>(), m[2].as<float>()); },
      .target = target};
}
gpu_case monte_carlo() {
  constexpr int n = 1 << 24, steps = 100;
  return {.file = "monte_carlo.cu",
          .function = "monte_carlo",
          .arrays = {result_of<float>({n})},
          .ours = [=](const kernel& k, const arrays& a) { k.launch({.threads = {n}}, n, steps, a[0]); },
          .rival = [](const memories& m) { by_hand::monte_carlo(n, steps, m[0].as<float>()); },
          .target = target};
}

}  // namespace

std::vector<benchmark> gpu_kernel_benchmarks() {
  std::vector<benchmark> all{
      row_of("patterns.warp.shuffle_sum", shuffle_sum), row_of("patterns.warp.layernorm", layernorm),
      row_of("patterns.warp.warp_rows", warp_rows),     row_of("patterns.blocks.block_tile", block_tile),
      row_of("patterns.blocks.block_scan", block_scan), row_of("patterns.blocks.block_sort", block_sort),
      row_of("patterns.blocks.softmax", softmax),       row_of("patterns.blocks.block_histogram", block_histogram),
      row_of("patterns.grid_stride.1024", grid_stride), row_of("patterns.wide_axpy", wide_axpy),
      row_of("patterns.wide_bytes", wide_bytes),        row_of("patterns.naive_product", naive_product),
      row_of("patterns.monte_carlo", monte_carlo)};
  for (const int bins : {256, 65536})
    for (const std::string frequencies : {"uniform", "one_bin", "zipf"})
      all.push_back(
          row_of(cat("patterns.histogram.", frequencies, ".", bins), [=] { return histogram(bins, frequencies); }));
  return all;
}

}  // namespace tessera::bench
