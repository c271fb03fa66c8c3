#include "tests/fuzz/kernels/source_entry.h"

// Kernels whose blocks work together, through shared memory and barriers.

namespace tessera::fuzz {
namespace {

source_entry transpose() {
  return {"transpose",
          R"(__global__ void transpose(int* p0, const int* p1, int h, int w, int ld, int ld1) {
  __shared__ int tile[8][9];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = p1[y * ld1 + x];
  __syncthreads();
  int tx = blockIdx.y * 8 + threadIdx.x, ty = blockIdx.x * 8 + threadIdx.y;
  if (tx < h && ty < w) p0[ty * ld + tx] = tile[threadIdx.x][threadIdx.y];
})",
          {{element::i32, 2}, {element::i32, 2}},
          {8, 8},
          true,
          '+',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            const std::int64_t h = std::min(a.shapes[1][0], a.shapes[0][1]),
                               w = std::min(a.shapes[1][1], a.shapes[0][0]);
            threads = {(w + 7) / 8 * 8, (h + 7) / 8 * 8};
            scalars = {h, w, a.pitch[0], a.pitch[1]};
          },
          [](const int_list&) -> rules_of {
            return {{declares(access::readwrite, {slice(affine(name_bi, 8), affine(name_bi, 8, 7)),
                                                  slice(affine(name_bj, 8), affine(name_bj, 8, 7))})},
                    {declares(access::read, {slice(affine(name_bj, 8), affine(name_bj, 8, 7)),
                                             slice(affine(name_bi, 8), affine(name_bi, 8, 7))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t y = x[1]; y < x[1] + 8 && y < v[0]; ++y)
              for (std::int64_t z = x[0]; z < x[0] + 8 && z < v[1]; ++z)
                at<std::int32_t>(a[0], {z, y}) = at<std::int32_t>(a[1], {y, z});
          }};
}

source_entry reverse_blocks() {
  return {"reverse_blocks",
          R"(__global__ void reverse_blocks(int* p0, const int* p1, int n) {
  extern __shared__ int line[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  line[threadIdx.x] = i < n ? p1[i] : 7;
  __syncthreads();
  if (i < n) p0[i] = line[blockDim.x - 1 - threadIdx.x];
})",
          {{element::i32, 1}, {element::i32, 1}},
          {16},
          true,
          '+',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            scalars = {std::min(a.shapes[0][0], a.shapes[1][0])};
            threads = {scalars[0]};
          },
          [](const int_list&) -> rules_of {
            return {{declares(access::write, {point(affine(name_i))})},
                    {declares(access::read, {slice(affine(name_bi, 16), affine(name_bi, 16, 15))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t t = 0; t < 16 && x[0] + t < v[0]; ++t) {
              const std::int64_t from = x[0] + 15 - t;
              at<std::int32_t>(a[0], {x[0] + t}) = from < v[0] ? at<std::int32_t>(a[1], {from}) : 7;
            }
          }};
}

source_entry block_sum() {
  return {"block_sum",
          R"(__global__ void block_sum(int* p0, const int* p1, int n) {
  __shared__ unsigned part[32];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  part[t] = i < n ? (unsigned)p1[i] : 0u;
  __syncthreads();
  for (int half = 16; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) p0[0] = (int)part[0];
})",
          {{element::i32, 1}, {element::i32, 1}},
          {32},
          true,
          '+',
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
            std::uint32_t sum = u(at<std::int32_t>(a[0], {0}));
            for (std::int64_t i = x[0]; i < x[0] + 32 && i < v[0]; ++i) sum += u(at<std::int32_t>(a[1], {i}));
            at<std::int32_t>(a[0], {0}) = s(sum);
          }};
}

source_entry row_maximum() {
  return {"row_maximum",
          R"(__global__ void row_maximum(int* p0, const int* p1, int h, int w, int ld1) {
  __shared__ int part[4][8];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  part[threadIdx.y][threadIdx.x] = x < w && y < h ? p1[y * ld1 + x] : -2147483647 - 1;
  __syncthreads();
  if (threadIdx.x != 0 || y >= h) return;
  int best = part[threadIdx.y][0];
  for (int k = 1; k < 8; ++k)
    if (part[threadIdx.y][k] > best) best = part[threadIdx.y][k];
  p0[y] = best;
})",
          {{element::i32, 1}, {element::i32, 2}},
          {8, 4},
          true,
          '>',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            const std::int64_t h = std::min(a.shapes[0][0], a.shapes[1][0]);
            threads = {a.shapes[1][1], h};
            scalars = {h, a.shapes[1][1], a.pitch[1]};
          },
          [](const int_list&) -> rules_of {
            return {{declares(access::reduce, {point(affine(name_j))})},
                    {declares(access::read, {point(affine(name_j)), point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t y = x[1]; y < x[1] + 4 && y < v[0]; ++y)
              for (std::int64_t z = x[0]; z < x[0] + 8 && z < v[1]; ++z) {
                std::int32_t& best = at<std::int32_t>(a[0], {y});
                best = std::max(best, at<std::int32_t>(a[1], {y, z}));
              }
          }};
}

source_entry shared_histogram() {
  return {"shared_histogram",
          R"(__global__ void shared_histogram(int* p0, const int* p1, int bins, int n) {
  __shared__ int mine[8];
  if (threadIdx.x < 8) mine[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&mine[(unsigned)p1[i] % 8u], 1);
  __syncthreads();
  if (threadIdx.x < 8 && threadIdx.x < bins) atomicAdd(&p0[threadIdx.x], mine[threadIdx.x]);
})",
          {{element::i32, 1}, {element::i32, 1}},
          {32},
          true,
          '+',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            threads = {a.shapes[1][0]};
            scalars = {a.shapes[0][0], a.shapes[1][0]};
          },
          [](const int_list&) -> rules_of {
            rule result = declares(access::atomic, {all()});
            result.indices[0].last = index_expr{{}, 7, 1, 0, 0, false};
            return {{result}, {declares(access::read, {point(affine(name_i))})}};
          },
          [](const grid&, views a, const int_list& v, point_of x) {
            for (std::int64_t i = x[0]; i < x[0] + 32 && i < v[1]; ++i) {
              const auto bin = static_cast<std::int64_t>(u(at<std::int32_t>(a[1], {i})) % 8u);
              if (bin < v[0]) at<std::int32_t>(a[0], {bin}) = s(u(at<std::int32_t>(a[0], {bin})) + 1);
            }
          }};
}

