#include <utility>

#include "tests/fuzz/kernels/source_entry.h"
#include "tests/fuzz/program/text.h"

// Kernels that reduce by operations of their own, into one element, rows, columns, a whole array and boxes that
// overlap. Their blocks are small, so that many results meet, and go on from what their results begin with.

namespace tessera::fuzz {
namespace {

using values::triple;

#define EXTREMES                                  \
  "struct triple { int a, b, c; };\n"             \
  "__device__ void take(triple& e, int x) {\n"    \
  "  e.a = (int)((unsigned)e.a + (unsigned)x);\n" \
  "  if (x < e.b) e.b = x;\n"                     \
  "  if (x > e.c) e.c = x;\n"                     \
  "}\n"

void take(triple& e, std::int32_t x) { e = {s(u(e.a) + u(x)), std::min(e.b, x), std::max(e.c, x)}; }

/// p0[0] and one axis of threads for p1, in blocks of eight.
void threads_of_second(random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
  threads = {a.shapes[0][0] == 0 ? 0 : a.shapes[1][0]};
  scalars = {a.shapes[1][0], a.shapes[0][0]};
}

rule reads_of_block() { return declares(access::read, {slice(affine(name_bi, 8), affine(name_bi, 8, 7))}); }

rule first_element() {
  rule r = declares(access::reduce, {all()});
  r.indices[0].first = index_expr{};
  r.indices[0].is_point = true;
  return r;
}

source_entry least_with_index() {
  return {"least_with_index",
          R"(struct triple { int a, b, c; };
__global__ void least_with_index(triple* p0, const int* p1, int n, int m) {
  __shared__ triple part[8];
  int t = threadIdx.x, i = blockIdx.x * 8 + t;
  part[t] = triple{i < n ? p1[i] : 0, i < n ? i : -1, i < n ? p1[i] ^ 5 : 0};
  __syncthreads();
  if (t != 0) return;
  for (int k = 1; k < 8; ++k)
    if (part[k].b >= 0 && part[k].a < part[0].a) part[0] = part[k];
  p0[0] = part[0];
})",
          {{element::triple, 1}, {element::i32, 1}},
          {8},
          true,
          'm',
          threads_of_second,
          [](const int_list&) -> rules_of {
            return {{first_element()}, {declares(access::read, {point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            triple& least = at<triple>(a[0], {0});
            for (std::int64_t i = x[0]; i < x[0] + 8 && i < v[0]; ++i) {
              const std::int32_t value = at<std::int32_t>(a[1], {i});
              const auto place = static_cast<std::int32_t>(i);
              if (least.b < 0 || value < least.a || (value == least.a && place < least.b))
                least = {value, place, value ^ 5};
            }
          }};
}

source_entry row_extremes() {
  return {"row_extremes",
          EXTREMES R"(__global__ void row_extremes(triple* p0, const int* p1, int h, int w, int ld1) {
  int y = blockIdx.y * 2 + threadIdx.y;
  if (threadIdx.x != 0 || y >= h) return;
  for (int x = blockIdx.x * 4; x < blockIdx.x * 4 + 4 && x < w; ++x) take(p0[y], p1[y * ld1 + x]);
})",
          {{element::triple, 1}, {element::i32, 2}},
          {4, 2},
          true,
          's',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            const std::int64_t h = std::min(a.shapes[0][0], a.shapes[1][0]);
            threads = {a.shapes[1][1], h};
            scalars = {h, a.shapes[1][1], a.pitch[1]};
          },
          [](const int_list&) -> rules_of {
            return {
                {declares(access::reduce, {point(affine(name_j))})},
                {declares(access::read, {point(affine(name_j)), slice(affine(name_bi, 4), affine(name_bi, 4, 3))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t y = x[1]; y < x[1] + 2 && y < v[0]; ++y)
              for (std::int64_t z = x[0]; z < x[0] + 4 && z < v[1]; ++z)
                take(at<triple>(a[0], {y}), at<std::int32_t>(a[1], {y, z}));
          }};
}

source_entry column_extremes() {
  return {"column_extremes",
          EXTREMES R"(__global__ void column_extremes(triple* p0, const int* p1, int h, int w, int ld1) {
  int x = blockIdx.x * 4 + threadIdx.x;
  if (threadIdx.y != 0 || x >= w) return;
  for (int y = blockIdx.y * 2; y < blockIdx.y * 2 + 2 && y < h; ++y) take(p0[x], p1[y * ld1 + x]);
})",
          {{element::triple, 1}, {element::i32, 2}},
          {4, 2},
          true,
          's',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            const std::int64_t w = std::min(a.shapes[0][0], a.shapes[1][1]);
            threads = {w, a.shapes[1][0]};
            scalars = {a.shapes[1][0], w, a.pitch[1]};
          },
          [](const int_list&) -> rules_of {
            return {
                {declares(access::reduce, {point(affine(name_i))})},
                {declares(access::read, {slice(affine(name_bj, 2), affine(name_bj, 2, 1)), point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t y = x[1]; y < x[1] + 2 && y < v[0]; ++y)
              for (std::int64_t z = x[0]; z < x[0] + 4 && z < v[1]; ++z)
                take(at<triple>(a[0], {z}), at<std::int32_t>(a[1], {y, z}));
          }};
}

source_entry binned_extremes() {
  return {"binned_extremes",
          EXTREMES R"(__global__ void binned_extremes(triple* p0, const int* p1, int n, int m) {
  if (threadIdx.x != 0) return;
  for (int i = blockIdx.x * 8; i < blockIdx.x * 8 + 8 && i < n; ++i) take(p0[(unsigned)p1[i] % (unsigned)m], p1[i]);
})",
          {{element::triple, 1}, {element::i32, 1}},
          {8},
          true,
          's',
          threads_of_second,
          [](const int_list&) -> rules_of {
            return {{declares(access::reduce, {all()})}, {reads_of_block()}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t i = x[0]; i < x[0] + 8 && i < v[0]; ++i) {
              const std::int32_t value = at<std::int32_t>(a[1], {i});
              take(at<triple>(a[0], {static_cast<std::int64_t>(u(value) % static_cast<std::uint32_t>(v[1]))}), value);
            }
          }};
}

source_entry overlapping_extremes() {
  return {"overlapping_extremes",
          EXTREMES R"(__global__ void overlapping_extremes(triple* p0, const int* p1, int n, int m) {
  if (threadIdx.x != 0) return;
  for (int i = blockIdx.x * 8; i < blockIdx.x * 8 + 8 && i < n; ++i) {
    int at = (int)blockIdx.x * 4 + i % 6;
    if (at < m) take(p0[at], p1[i]);
  }
})",
          {{element::triple, 1}, {element::i32, 1}},
          {8},
          true,
          's',
          threads_of_second,
          [](const int_list&) -> rules_of {
            return {{declares(access::reduce, {slice(affine(name_bi, 4), affine(name_bi, 4, 5))})}, {reads_of_block()}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t i = x[0]; i < x[0] + 8 && i < v[0]; ++i) {
              const std::int64_t place = x[0] / 8 * 4 + i % 6;
              if (place < v[1]) take(at<triple>(a[0], {place}), at<std::int32_t>(a[1], {i}));
            }
          }};
}

std::uint32_t common_divisor(std::uint32_t a, std::uint32_t b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

source_entry greatest_divisor() {
  return {"greatest_divisor",
          R"(__device__ unsigned divisor(unsigned a, unsigned b) {
  while (b != 0) { unsigned rest = a % b; a = b; b = rest; }
  return a;
}
__global__ void greatest_divisor(int* p0, const int* p1, int n, int m) {
  if (threadIdx.x != 0) return;
  unsigned common = 0;
  for (int i = blockIdx.x * 8; i < blockIdx.x * 8 + 8 && i < n; ++i) common = divisor(common, (unsigned)p1[i] & ~7u);
  p0[0] = (int)common;
})",
          {{element::i32, 1}, {element::i32, 1}},
          {8},
          true,
          'g',
          threads_of_second,
          [](const int_list&) -> rules_of {
            return {{first_element()}, {reads_of_block()}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            std::uint32_t common = u(at<std::int32_t>(a[0], {0}));
            for (std::int64_t i = x[0]; i < x[0] + 8 && i < v[0]; ++i)
              common = common_divisor(common, u(at<std::int32_t>(a[1], {i})) & ~7U);
            at<std::int32_t>(a[0], {0}) = s(common);
          }};
}

}  // namespace

std::vector<registered_reduction> reductions_of(char op) {
  switch (op) {
    case 'm':
      return {{op_text(op), "{2147483647, -1, 0}",
               "if (b.b >= 0 && (a.b < 0 || b.a < a.a || (b.a == a.a && b.b < a.b))) a = b;"}};
    case 's':
      return {{op_text(op), "{0, 2147483647, -2147483647 - 1}",
               "a.a = (int)((unsigned)a.a + (unsigned)b.a);\nif (b.b < a.b) a.b = b.b;\nif (b.c > a.c) a.c = b.c;"}};
    case 'g':
      return {{op_text(op), "0", "a = (int)divisor((unsigned)a, (unsigned)b);"}};
    default:
      return {};
  }
}

std::vector<source_entry> registered_kernels() {
  return {least_with_index(), row_extremes(),         column_extremes(),
          binned_extremes(),  overlapping_extremes(), greatest_divisor()};
}

}  // namespace tessera::fuzz
