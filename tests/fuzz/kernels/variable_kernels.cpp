#include "tests/fuzz/kernels/source_entry.h"

// Kernels with variables at file scope. `prepare_variables` sets or changes them before each launch.

namespace tessera::fuzz {
namespace {

rules_of own_elements(const int_list&) {
  return {{declares(access::write, {point(affine(name_i))})}, {declares(access::read, {point(affine(name_i))})}};
}

/// A table in constant memory that a helper reads, a variable that is set, and one that keeps its initialiser.
source_entry table_scale() {
  return {"table_scale",
          R"(__constant__ int table[2][3];
__device__ int offset;
__device__ int bias = 7;
__device__ int pick(int i) { return table[i % 2][i % 3]; }
__global__ void table_scale(int* p0, const int* p1, int n, int m, int f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p0[i] = (int)((unsigned)pick(i) * (i < m ? (unsigned)p1[i] : 3u) + (unsigned)offset + (unsigned)bias);
})",
          {{element::i32, 1}, {element::i32, 1}},
          {32},
          false,
          '+',
          threads_of_first,
          own_elements,
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[0]) return;
            const auto factor = static_cast<std::uint32_t>(v[2] + 3 * (x[0] % 2) + x[0] % 3);
            at<std::int32_t>(a[0], {x[0]}) =
                s(factor * u(at_or<std::int32_t>(a[1], {x[0]}, 3)) + static_cast<std::uint32_t>(2 * v[2]) + 7U);
          }};
}

/// Adds a variable that another kernel of the file has changed.
source_entry shared_state() {
  return {"shared_state",
          R"(__device__ unsigned state = 5u;
__global__ void bump(int* q, int f) {
  q[blockIdx.x * blockDim.x + threadIdx.x] = f;
  atomicAdd(&state, (unsigned)f);
}
__global__ void shared_state(int* p0, const int* p1, int n, int m, int f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p0[i] = (int)((i < m ? (unsigned)p1[i] : 1u) + state * (unsigned)f);
})",
          {{element::i32, 1}, {element::i32, 1}},
          {16},
          false,
          '+',
          threads_of_first,
          own_elements,
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[0]) return;
            at<std::int32_t>(a[0], {x[0]}) =
                s(u(at_or<std::int32_t>(a[1], {x[0]}, 1)) + static_cast<std::uint32_t>(7 * v[2] * v[2]));
          }};
}

}  // namespace

std::vector<source_entry> variable_kernels() { return {table_scale(), shared_state()}; }

}  // namespace tessera::fuzz
