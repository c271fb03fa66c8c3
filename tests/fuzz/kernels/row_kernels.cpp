#include "tests/fuzz/kernels/source_entry.h"

// Kernels with a second text for CPU devices, which does rows of thread blocks at a time.

namespace tessera::fuzz {
namespace {

/// Four elements per thread, a block apart.
source_entry blend() {
  return {"blend",
          R"(__global__ void blend(int* p0, const int* p1, int n, int m, int f) {
  for (int k = 0; k < 4; ++k) {
    int i = blockIdx.x * 32 + k * 8 + threadIdx.x;
    if (i < n) p0[i] = (int)((unsigned)f * (i < m ? (unsigned)p1[i] : 9u) + (unsigned)i);
  }
})",
          {{element::i32, 1}, {element::i32, 1}},
          {8},
          true,
          '+',
          [](random_source& random, const source_shapes& a, int_list& threads, int_list& scalars) {
            const std::int64_t n = a.shapes[0][0];
            threads = {(n + 31) / 32 * 8};
            scalars = {n, a.shapes[1][0], random.in(1, 7)};
          },
          [](const int_list&) -> rules_of {
            return {{declares(access::write, {slice(affine(name_bi, 32), affine(name_bi, 32, 31))})},
                    {declares(access::read, {slice(affine(name_bi, 32), affine(name_bi, 32, 31))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t i = 4 * x[0]; i < 4 * x[0] + 32 && i < v[0]; ++i)
              at<std::int32_t>(a[0], {i}) = s(static_cast<std::uint32_t>(v[2]) * u(at_or<std::int32_t>(a[1], {i}, 9)) +
                                              static_cast<std::uint32_t>(i));
          },
          R"(__global__ void blend(int* p0, const int* p1, int n, int m, int f) {
  const int begin = blockIdx.x * 32, end = min(n, begin + (int)tessera_blocks * 32), middle = max(begin, min(end, m));
  for (int i = begin; i < middle; ++i) p0[i] = (int)((unsigned)f * (unsigned)p1[i] + (unsigned)i);
  for (int i = middle; i < end; ++i) p0[i] = (int)((unsigned)f * 9u + (unsigned)i);
})"};
}

/// Each element and its right neighbour, in planes.
source_entry smear() {
  return {"smear",
          R"(__global__ void smear(int* p0, const int* p1, int h, int w, int ld, int h1, int w1, int ld1) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned a = y < h1 && x < w1 ? (unsigned)p1[y * ld1 + x] : 2u;
  unsigned b = y < h1 && x + 1 < w1 ? (unsigned)p1[y * ld1 + x + 1] : 4u;
  p0[y * ld + x] = (int)(a * 3u + b);
})",
          {{element::i32, 2}, {element::i32, 2}},
          {8, 4},
          false,
          '+',
          size_2d,
          [](const int_list&) -> rules_of {
            return {{declares(access::write, {point(affine(name_j)), point(affine(name_i))})},
                    {declares(access::read, {point(affine(name_j)), around(name_i, 0, 1)})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[1] || x[1] >= v[0]) return;
            at<std::int32_t>(a[0], {x[1], x[0]}) = s(u(at_or<std::int32_t>(a[1], {x[1], x[0]}, 2)) * 3u +
                                                     u(at_or<std::int32_t>(a[1], {x[1], x[0] + 1}, 4)));
          },
          R"(struct plane {
  const int* p;
  int h, w, ld;
  unsigned operator()(int y, int x, unsigned otherwise) const {
    return y < h && x < w ? (unsigned)p[y * ld + x] : otherwise;
  }
};
__global__ void smear(int* p0, const int* p1, int h, int w, int ld, int h1, int w1, int ld1) {
  const plane from{p1, h1, w1, ld1};
  const int bottom = blockIdx.y * blockDim.y, left = blockIdx.x * blockDim.x;
  const int top = min(h, bottom + (int)blockDim.y), right = min(w, left + (int)(tessera_blocks * blockDim.x));
  for (int y = bottom; y < top; ++y)
    for (int x = left; x < right; ++x) p0[y * ld + x] = (int)(from(y, x, 2u) * 3u + from(y, x + 1, 4u));
})"};
}

/// A result per thread block: on CPUs, too, one block at a time.
source_entry block_xor() {
  return {"block_xor",
          R"(__global__ void block_xor(int* p0, const int* p1, int n) {
  __shared__ int part[16];
  part[threadIdx.x] = blockIdx.x * 16 + threadIdx.x < n ? p1[blockIdx.x * 16 + threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int all = 0;
  for (int k = 0; k < 16; ++k) all ^= part[k];
  p0[0] = all;
})",
          {{element::i32, 1}, {element::i32, 1}},
          {16},
          true,
          '^',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            threads = {a.shapes[0][0] == 0 ? 0 : a.shapes[1][0]};
            scalars = {a.shapes[1][0]};
          },
          [](const int_list&) -> rules_of {
            rule result = declares(access::reduce, {all()});
            result.indices[0].first = index_expr{};
            result.indices[0].is_point = true;
            return {{result}, {declares(access::read, {point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            std::int32_t& all = at<std::int32_t>(a[0], {0});
            for (std::int64_t i = x[0]; i < x[0] + 16 && i < v[0]; ++i) all ^= at<std::int32_t>(a[1], {i});
          },
          R"(__global__ void block_xor(int* p0, const int* p1, int n) {
  int all = 0;
  for (int i = blockIdx.x * 16; i < min(n, (int)((blockIdx.x + tessera_blocks) * 16)); ++i) all ^= p1[i];
  p0[0] = all;
})"};
}

}  // namespace

std::vector<source_entry> row_kernels() { return {blend(), smear(), block_xor()}; }

}  // namespace tessera::fuzz
