#include "benchmarks/gpu/patterns/by_hand.h"
#include "benchmarks/gpu/patterns/check.h"

namespace tessera::bench::by_hand {

// Some of the files have helpers of one name.
namespace shuffle_sum_file {
#include "benchmarks/kernels/shuffle_sum.cu"
}  // namespace shuffle_sum_file
namespace layernorm_file {
#include "benchmarks/kernels/layernorm.cu"
}  // namespace layernorm_file
namespace kernels {
#include "benchmarks/kernels/block_histogram.cu"
#include "benchmarks/kernels/block_scan.cu"
#include "benchmarks/kernels/block_sort.cu"
#include "benchmarks/kernels/block_tile.cu"
#include "benchmarks/kernels/grid_stride.cu"
#include "benchmarks/kernels/histogram.cu"
#include "benchmarks/kernels/monte_carlo.cu"
#include "benchmarks/kernels/naive_product.cu"
#include "benchmarks/kernels/softmax.cu"
#include "benchmarks/kernels/warp_rows.cu"
#include "benchmarks/kernels/wide_axpy.cu"
#include "benchmarks/kernels/wide_bytes.cu"
}  // namespace kernels

void shuffle_sum(int n, const float* x, float* y) {
  shuffle_sum_file::shuffle_sum<<<blocks(n), 256>>>(n, x, y);
  check_launch();
}
void layernorm(int rows, int m, const float* x, float* y) {
  layernorm_file::layernorm<<<rows, 256>>>(m, x, y);
  check_launch();
}
void softmax(int rows, int m, const float* x, float* y) {
  kernels::softmax<<<rows, 256>>>(m, x, y);
  check_launch();
}
void warp_rows(int rows, int m, const float* a, const float* x, float* y) {
  kernels::warp_rows<<<blocks(rows, 8), 256>>>(m, a, x, y);
  check_launch();
}
void block_tile(int n, const float* x, float* y) {
  kernels::block_tile<<<dim3(blocks(n, 16), blocks(n, 16)), dim3(16, 16)>>>(n, x, y);
  check_launch();
}
void block_scan(int n, const float* x, float* y) {
  kernels::block_scan<<<blocks(n), 256>>>(n, x, y);
  check_launch();
}
void block_sort(int n, const float* x, float* y) {
  kernels::block_sort<<<blocks(n), 256>>>(n, x, y);
  check_launch();
}
void block_histogram(int blocks, int n, const float* x, float* counts) {
  kernels::block_histogram<<<blocks, 256>>>(n, x, counts);
  check_launch();
}
void histogram(int n, const int* x, unsigned* bins) {
  kernels::histogram<<<blocks(n), 256>>>(n, x, bins);
  check_launch();
}
void grid_stride(int blocks, int n, float a, const float* x, float* y) {
  kernels::grid_stride<<<blocks, 256>>>(n, a, x, y);
  check_launch();
}
void wide_axpy(int n, float a, const float* x, float* y) {
  kernels::wide_axpy<<<blocks(n), 256>>>(n, a, x, y);
  check_launch();
}
void wide_bytes(int n, unsigned char* y) {
  kernels::wide_bytes<<<blocks(n), 256>>>(n, y);
  check_launch();
}
void naive_product(int n, const float* a, const float* b, float* c) {
  kernels::naive_product<<<dim3(blocks(n, 16), blocks(n, 16)), dim3(16, 16)>>>(n, a, b, c);
  check_launch();
}
void monte_carlo(int n, int steps, float* y) {
  kernels::monte_carlo<<<blocks(n), 256>>>(n, steps, y);
  check_launch();
}

}  // namespace tessera::bench::by_hand
