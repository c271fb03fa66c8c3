#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tessera/base/error.h"
#include "tests/kernel/cpu_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Kernels whose threads work together: barriers, shared memory, warps, atomics; and what the wrapper adds to helpers.

namespace {

kernel_text parse(const std::string& source, const std::string& name = {}) {
  return parse_kernel(source, "kernel.cu", name);
}

/// Calls `run` with the kernel in the tier it needs, from every compiler.
template <class F>
void for_all_compilers(const std::string& source, extents block, F run, const char* forced = "") {
  const kernel_text text = parse(source);
  for (const std::string& compiler : compilers()) {
    CAPTURE(compiler);
    run(cpu_kernel(text, choose_tier(text.features, forced), block, compiler));
  }
}

}  // namespace

TEST_CASE("a tiled matrix product meets its barriers") {
  const std::string source = R"(
#define TILE 16
__global__ void product(int n, const float* a, const float* b, float* c) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
    as[ty][tx] = row < n && t * TILE + tx < n ? a[row * n + t * TILE + tx] : 0;
    bs[ty][tx] = column < n && t * TILE + ty < n ? b[(t * TILE + ty) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
})";
  for_all_compilers(source, {16, 16}, [](const cpu_kernel& k) {
    constexpr std::size_t n = 45;
    std::vector<float> a = numbers<float>(n * n, -1, 1);
    std::vector<float> b = numbers<float>(n * n, -1, 1, 5);
    std::vector<float> c(n * n);
    int size = n;
    float* p[] = {a.data(), b.data(), c.data()};
    k.run({3, 3}, {&size, &p[0], &p[1], &p[2]});
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t t = 0; t < n; ++t) sum += a[i * n + t] * b[t * n + j];
        REQUIRE(c[i * n + j] == sum);
      }
  });
}

TEST_CASE("a block reduction and a shuffle reduction add every element once") {
  const std::string block = R"(
__global__ void sum(const int* in, int n, int* out) {
  __shared__ int part[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
})";
  const std::string shuffle = R"(
__inline__ __device__ int warp_sum(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}
__global__ void sum(const int* in, int n, int* out) {
  __shared__ int part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  int v = warp_sum(i < n ? in[i] : 0);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / warpSize ? part[lane] : 0;
  if (warp == 0) v = warp_sum(v);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
})";
  for (const std::string& source : {block, shuffle})
    for_all_compilers(source, {128}, [](const cpu_kernel& k) {
      std::vector<int> in(1000);
      std::iota(in.begin(), in.end(), 1);
      std::vector<int> out(8);
      int n = 1000;
      int* pi = in.data();
      int* po = out.data();
      k.run({8}, {&pi, &n, &po});
      REQUIRE(std::accumulate(out.begin(), out.end(), 0) == 500'500);
      REQUIRE(out[1] == (129 + 256) * 64);
    });
}

TEST_CASE("shuffles and votes follow CUDA's rules for lanes, widths and masks") {
  const std::string source = R"(
__global__ void k(int* out) {
  int t = threadIdx.x, lane = t & 31;
  int* o = out + t * 10;
  o[0] = __shfl_sync(0xffffffff, t, 3);
  o[1] = __shfl_up_sync(0xffffffff, t, 2);
  o[2] = __shfl_down_sync(0xffffffff, t, 1, 8);
  o[3] = __shfl_xor_sync(0xffffffff, t, 5);
  o[4] = (int)__ballot_sync(0xffffffff, lane % 3 == 0);
  o[5] = __any_sync(0xffffffff, t == 40) + 2 * __all_sync(0xffffffff, t < 32);
  o[6] = __syncthreads_count(t % 2);
  o[7] = __syncthreads_or(t == 5) + 2 * __syncthreads_and(t < 63);
  o[8] = (int)__shfl_sync(0xffffffff, 1.5 * t, 31);
  o[9] = (int)(__shfl_xor_sync(0xffffffff, 10000000000LL * t, 1) / 10000000000LL);
})";
  for_all_compilers(source, {64}, [](const cpu_kernel& k) {
    std::vector<int> out(640);
    int* p = out.data();
    k.run({1}, {&p});
    for (int t = 0; t < 64; ++t) {
      const int lane = t % 32;
      const int warp = t - lane;
      const int* o = out.data() + t * 10;
      REQUIRE(o[0] == warp + 3);
      REQUIRE(o[1] == (lane < 2 ? t : t - 2));
      REQUIRE(o[2] == (lane % 8 == 7 ? t : t + 1));
      REQUIRE(o[3] == (t ^ 5));
      REQUIRE(static_cast<unsigned>(o[4]) == 0x49249249U);
      REQUIRE(o[5] == (t < 32 ? 2 : 1));
      REQUIRE(o[6] == 32);
      REQUIRE(o[7] == 1);
      REQUIRE(o[8] == static_cast<int>(1.5 * (warp + 31)));
      REQUIRE(o[9] == (t ^ 1));
    }
  });
}

