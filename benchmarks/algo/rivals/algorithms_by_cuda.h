#pragma once

#include <cstdint>
#include <memory>

#include "benchmarks/algo/rivals/by_cuda.h"

/// The rivals of algorithms on GPUs: CUB, and Thrust where CUB has none, or where a program would chain its calls.
/// Pointers are of the GPU. C++17 without Tessera, for nvcc.
namespace tessera::bench::by_cuda {

/// 24 bytes with a key of 8.
struct record {
  double key;
  std::int64_t more[2];
};

// Sorts copy `from` to `work` and leave what is sorted there.

[[nodiscard]] std::unique_ptr<cub_call> cub_sort(std::int64_t n, const std::uint32_t* from, std::uint32_t* work);
[[nodiscard]] std::unique_ptr<cub_call> cub_sort(std::int64_t n, const std::uint64_t* from, std::uint64_t* work);
/// Keys with values of four bytes.
[[nodiscard]] std::unique_ptr<cub_call> cub_sort_pairs(std::int64_t n, const std::uint32_t* from,
                                                       const std::uint32_t* values_from, std::uint32_t* work,
                                                       std::uint32_t* values);
/// Stable, by their keys.
[[nodiscard]] std::unique_ptr<cub_call> cub_sort_records(std::int64_t n, const record* from, record* work);

/// The elements below `limit`; how many at `count`.
[[nodiscard]] std::unique_ptr<cub_call> cub_copy_if(std::int64_t n, const float* x, float limit, float* out,
                                                    std::int64_t* count);
[[nodiscard]] std::unique_ptr<cub_call> cub_unique(std::int64_t n, const int* x, int* out, std::int64_t* count);
[[nodiscard]] std::unique_ptr<cub_call> cub_reduce_by_key(std::int64_t n, const int* keys, const int* values,
                                                          int* keys_out, int* sums_out, std::int64_t* count);
/// How many elements fall into each of the bins, which share [0, 1) evenly.
[[nodiscard]] std::unique_ptr<cub_call> cub_histogram(std::int64_t n, const float* x, int bins, int* counts);

// Thrust; its calls wait for each other.

/// out[i] = x[from[i]]
void thrust_gather(std::int64_t n, const std::int64_t* from, const float* x, float* out);
/// out[to[i]] = x[i]
void thrust_scatter(std::int64_t n, const float* x, const std::int64_t* to, float* out);
/// Of two sorted ranges of n elements.
void thrust_merge(std::int64_t n, const float* x, const float* y, float* out);
/// Where each of n queries stands in n sorted elements.
void thrust_lower_bound(std::int64_t n, const float* sorted, const float* queries, std::int64_t* out);
/// Of the running sums of x[i] * y[i] those below `limit`, by two calls through `sums`. Returns how many these are.
std::int64_t thrust_chain(std::int64_t n, const float* x, const float* y, float limit, float* sums, float* out);

}  // namespace tessera::bench::by_cuda
