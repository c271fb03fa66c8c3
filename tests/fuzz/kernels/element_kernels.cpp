#include "tests/fuzz/kernels/source_entry.h"

// Kernels whose threads work alone.

namespace tessera::fuzz {
namespace {

source_entry scale_and_add() {
  return {"scale_and_add",
          R"(__global__ void scale_and_add(int* p0, const int* p1, const int* p2, int n, int m, int f, int q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p0[i] = (int)((unsigned)f * (i < m ? (unsigned)p1[i] : 0u) + (i < q ? (unsigned)p2[i] : 5u));
})",
          {{element::i32, 1}, {element::i32, 1}, {element::i32, 1}},
          {32},
          false,
          '+',
          [](random_source& random, const source_shapes& a, int_list& threads, int_list& scalars) {
            threads_of_first(random, a, threads, scalars);
            scalars.push_back(a.shapes[2][0]);
          },
          [](const int_list&) -> rules_of {
            return {{declares(access::write, {point(affine(name_i))})},
                    {declares(access::read, {point(affine(name_i))})},
                    {declares(access::read, {point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[0]) return;
            at<std::int32_t>(a[0], {x[0]}) =
                s(static_cast<std::uint32_t>(v[2]) * u(at_or<std::int32_t>(a[1], {x[0]}, 0)) +
                  u(at_or<std::int32_t>(a[2], {x[0]}, 5)));
          }};
}

source_entry matrix_product() {
  return {
      "matrix_product",
      R"(__global__ void matrix_product(int* p0, const int* p1, const int* p2, int h, int w, int ld, int n, int lda, int ldb) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned sum = 0;
  for (int k = 0; k < n; ++k) sum += (unsigned)p1[y * lda + k] * (unsigned)p2[k * ldb + x];
  p0[y * ld + x] = (int)sum;
})",
      {{element::i32, 2}, {element::i32, 2}, {element::i32, 2}},
      {8, 4},
      false,
      '+',
      [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
        const std::int64_t h = std::min(a.shapes[0][0], a.shapes[1][0]), w = std::min(a.shapes[0][1], a.shapes[2][1]);
        threads = {w, h};
        scalars = {h, w, a.pitch[0], std::min(a.shapes[1][1], a.shapes[2][0]), a.pitch[1], a.pitch[2]};
      },
      [](const int_list& v) -> rules_of {
        rule left = declares(access::read, {point(affine(name_j)), all()});
        left.indices[1].last = index_expr{{}, v[3] - 1, 1, 0, 0, false};
        rule right = declares(access::read, {all(), point(affine(name_i))});
        right.indices[0].last = index_expr{{}, v[3] - 1, 1, 0, 0, false};
        return {{declares(access::write, {point(affine(name_j)), point(affine(name_i))})}, {left}, {right}};
      },
      [](const grid&, views a, const int_list& v, point_of x) {
        if (x[0] >= v[1] || x[1] >= v[0]) return;
        std::uint32_t sum = 0;
        for (std::int64_t k = 0; k < v[3]; ++k)
          sum += u(at<std::int32_t>(a[1], {x[1], k})) * u(at<std::int32_t>(a[2], {k, x[0]}));
        at<std::int32_t>(a[0], {x[1], x[0]}) = s(sum);
      }};
}

source_entry numbers() {
  return {"numbers",
          R"(__device__ int where() { return blockIdx.x * 1000 + threadIdx.x; }
__global__ void numbers(int* p0, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p0[i] = where() + gridDim.x * 1000000;
})",
          {{element::i32, 1}},
          {16},
          false,
          '+',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            threads = {a.shapes[0][0]};
            scalars = {a.shapes[0][0]};
          },
          [](const int_list&) -> rules_of { return {{declares(access::write, {point(affine(name_i))})}}; },
          [](const grid& g, views a, const int_list& v, point_of x) {
            if (x[0] >= v[0]) return;
            const std::int64_t blocks = (g.size[0] + g.block[0] - 1) / g.block[0];
            at<std::int32_t>(a[0], {x[0]}) =
                static_cast<std::int32_t>(x[0] / g.block[0] * 1000 + x[0] % g.block[0] + blocks * 1000000);
          }};
}

