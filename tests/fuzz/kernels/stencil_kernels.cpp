#include "tests/fuzz/kernels/source_entry.h"

// Kernels whose threads read their neighbours' elements.

namespace tessera::fuzz {
namespace {

source_entry stencil_1d() {
  return {"stencil_1d",
          R"(__global__ void stencil_1d(float* p0, const float* p1, int n, int m, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = i - r; k <= i + r; ++k)
    if (k >= 0 && k < m) sum += p1[k];
  p0[i] = sum / (2 * r + 1);
})",
          {{element::f32, 1}, {element::f32, 1}},
          {64},
          false,
          '+',
          threads_of_first,
          [](const int_list& v) -> rules_of {
            return {{declares(access::write, {point(affine(name_i))})},
                    {declares(access::read, {around(name_i, v[2], v[2])})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[0]) return;
            float sum = 0;
            for (std::int64_t k = x[0] - v[2]; k <= x[0] + v[2]; ++k)
              if (inside(a[1], {k})) sum += at<float>(a[1], {k});
            at<float>(a[0], {x[0]}) = sum / static_cast<float>(2 * v[2] + 1);
          }};
}

source_entry stencil_2d() {
  return {"stencil_2d",
          R"(__device__ unsigned pick(const int* p, int y, int x, int h, int w, int ld) {
  return y >= 0 && y < h && x >= 0 && x < w ? (unsigned)p[y * ld + x] : 1u;
}
__global__ void stencil_2d(int* p0, const int* p1, int h, int w, int ld, int h1, int w1, int ld1) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned v = 3 * pick(p1, y, x, h1, w1, ld1) + 5 * pick(p1, y - 1, x, h1, w1, ld1) + 7 * pick(p1, y + 1, x, h1, w1, ld1)
             + 11 * pick(p1, y, x - 1, h1, w1, ld1) + 13 * pick(p1, y, x + 1, h1, w1, ld1);
  p0[y * ld + x] = (int)v;
})",
          {{element::i32, 2}, {element::i32, 2}},
          {8, 4},
          false,
          '+',
          size_2d,
          [](const int_list&) -> rules_of {
            return {{declares(access::write, {point(affine(name_j)), point(affine(name_i))})},
                    {declares(access::read, {around(name_j, 1, 1), point(affine(name_i))}),
                     declares(access::read, {point(affine(name_j)), around(name_i, 1, 1)})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[1] || x[1] >= v[0]) return;
            const auto pick = [&](std::int64_t dy, std::int64_t dx) {
              return u(at_or<std::int32_t>(a[1], {x[1] + dy, x[0] + dx}, 1));
            };
            at<std::int32_t>(a[0], {x[1], x[0]}) =
                s(3 * pick(0, 0) + 5 * pick(-1, 0) + 7 * pick(1, 0) + 11 * pick(0, -1) + 13 * pick(0, 1));
          }};
}

source_entry stencil_3d() {
  return {
      "stencil_3d",
      R"(__global__ void stencil_3d(int* p0, const int* p1, int d, int h, int w, int plane, int row, int d1, int h1, int w1, int plane1, int row1) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= w || y >= h || z >= d) return;
  unsigned v = 1;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dx = 0; dx <= 2; ++dx)
      if (z + dz >= 0 && z + dz < d1 && y < h1 && x + dx < w1) v = v * 31u + (unsigned)p1[(z + dz) * plane1 + y * row1 + x + dx];
  p0[z * plane + y * row + x] = (int)v;
})",
      {{element::i32, 3}, {element::i32, 3}},
      {4, 2, 2},
      false,
      '+',
      [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
        const int_list& n = a.shapes[0];
        threads = {n[2], n[1], n[0]};
        scalars = {n[0],           n[1],           n[2],           a.pitch[0], a.pitch[2],
                   a.shapes[1][0], a.shapes[1][1], a.shapes[1][2], a.pitch[1], a.pitch[3]};
      },
      [](const int_list&) -> rules_of {
        return {{declares(access::write, {point(affine(name_k)), point(affine(name_j)), point(affine(name_i))})},
                {declares(access::read, {around(name_k, 1, 1), point(affine(name_j)), around(name_i, 0, 2)})}};
      },
      [](const grid&, views a, const int_list&, point_of x) {
        if (!inside(a[0], {x[2], x[1], x[0]})) return;
        std::uint32_t v = 1;
        for (std::int64_t dz = -1; dz <= 1; ++dz)
          for (std::int64_t dx = 0; dx <= 2; ++dx)
            if (inside(a[1], {x[2] + dz, x[1], x[0] + dx}))
              v = v * 31u + u(at<std::int32_t>(a[1], {x[2] + dz, x[1], x[0] + dx}));
        at<std::int32_t>(a[0], {x[2], x[1], x[0]}) = s(v);
      }};
}

}  // namespace

std::vector<source_entry> stencil_kernels() { return {stencil_1d(), stencil_2d(), stencil_3d()}; }

}  // namespace tessera::fuzz
