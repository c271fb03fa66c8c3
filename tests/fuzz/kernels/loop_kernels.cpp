#include "tests/fuzz/kernels/source_entry.h"

// Kernels whose threads count in 64 bits, or walk in steps of the grid.

namespace tessera::fuzz {
namespace {

source_entry wide_scale() {
  return {
      "wide_scale",
      R"(__global__ void wide_scale(int* p0, const int* p1, int n, int m, int f) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p0[i] = (int)((unsigned)f * (i < m ? (unsigned)p1[i] : 3u));
})",
      {{element::i32, 1}, {element::i32, 1}},
      {32},
      false,
      '+',
      threads_of_first,
      [](const int_list&) -> rules_of {
        return {{declares(access::write, {point(affine(name_i))})}, {declares(access::read, {point(affine(name_i))})}};
      },
      [](const grid&, views a, const int_list& v, point_of x) {
        if (x[0] >= v[0]) return;
        at<std::int32_t>(a[0], {x[0]}) = s(static_cast<std::uint32_t>(v[2]) * u(at_or<std::int32_t>(a[1], {x[0]}, 3)));
      }};
}

/// Far fewer threads than elements; the last scalar is the number of threads with those that fill up the last block.
void size_of_walk(random_source& random, const source_shapes& a, int_list& threads, int_list& scalars) {
  constexpr std::int64_t block = 32;
  threads = {random.in(1, std::max<std::int64_t>(1, a.shapes[1][0]))};
  scalars = {a.shapes[0][0], a.shapes[1][0], (threads[0] + block - 1) / block * block};
}

void count_walk(const grid&, views a, const int_list& v, point_of x) {
  if (v[0] == 0) return;
  for (std::int64_t i = x[0]; i < v[1]; i += v[2]) {
    const std::uint32_t value = u(at<std::int32_t>(a[1], {i}));
    if (value % 5 == 2) continue;
    std::int32_t& bin = at<std::int32_t>(a[0], {static_cast<std::int64_t>(value % static_cast<std::uint32_t>(v[0]))});
    bin = s(u(bin) + value);
  }
}

constexpr const char* walk_text = R"(__global__ void NAME(int* p0, const int* p1, int bins, int n, int) {
  const int step = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    if (bins == 0 || (unsigned)p1[i] % 5u == 2u) continue;
    atomicAdd(&p0[(unsigned)p1[i] % (unsigned)bins], p1[i]);
  }
})";

source_entry strided_sums(const char* name, const char* text, access mode) {
  const auto atomic = [](const int_list&) -> rules_of {
    return {{declares(access::atomic, {})}, {declares(access::read, {})}};
  };
  const auto reduce = [](const int_list&) -> rules_of {
    return {{declares(access::reduce, {})}, {declares(access::read, {})}};
  };
  rules_of (*const added)(const int_list&) = atomic;
  rules_of (*const reduced)(const int_list&) = reduce;
  return {name, text,         {{element::i32, 1}, {element::i32, 1}},   {32},      false,
          '+',  size_of_walk, mode == access::atomic ? added : reduced, count_walk};
}

}  // namespace

std::vector<source_entry> loop_kernels() {
  static const auto named = [](const std::string& name) {
    std::string text = walk_text;
    return text.replace(text.find("NAME"), 4, name);
  };
  static const std::string sums = named("strided_sums"), reduced = named("strided_reduction");
  return {wide_scale(), strided_sums("strided_sums", sums.c_str(), access::atomic),
          strided_sums("strided_reduction", reduced.c_str(), access::reduce)};
}

}  // namespace tessera::fuzz