TEST_CASE("threads that return early do not hold up a barrier, and are not counted") {
  const std::string source = R"(
__global__ void k(int n, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t * t;
  __syncthreads();
  int there = __syncthreads_count(1);
  out[t] = s[n - 1 - t] + 10000 * there;
})";
  for_all_compilers(source, {64}, [](const cpu_kernel& k) {
    std::vector<int> out(64, -1);
    int n = 37;
    int* p = out.data();
    k.run({1}, {&n, &p});
    for (int t = 0; t < 64; ++t)
      REQUIRE(out[static_cast<std::size_t>(t)] == (t < 37 ? (36 - t) * (36 - t) + 370'000 : -1));
  });
}

TEST_CASE("extern shared memory is the launch's, inside a kernel and at namespace scope") {
  const std::string inside = R"(
__global__ void reverse(int* a) {
  extern __shared__ __align__(16) int s[];
  int t = threadIdx.x, n = blockDim.x;
  s[t] = a[blockIdx.x * n + t];
  __syncthreads();
  a[blockIdx.x * n + t] = s[n - 1 - t];
})";
  const std::string outside = R"(
extern __shared__ int s[];
__device__ void put(int t, int v) { s[t] = v; }
__global__ void reverse(int* a) {
  int t = threadIdx.x, n = blockDim.x;
  put(t, a[blockIdx.x * n + t]);
  __syncthreads();
  a[blockIdx.x * n + t] = s[n - 1 - t];
})";
  for (const std::string& source : {inside, outside})
    for_all_compilers(source, {50}, [](const cpu_kernel& k) {
      std::vector<int> a(200);
      std::iota(a.begin(), a.end(), 0);
      int* p = a.data();
      k.run({4}, {&p}, 200);
      for (int i = 0; i < 200; ++i) REQUIRE(a[static_cast<std::size_t>(i)] == i / 50 * 50 + 49 - i % 50);
    });
}

TEST_CASE("atomics of every kind count right in both tiers") {
  const std::string source = R"(
__global__ void k(int n, const int* key, int* histogram, float* fsum, double* dsum, unsigned* ring, int* extreme,
                  unsigned long long* wide) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&histogram[key[i]], 1);
  atomicAdd(fsum, 1.0f);
  atomicAdd(dsum, 0.5);
  atomicInc(ring, 6);
  atomicMin(&extreme[0], key[i] - i);
  atomicMax(&extreme[1], key[i] + i);
  atomicOr(&extreme[2], 1 << (i % 20));
  atomicAdd(wide, 10000000000ull);
  if (atomicCAS(&extreme[3], 0, i + 1) == 0) atomicExch(&extreme[4], 99);
})";
  for (const char* forced : {"loop", "fiber"})
    for_all_compilers(
        source, {64},
        [](const cpu_kernel& k) {
          constexpr int n = 1000;
          std::vector<int> key(n);
          for (int i = 0; i < n; ++i) key[static_cast<std::size_t>(i)] = i * 7 % 10;
          std::vector<int> histogram(10);
          float f = 0;
          double d = 0;
          unsigned ring = 0;
          std::vector<int> extreme(5);
          unsigned long long wide = 0;
          int count = n;
          int* pk = key.data();
          int* ph = histogram.data();
          float* pf = &f;
          double* pd = &d;
          unsigned* pr = &ring;
          int* pe = extreme.data();
          unsigned long long* pw = &wide;
          k.run(cover({n}, {64}), {&count, &pk, &ph, &pf, &pd, &pr, &pe, &pw});
          for (int h : histogram) REQUIRE(h == 100);
          REQUIRE(f == 1000.0F);
          REQUIRE(d == 500.0);
          REQUIRE(ring == 1000 % 7);
          REQUIRE(extreme[0] == -996);
          REQUIRE(extreme[1] == 9 + 997);
          REQUIRE(extreme[2] == (1 << 20) - 1);
          REQUIRE(extreme[3] != 0);
          REQUIRE(extreme[4] == 99);
          REQUIRE(wide == 10'000'000'000'000ULL);
        },
        forced);
}

TEST_CASE("helpers that read the indices get them, through other helpers and through methods") {
  const std::string functions = R"(
__device__ int gid();
__device__ int twice(int factor) { return factor * gid(); }
__device__ int gid() { return blockIdx.x * blockDim.x + threadIdx.x; }
template <class T> __device__ T tagged(T v) { return v + (T)threadIdx.x; }
__global__ void k(int* a) { a[gid()] = twice(2) + 1000 * tagged<int>(0) + gridDim.x; }
)";
  const std::string method = R"(
