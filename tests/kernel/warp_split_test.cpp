#include <doctest/doctest.h>

#include "tests/kernel/split_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Kernels cut at their warp functions, also those of functions they call, do what they do on fibers, bit by bit.

TEST_CASE("shuffles of every kind, width and type are cut, also in blocks of odd shapes") {
  same_as_fibers(with(R"(
  int a = in[i];
  result(0) = __shfl_sync(0xffffffff, a, 3) + __shfl_sync(~0u, a, t * 5, 8);
  result(1) = __shfl_up_sync(0xffffffff, a, 2) * 3 + __shfl_up_sync(~0u, a, t % 4, 16);
  result(2) = __shfl_down_sync(0xffffffff, a, 1, 8) - __shfl_down_sync(~0u, a, t % 7);
  result(3) = __shfl_xor_sync(0xffffffff, a, 5) ^ __shfl_xor_sync(~0u, a, t % 3, 4);
  result(4) = (int)__shfl_sync(0xffffffff, 1.5 * t, 31);
  result(5) = (int)(__shfl_xor_sync(0xffffffff, 10000000000LL * t, 1) / 10000000000LL);
  result(6) = (int)__shfl_down_sync(~0u, (unsigned char)a, n);
  result(7) = __shfl_sync(~0u, __shfl_sync(~0u, n, 1) + t, 2);)"));
}

TEST_CASE("votes, reductions and matches of warps and blocks are cut") {
  same_as_fibers(with(R"(
  result(0) = (int)__ballot_sync(0xffffffff, t % 3 == 0) + (int)__activemask();
  result(1) = __any_sync(0xffffffff, in[i] > 90) + 2 * __all_sync(0xffffffff, in[i] > -99);
  result(2) = __syncthreads_count(t % 2);
  result(3) = __syncthreads_or(t == 5) + 2 * __syncthreads_and(t < 63);
  result(4) = (int)__match_any_sync(~0u, in[i] % 3);
  result(5) = __reduce_add_sync(~0u, in[i]) + __reduce_max_sync(~0u, in[i]) * 3 - __reduce_min_sync(~0u, in[i]);
  result(6) = (int)(__reduce_or_sync(~0u, 1u << (t % 5)) ^ __reduce_and_sync(~0u, (unsigned)t | 8u) ^ __reduce_xor_sync(~0u, (unsigned)t));
  __syncwarp();
  if (__any_sync(~0u, in[i] < -50)) result(7) = 1;)"));
}

TEST_CASE("loops of shuffles stay loops, and their values live in every lane") {
  same_as_fibers(with(R"(
  int v = in[i];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  result(0) = v;
  float f = t;
  for (int o = 1; o < 32; o <<= 1) { const float other = __shfl_up_sync(0xffffffff, f, o); if (t % 32 >= o) f += other; }
  result(1) = (int)f;
  double d = v;
#pragma unroll
  for (int m = 16; m >= 1; m >>= 1) d = fmax(d, __shfl_xor_sync(0xffffffffu, d, m));
  result(2) = (int)d;)"));
}

TEST_CASE("threads that have returned or wait elsewhere show nothing") {
  same_as_fibers(with(R"(
  int v = in[i];
  if (t % 5 == 3) return;
  result(0) = __shfl_down_sync(~0u, v, 1);
  if (t % 2) {
    result(1) = __shfl_xor_sync(0xaaaaaaaa, v, 2) + (int)__ballot_sync(0xaaaaaaaa, v > 0);
    if (v < 0) v = 1; else v = 2;
  } else {
    result(2) = __any_sync(0x55555555, v > 50) + 2 * __all_sync(0x55555555, v > -50);
  }
  result(3) = v;)"));
  same_as_fibers(with(R"(
  int v = in[i], w = t / 32;
  if (threadIdx.x < 32) for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  result(0) = v;
  if (w == 1) v = __shfl_sync(~0u, v, 3);
  if (threadIdx.x >= 40) { v += 5; } else { v = __shfl_sync(0xffu, v, 1); }
  result(1) = v;)"));
}

TEST_CASE("functions in which threads meet are part of the kernel") {
  same_as_fibers(with(R"(
  int v = block_sum(in[i]);
  result(0) = v;
  v = block_sum(in[i] * 2) + block_sum(t);
  result(1) = v;
  float f = largest(t * 0.5f);
  result(2) = (int)f + typed<int>(t) + typed(v);
  both(v, f);
  result(3) = v + (int)f;
  if (n > 3) wait();
  result(4) = steps<2>(t);)",
                      R"(
#define FULL 0xffffffffu
__inline__ __device__ int warp_sum(int val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL, val, offset);
  return val;
}
__device__ int block_sum(int val) {
  static __shared__ int shared[32];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  val = warp_sum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) val = warp_sum(val);
  __syncthreads();
  return val;
}
static __device__ __forceinline__ float largest(float x, int width = 32) {
  for (int m = width / 2; m > 0; m >>= 1) { float y = __shfl_xor_sync(FULL, x, m, width); x = fmaxf(x, y); }
  return x;
}
template <typename T> __device__ T typed(T x) { T sum = x; sum += __shfl_up_sync(FULL, x, 1); return sum; }
template <int N> __device__ int steps(int x) { for (int j = 0; j < N; ++j) x += __shfl_xor_sync(FULL, x, 1 << j); return x; }
__device__ void both(int& a, float& b) { a += __shfl_sync(FULL, a, 1); b += a; }
__device__ void wait() { __syncthreads(); })"));
}

TEST_CASE("a function whose result replaces its argument works on the variable itself") {
  const std::string functions = R"(
__device__ int tree(int v) { for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o); return v; }
__device__ int two(int a, int b) { a += __shfl_xor_sync(~0u, b, 1); b += a; return a * 3 + b; }
__device__ int hides(int a) { int w = __shfl_xor_sync(~0u, a, 2); a += w; return w * 5 + a; }
__device__ int from(long long a) { a = __shfl_up_sync(~0u, a, 1) << 33; return (int)(a >> 32); }
__device__ int kept(const int a) { return __shfl_up_sync(~0u, a, 1) + a; }
__device__ int both(int a, int& b) { b = __shfl_up_sync(~0u, a, 1); a += b; return a; }
)";
  const std::string source = with(R"(
  int v = in[i], w = t * 3;
  v = tree(v);
  result(0) = v;
  if (threadIdx.x / 32 == 1) v = two(v, v);
  result(1) = v;
  v = two(w, v);
  w = hides(w);
  result(2) = v + w;
  v = from(v);
  result(3) = v;
  v = kept(v);
  result(4) = v;
  v = both(v, w);
  result(5) = v - w;
  w = two(tree(w), w);
  result(6) = w;)",
                                  functions);
  const std::string text = make_cpu_source(parse_kernel(source, "kernel.cu"), {tier::split, {64}});
  CHECK(text.find("_v = v") == std::string::npos);  // of `tree`
  CHECK(text.find("_a = w") != std::string::npos);  // of `two(w, v)` and `hides`, which has another `w`
  same_as_fibers(source);
}