source_entry coarsen() {
  return {"coarsen",
          R"(__global__ void coarsen(int* p0, const int* p1, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = 2 * i < m ? (unsigned)p1[2 * i] : 2u, b = 2 * i + 1 < m ? (unsigned)p1[2 * i + 1] : 3u;
  p0[i] = (int)(a * 3u + b);
})",
          {{element::i32, 1}, {element::i32, 1}},
          {32},
          false,
          '+',
          threads_as_first,
          [](const int_list&) -> rules_of {
            return {{declares(access::write, {point(affine(name_i))})},
                    {declares(access::read, {slice(affine(name_i, 2), affine(name_i, 2, 1))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[0]) return;
            at<std::int32_t>(a[0], {x[0]}) =
                s(u(at_or<std::int32_t>(a[1], {2 * x[0]}, 2)) * 3u + u(at_or<std::int32_t>(a[1], {2 * x[0] + 1}, 3)));
          }};
}

source_entry refine() {
  return {"refine",
          R"(__global__ void refine(int* p0, const int* p1, int n, int f, int q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p0[i] = (int)((unsigned)p1[i / f] * 5u + (unsigned)p1[i % q]);
})",
          {{element::i32, 1}, {element::i32, 1}},
          {32},
          false,
          '+',
          [](random_source& random, const source_shapes& a, int_list& threads, int_list& scalars) {
            const std::int64_t m = std::max<std::int64_t>(a.shapes[1][0], 1), n = a.shapes[0][0];
            threads = {a.shapes[1][0] == 0 ? 0 : n};
            scalars = {n, (n + m - 1) / m + random.in(0, 1) + (n == 0), random.in(1, m)};
          },
          [](const int_list& v) -> rules_of {
            index_expr quotient = affine(name_i), remainder = affine(name_i);
            quotient.divide = v[1];
            quotient.as_let = true;
            remainder.modulo = v[2];
            return {{declares(access::write, {point(affine(name_i))})},
                    {declares(access::read, {point(quotient)}), declares(access::read, {point(remainder)})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[0]) return;
            at<std::int32_t>(a[0], {x[0]}) =
                s(u(at<std::int32_t>(a[1], {x[0] / v[1]})) * 5u + u(at<std::int32_t>(a[1], {x[0] % v[2]})));
          }};
}

source_entry rotate_fields() {
  return {"rotate_fields",
          R"(struct triple { int a, b, c; };
__global__ void rotate_fields(triple* p0, const triple* p1, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  triple t = p0[i];
  if (i < m) { t.a = p1[i].c; t.b = p1[i].a; }
  p0[i] = t;
})",
          {{element::triple, 1}, {element::triple, 1}},
          {32},
          false,
          '+',
          threads_as_first,
          [](const int_list&) -> rules_of {
            return {{declares(access::readwrite, {point(affine(name_i))})},
                    {declares(access::read, {point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[0]) return;
            values::triple t = at<values::triple>(a[0], {x[0]});
            if (x[0] < v[1]) {
              const values::triple from = at<values::triple>(a[1], {x[0]});
              t.a = from.c, t.b = from.a;
            }
            at<values::triple>(a[0], {x[0]}) = t;
          }};
}

source_entry odd_only() {
  return {"odd_only",
          R"(__global__ void odd_only(unsigned char* p0, int h, int w, int ld) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned char v = p0[y * ld + x];
  if (v & 1) p0[y * ld + x] = (unsigned char)(v * 3 + 1);
})",
          {{element::u8, 2}},
          {8, 4},
          false,
          '+',
          size_2d,
          [](const int_list&) -> rules_of {
            return {{declares(access::readwrite, {point(affine(name_j)), point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (x[0] >= v[1] || x[1] >= v[0]) return;
            std::uint8_t& e = at<std::uint8_t>(a[0], {x[1], x[0]});
            if ((e & 1) != 0) e = static_cast<std::uint8_t>(e * 3 + 1);
          }};
}

source_entry every_other() {
  return {"every_other",
          R"(__global__ void every_other(double* p0, const double* p1, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 < n && i < m) p0[2 * i + 1] = p1[i] * 0.5;
})",
          {{element::f64, 1}, {element::f64, 1}},
          {32},
          false,
          '+',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            threads = {std::min(a.shapes[0][0] / 2, a.shapes[1][0])};
            scalars = {a.shapes[0][0], a.shapes[1][0]};
          },
          [](const int_list&) -> rules_of {
            return {{declares(access::write, {point(affine(name_i, 2, 1))})},
                    {declares(access::read, {point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (2 * x[0] + 1 < v[0] && x[0] < v[1]) at<double>(a[0], {2 * x[0] + 1}) = at<double>(a[1], {x[0]}) * 0.5;
          }};
}

source_entry histogram() {
  return {"histogram",
          R"(__global__ void histogram(int* p0, const int* p1, int bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && bins > 0) atomicAdd(&p0[(unsigned)p1[i] % (unsigned)bins], 3);
})",
          {{element::i32, 1}, {element::i32, 1}},
          {32},
          false,
          '+',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            threads = {a.shapes[1][0]};
            scalars = {a.shapes[0][0], a.shapes[1][0]};
          },
          [](const int_list&) -> rules_of {
            return {{declares(access::atomic, {})}, {declares(access::read, {point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            if (v[0] == 0 || x[0] >= v[1]) return;
            std::int32_t& bin = at<std::int32_t>(a[0], {static_cast<std::int64_t>(u(at<std::int32_t>(a[1], {x[0]})) %
                                                                                  static_cast<std::uint32_t>(v[0]))});
            bin = s(u(bin) + 3);
          }};
}

}  // namespace

std::vector<source_entry> element_kernels() {
  return {scale_and_add(), matrix_product(), numbers(),     coarsen(),  refine(),
          rotate_fields(), odd_only(),       every_other(), histogram()};
}

}  // namespace tessera::fuzz