struct who { __device__ int gid() const { return blockIdx.x * blockDim.x + threadIdx.x; } };
#define LOCAL (int)threadIdx.x
__global__ void k(int* a) { who w; a[w.gid()] = 2 * w.gid() + 1000 * LOCAL + gridDim.x; }
)";
  for (const char* forced : {"loop", "fiber"})
    for (const std::string& source : {functions, method})
      for_all_compilers(
          source, {25},
          [](const cpu_kernel& k) {
            std::vector<int> a(100, -1);
            int* p = a.data();
            k.run({4}, {&p});
            for (int i = 0; i < 100; ++i) REQUIRE(a[static_cast<std::size_t>(i)] == 2 * i + 1000 * (i % 25) + 4);
          },
          forced);
}

TEST_CASE("a method that reads threadIdx is right after a barrier too") {
  const std::string source = R"(
struct who { __device__ int id() const { return threadIdx.x; } };
__global__ void k(int* a) {
  __shared__ int s[32];
  who w;
  s[w.id()] = w.id();
  __syncthreads();
  a[w.id()] = s[31 - w.id()];
})";
  for_all_compilers(source, {32}, [](const cpu_kernel& k) {
    std::vector<int> a(32, -1);
    int* p = a.data();
    k.run({1}, {&p});
    for (int i = 0; i < 32; ++i) REQUIRE(a[static_cast<std::size_t>(i)] == 31 - i);
  });
}

TEST_CASE("structures go in by value and as elements, and the module tells their sizes") {
  const std::string source = R"(
struct scale { double factor; char tag; };
struct particle { float x, y; short id; };
namespace { typedef particle element; }
__global__ void move(element* p, scale s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { p[i].x *= s.factor; p[i].id += s.tag; }
})";
  struct scale {
    double factor;
    char tag;
  };
  struct particle {
    float x, y;
    short id;
  };
  for_all_compilers(source, {64}, [](const cpu_kernel& k) {
    REQUIRE(k.parameters[0].size == sizeof(particle));
    REQUIRE(k.parameters[0].alignment == alignof(particle));
    REQUIRE(k.parameters[1].size == sizeof(scale));
    REQUIRE(k.parameters[2].size == 4);
    REQUIRE(k.parameters[3].size == 0);
    std::vector<particle> p(70, particle{1.5F, 2.0F, 7});
    scale s{2.0, 3};
    int n = 69;
    particle* pp = p.data();
    k.run({2}, {&pp, &s, &n});
    REQUIRE(p[68].x == 3.0F);
    REQUIRE(p[68].id == 10);
    REQUIRE(p[69].x == 1.5F);
  });
}

TEST_CASE("constants of the device can be found by name and set") {
  const std::string source = R"(
__constant__ float weights[3];
namespace model { __device__ int offset = 5; }
__global__ void k(float* a) { a[threadIdx.x] = weights[threadIdx.x % 3] + model::offset; })";
  for_all_compilers(source, {6}, [](const cpu_kernel& k) {
    REQUIRE(std::string(k.symbols[0].name) == "weights");
    REQUIRE(k.symbols[0].bytes == 12);
    REQUIRE(std::string(k.symbols[1].name) == "model::offset");
    REQUIRE(k.symbols[2].name == nullptr);
    auto* weights = static_cast<float*>(k.symbols[0].address);
    for (int i = 0; i < 3; ++i) weights[i] = static_cast<float>(i + 1);
    std::vector<float> a(6);
    float* p = a.data();
    k.run({1}, {&p});
    REQUIRE(a == std::vector<float>{6, 7, 8, 6, 7, 8});
  });
}

TEST_CASE("recursive functions run") {
  const std::string source = R"(
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void k(int* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = fibonacci(i); })";
  for_all_compilers(source, {12}, [](const cpu_kernel& k) {
    std::vector<int> a(12);
    int* p = a.data();
    k.run({1}, {&p});
    REQUIRE(a[11] == 89);
  });
}

TEST_CASE("a whole program with main, host code and other kernels loads") {
  const std::string source = R"(
#include <cuda_runtime.h>
#include <stdio.h>
#include <vector>
#include <cmath>
#define N 64
#define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) exit(1); } while (0)
std::vector<float> host_data;
struct host_timer { std::string name; cudaEvent_t start; };
typedef float real;
__device__ __forceinline__ real square(real x) { return x * x; }
__global__ void other(real* a) { __syncthreads(); a[threadIdx.x] = tex1D(0); }
__global__ void k(real* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = square(a[i]);
}
static void launch(float* d) { k<<<1, N>>>(d, N); CHECK(cudaDeviceSynchronize()); }
int main(int argc, char** argv) { host_data.resize(N); launch(host_data.data()); printf("done\n"); return 0; }
)";
  const kernel_text text = parse(source, "k");
  CHECK(text.features.any_block());
  for (const std::string& compiler : compilers()) {
    const cpu_kernel k(text, tier::loop, {64}, compiler);
    std::vector<float> a(64, 3.0F);
    float* p = a.data();
    int n = 63;
    k.run({1}, {&p, &n});
    REQUIRE(a[62] == 9.0F);
    REQUIRE(a[63] == 3.0F);
  }
}