source_entry warp_sums() {
  return {
      "warp_sums",
      R"(__global__ void warp_sums(int* p0, const int* p1, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = i < n ? (unsigned)p1[i] : 0u;
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x == 0 && i < n) p0[blockIdx.x] = (int)v;
})",
      {{element::i32, 1}, {element::i32, 1}},
      {32},
      true,
      '+',
      [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
        scalars = {std::min(a.shapes[1][0], 32 * a.shapes[0][0])};
        threads = {scalars[0]};
      },
      [](const int_list&) -> rules_of {
        return {{declares(access::write, {point(affine(name_bi))})}, {declares(access::read, {point(affine(name_i))})}};
      },
      [](const grid&, views a, const int_list& v, point_of x) {
        std::uint32_t sum = 0;
        for (std::int64_t i = x[0]; i < x[0] + 32 && i < v[0]; ++i) sum += u(at<std::int32_t>(a[1], {i}));
        at<std::int32_t>(a[0], {x[0] / 32}) = s(sum);
      }};
}

source_entry warp_mixes() {
  return {"warp_mixes",
          R"(__device__ unsigned warp_add(unsigned x, int lane, int lanes) {
  for (int o = 16; o > 0; o /= 2) {
    unsigned other = __shfl_xor_sync(0xffffffffu, x, o);
    if ((lane ^ o) < lanes) x += other;
  }
  return x;
}
__global__ void warp_mixes(int* p0, const int* p1, int n) {
  int t = threadIdx.x, i = blockIdx.x * 80 + t;
  unsigned v = warp_add(i < n ? (unsigned)p1[i] : 3u, t % 32, t < 64 ? 32 : 16);
  unsigned up = __shfl_up_sync(0xffffffffu, v + t, 3, 16), first = __shfl_sync(0xffffffffu, v ^ t, 1);
  unsigned yes = __ballot_sync(0xffffffffu, (v + t) % 3u == 0);
  if (t / 32 == 1) v += (unsigned)__any_sync(0xffffffffu, up % 5u == 0);
  if (i < n) p0[i] = (int)(v + up * 5u + first * 3u + yes);
})",
          {{element::i32, 1}, {element::i32, 1}},
          {80},
          true,
          '+',
          [](random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
            scalars = {std::min(a.shapes[0][0], a.shapes[1][0])};
            threads = {scalars[0]};
          },
          [](const int_list&) -> rules_of {
            return {{declares(access::write, {point(affine(name_i))})},
                    {declares(access::read, {slice(affine(name_bi, 80), affine(name_bi, 80, 79))})}};
          },
          [](const grid&, views a, const int_list& n, point_of x) {
            for (std::int64_t warp = 0; warp < 80; warp += 32) {
              const std::int64_t lanes = std::min<std::int64_t>(32, 80 - warp);
              std::vector<std::uint32_t> v, up, old;
              for (std::int64_t l = 0; l < lanes; ++l) {
                const std::int64_t i = x[0] + warp + l;
                v.push_back(i < n[0] ? u(at<std::int32_t>(a[1], {i})) : 3u);
              }
              for (std::int64_t o = 16; o > 0; o /= 2) {
                old = v;
                for (std::int64_t l = 0; l < lanes; ++l)
                  if ((l ^ o) < lanes) v[static_cast<std::size_t>(l)] += old[static_cast<std::size_t>(l ^ o)];
              }
              std::uint32_t yes = 0, any = 0;
              for (std::int64_t l = 0; l < lanes; ++l) {
                const std::int64_t from = l % 16 >= 3 ? l - 3 : l;
                up.push_back(v[static_cast<std::size_t>(from)] + static_cast<std::uint32_t>(warp + from));
                if ((v[static_cast<std::size_t>(l)] + static_cast<std::uint32_t>(warp + l)) % 3u == 0) yes |= 1u << l;
                any |= up.back() % 5u == 0 ? 1u : 0u;
              }
              const std::uint32_t first = v[1] ^ static_cast<std::uint32_t>(warp + 1);
              for (std::int64_t l = 0; l < lanes; ++l) {
                const std::int64_t i = x[0] + warp + l;
                const std::uint32_t mine = v[static_cast<std::size_t>(l)] + (warp == 32 ? any : 0u);
                if (i < n[0])
                  at<std::int32_t>(a[0], {i}) = s(mine + up[static_cast<std::size_t>(l)] * 5u + first * 3u + yes);
              }
            }
          }};
}

}  // namespace

std::vector<source_entry> block_kernels() {
  return {transpose(), reverse_blocks(), block_sum(), row_maximum(), shared_histogram(), warp_sums(), warp_mixes()};
}

}  // namespace tessera::fuzz