TEST_CASE("a loop's variable that held a thread's index before is its counter, and holds its last value afterwards") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  int k = threadIdx.x;
  s[t] = k;
  __syncthreads();
  int sum = 0;
  for (k = 0; k < 3; k++) { sum += s[(t + k) % T]; __syncthreads(); s[t] += k; __syncthreads(); }
  result(0) = sum; result(1) = k;
  for (k = 5; k > n; --k) { __syncthreads(); sum += k; }
  result(2) = sum + k;)"));
}

TEST_CASE("conditions on a thread's index are bounds of loops") {
  same_as_fibers(with(R"(
  __shared__ int s[128];
  const int tid = threadIdx.x;
  s[t] = in[i];
  __syncthreads();
  for (int o = 32; o > 0; o >>= 1) {
    if (tid < o && tid + o < T) s[tid] += s[tid + o];
    __syncthreads();
  }
  if (threadIdx.x < n) result(0) = s[0];
  if (tid <= n) { int w = s[t] * 2; result(1) = w; } else result(1) = 7;
  if (threadIdx.x >= blockDim.x / 2) result(2) = 1;
  if (tid > n - 3) { if (threadIdx.y == 1) result(3) = 5; else result(3) = 4; }
  if (threadIdx.x == 3) result(4) = 9;
  if (tid < n - 50) result(5) = 1;
  if (threadIdx.x < n - 50) result(6) = 2;
  if (tid < 2.5f) result(7) = 2;)"));
}

TEST_CASE("loops at the distance of the block's size give each thread its own elements") {
  same_as_fibers(with(R"(
  __shared__ int s[64];
  const int tid = threadIdx.x;
  int sum = 0, last = -1;
  for (int j = tid; j < n * 2 + 7; j += blockDim.x) { sum += in[j % 50] * j; last = j; }
  for (unsigned k = threadIdx.x; k < T << 1; k += 16) sum ^= k;
  for (int j = threadIdx.x; j < in[i]; j += 16) sum += j;
  if (n > 1) for (int j = tid; j < n & 3; j += blockDim.x) sum += 5, j += 1;
  s[t] = sum;
  __syncthreads();
  for (int j = tid; j < n; j += blockDim.x) if (in[j % 50] > 0) last += j;
  result(0) = s[(t + 1) % T]; result(1) = last;)"));
}

TEST_CASE("statements between two barriers run for one warp after the other, and what they keep lives on") {
  const std::string source = with(R"(
  __shared__ int parts[96];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, grid_warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int place = blockIdx.x * blockDim.x + threadIdx.x, row = place / 32;
  int v = 0, once = n;
  for (int j = lane; j < n; j += 32) v += in[j % 64] + j;
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  int w = __shfl_sync(~0u, v, 0) + row * 7 + grid_warp;
  if (lane == 0) parts[t] = v;
  if (warp == 0) {
    w += __shfl_xor_sync(~0u, w, 1);
    result(3) = w;
  }
  if (threadIdx.x < 40) result(4) = __shfl_up_sync(~0u, w, 2);
  __syncthreads();
  result(0) = w + v;
  once += 2;
  int u = __shfl_down_sync(~0u, w, 3) + once;
  for (int k = 0; k < 3; ++k) {
    if (lane == 0) parts[t] += k;
    u += __any_sync(~0u, u % 5 == k) * once;
    once += k;
  }
  if (k_is_odd(u)) u += parts[t - lane];
  result(1) = u + once;
  __syncthreads();
  result(2) = u;)",
                                  "__device__ bool k_is_odd(int k) { return k % 2 != 0; }");
  same_as_fibers(source);
  const kernel_text text = parse_kernel(source, "kernel.cu");
  CHECK(make_cpu_source(text, {tier::split, {64}}).find("__tessera_each_warp(__tessera") != std::string::npos);
  CHECK(make_cpu_source(text, {tier::split, {32, 2}}).find("__tessera_each_warp(__tessera") != std::string::npos);
  CHECK(make_cpu_source(text, {tier::split, {48}}).find("__tessera_each_warp(__tessera") == std::string::npos);
  for (const extents& block : {extents{32, 2}, extents{96}, extents{32, 1, 2}})
    for (const std::string& compiler : compilers())
      CHECK(run(text, tier::split, block, compiler, 50) == run(text, tier::fiber, block, compiler, 50));
}
