// A GPU that may use half the memory its data needs: the link against its own bandwidth, kernels that compute much
// against themselves in memory, and what is brought back against the least possible.
#include <tessera/tessera.h>

#include <functional>
#include <memory>

#include "benchmarks/engine/memory/reloads.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/gpu/gpu_benchmarks.h"
#include "benchmarks/gpu/rival.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20, gib = std::int64_t{1} << 30;

options on_gpu(std::int64_t memory) {
  options settings;
  settings.devices = "cuda:0";
  if (memory > 0) settings.device_memory = std::to_string(memory);
  settings.host_memory = std::to_string(24 * gib);
  return settings;
}

constexpr const char* scale_text = R"(
//@tessera global i => readwrite x[i]
__global__ void scale(long long n, float* x) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0.5f * x[i] + 1.0f;
})";

/// x = x / 2 + 1 over an array of which `memory` bytes fit.
class scaled_array {
 public:
  scaled_array(std::int64_t bytes, std::int64_t memory)
      : n_(bytes / 4),
        context_(on_gpu(memory)),
        kernel_(context_.compile(scale_text, "scale")),
        x_(context_.full<float>({n_}, 1.0f)) {}
  void run(int passes) {
    for (int k = 0; k < passes; ++k) kernel_.launch({.threads = {n_}, .block = {256}}, static_cast<long long>(n_), x_);
    context_.wait();
  }
  [[nodiscard]] statistics stats() { return context_.stats(); }

 private:
  std::int64_t n_;
  context context_;
  kernel kernel_;
  array<float> x_;
};

/// Seconds per gigabyte that crossed the link, in both directions together.
void measure_stream(session& s) {
  scaled_array ours(8 * gib, 4 * gib);
  ours.run(20);  // host memory is page-locked as blocks leave for the first time
  const auto link = make_link();
  const auto pass = [&] {
    const statistics before = ours.stats();
    const double seconds = seconds_of([&] { ours.run(2); });
    const statistics after = ours.stats();
    const std::int64_t bytes =
        after.reloaded_bytes - before.reloaded_bytes + after.spilled_bytes - before.spilled_bytes;
    return seconds / static_cast<double>(bytes) * 1e9;
  };
  const auto bare = [&] { return seconds_of([&] { link->exchange(4 * gib); }) / static_cast<double>(8 * gib) * 1e9; };
  const comparison c = compare(pass, bare, s.scaled({.pairs = 15, .seconds = 1}));
  s.add({"gpu_memory.stream", 1 / c.ours, 1 / c.rival, "the link, both directions at once", "GB/s", c.ratio, c.low,
         c.high, 0.90});
}

void measure_reloads(session& s) {
  constexpr std::int64_t memory = 4 * gib, bytes = 6 * gib;
  constexpr int passes = 10;
  scaled_array ours(bytes, memory);
  ours.run(1);
  const std::int64_t before = ours.stats().reloaded_bytes;
  ours.run(passes - 1);
  add_reloads(s, "gpu_memory.reloaded", ours.stats().reloaded_bytes - before,
              {.bytes = bytes, .memory = memory, .page = 32 * mib, .passes = passes});
}

/// Products of square matrices.
class product {
 public:
  product(int n, std::int64_t memory)
      : n_(n),
        context_(on_gpu(memory)),
        kernel_(context_.load_kernel(source_path("examples/04_matrix_product_tiled.cu"))),
        a_(context_.full<float>({n, n}, 0.5f)),
        b_(context_.full<float>({n, n}, 0.25f)),
        c_(context_.empty<float>({n, n})) {}
  void run() {
    kernel_.launch({.threads = {n_, n_}, .block = {16, 16}}, n_, n_, n_, c_, a_, b_);
    context_.wait();
  }

 private:
  int n_;
  context context_;
  kernel kernel_;
  array<float> a_, b_, c_;
};

/// A block of 32 warps works on 32 bodies, each warp with its share of the others.
constexpr const char* bodies_text = R"(
//@tessera block b => read from, write to[32*b:32*b+31], readwrite velocity[32*b:32*b+31]
__global__ void step(int n, float dt, const float4* from, float4* to, float4* velocity) {
  __shared__ float3 sums[32][33];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * 32 + lane;
  float4 me = from[i < n ? i : n - 1];
  float3 a = make_float3(0, 0, 0);
  for (int j = warp; j < n; j += 32) {
    float4 other = from[j];
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
    float pull = other.w * inverse * inverse * inverse;
    a.x += pull * dx, a.y += pull * dy, a.z += pull * dz;
  }
  sums[warp][lane] = a;
  __syncthreads();
  if (warp > 0 || i >= n) return;
  for (int w = 1; w < 32; ++w) a.x += sums[w][lane].x, a.y += sums[w][lane].y, a.z += sums[w][lane].z;
  float4 v = velocity[i];
  v.x += dt * a.x, v.y += dt * a.y, v.z += dt * a.z;
  velocity[i] = v;
  me.x += dt * v.x, me.y += dt * v.y, me.z += dt * v.z;
  to[i] = me;
})";

struct alignas(16) body {
  float x, y, z, w;
};

class bodies {
 public:
  bodies(int n, std::int64_t memory)
      : n_(n),
        context_(on_gpu(memory)),
        kernel_(context_.compile(bodies_text, "step")),
        from_(context_.from<body>({n}, drawn(n))),
        to_(context_.empty<body>({n})),
        velocity_(context_.zeros<body>({n})) {}
  void run() {
    kernel_.launch({.grid = {n_ / 32}, .block = {1024}}, n_, 1e-3f, from_, to_, velocity_);
    std::swap(from_, to_);
    context_.wait();
  }

 private:
  static std::vector<body> drawn(int n) {
    const std::vector<float> values = contents({{std::int64_t{4} * n}}, 7);
    std::vector<body> all(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = {values[4 * i], values[4 * i + 1], values[4 * i + 2], values[4 * i + 3]};
    return all;
  }
  int n_;
  context context_;
  kernel kernel_;
  array<body> from_, to_, velocity_;
};

template <class Problem>
void compare_with_itself(session& s, const std::string& name, Problem& half, Problem& whole) {
  for (int k = 0; k < 3; ++k) half.run();
  whole.run();
  const comparison c = compare([&] { return seconds_of([&] { half.run(); }); },
                               [&] { return seconds_of([&] { whole.run(); }); }, s.scaled({.pairs = 15, .seconds = 1}));
  s.add_times(name, c, "Tessera with memory for all", 1e3, "ms/launch", 0.95);
}

void measure_product(session& s) {
  constexpr int n = 8192;
  constexpr std::int64_t bytes = std::int64_t{3} * n * n * 4;
  product half(n, bytes / 2), whole(n, 0);
  compare_with_itself(s, "gpu_memory.product", half, whole);
}

void measure_bodies(session& s) {
  constexpr int n = 1 << 20;
  constexpr std::int64_t bytes = std::int64_t{3} * n * 16;
  bodies half(n, bytes / 2), whole(n, 0);
  compare_with_itself(s, "gpu_memory.nbody", half, whole);
}

}  // namespace

std::vector<benchmark> gpu_memory_benchmarks() {
  return {{"gpu_memory.stream", measure_stream},
          {"gpu_memory.reloaded", measure_reloads},
          {"gpu_memory.product", measure_product},
          {"gpu_memory.nbody", measure_bodies}};
}

}  // namespace tessera::bench
