#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "tests/kernel/cpu_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Every kernel runs in every tier it allows, with several block shapes and every compiler of this machine; the bytes
/// must be equal each time, and right.

namespace {

using bytes = std::vector<unsigned char>;

template <class T>
bytes bytes_of(const std::vector<T>& v) {
  bytes b(v.size() * sizeof(T));
  if (!b.empty()) std::memcpy(b.data(), v.data(), b.size());
  return b;
}

using trial = std::function<bytes(const cpu_kernel&, const extents& block)>;

/// Runs `run` for all variants and requires equal results.
void for_all_variants(const std::string& source, const std::vector<extents>& blocks, const trial& run) {
  const kernel_text text = parse_kernel(source, "kernel.cu");
  bytes first;
  bool have_first = false;
  for (const std::string& compiler : compilers()) {
    for (const char* forced : {"loop", "fiber"}) {
      const tier form = choose_tier(text.features, forced);
      for (const extents& block : blocks) {
        CAPTURE(compiler);
        CAPTURE(forced);
        CAPTURE(to_string(block));
        const bytes result = run(cpu_kernel(text, form, block, compiler), block);
        if (!have_first) first = result;
        have_first = true;
        REQUIRE(result == first);
      }
      if (form == tier::fiber) break;
    }
  }
  REQUIRE(have_first);
}

const std::vector<extents> line_blocks = {{256}, {32}, {1}, {100}};

}  // namespace

TEST_CASE("arrays of a thread are its own, also where threads run beside each other") {
  const std::string source = R"(
__global__ void k(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a[3] = {((unsigned)in[i] * (unsigned)i) & 6u, 2u, 7u};
  unsigned found = a[((i | 9u) ^ ((unsigned)in[1] & (unsigned)in[i % 64])) % 3u];
  for (int k = 0; k < 3; ++k) a[(found + k) % 3u] += k * i;
  out[i] = found * 31u + a[i % 3];
})";
  for_all_variants(source, {{64}, {32}, {8}}, [](const cpu_kernel& k, const extents& block) {
    std::vector<int> in = numbers<int>(256, -100, 100), out(192);
    int* p[] = {in.data(), out.data()};
    k.run(cover({192}, block), {&p[0], &p[1]});
    return bytes_of(out);
  });
}

TEST_CASE("axpy gives the same bits in every variant, for odd sizes too") {
  const std::string source = R"(
__global__ void axpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
})";
  for (int n : {1, 7, 255, 257, 10'007}) {
    for_all_variants(source, line_blocks, [&](const cpu_kernel& k, const extents& block) {
      std::vector<float> x = numbers<float>(static_cast<std::size_t>(n), -1, 1);
      std::vector<float> y = numbers<float>(static_cast<std::size_t>(n) + 8, -1, 1, 9);
      const std::vector<float> old = y;
      float a = 0.3F;
      int count = n;
      float* px = x.data();
      float* py = y.data();
      k.run(cover({n}, block), {&count, &a, &px, &py});
      for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(y[i] == a * x[i] + old[i]);
      for (std::size_t i = x.size(); i < y.size(); ++i) REQUIRE(y[i] == old[i]);
      return bytes_of(y);
    });
  }
}

TEST_CASE("a launch may run in parts of its grid") {
  const kernel_text text = parse_kernel(
      "__global__ void k(int n, int* a) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
      " if (i < n) a[i] = i + 1000 * (int)gridDim.x; }",
      "k.cu");
  const cpu_kernel k(text, tier::loop, {16});
  std::vector<int> a(100, -1);
  int n = 100;
  int* p = a.data();
  k.run({7}, {&n, &p}, 0, {3});
  for (int i = 0; i < 100; ++i) REQUIRE(a[static_cast<std::size_t>(i)] == (i < 48 ? -1 : i + 7000));
}

TEST_CASE("a three-point stencil treats its borders right") {
  const std::string source = R"(
__global__ void stencil(int n, float* output, const float* input) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    float left  = i - 1 >= 0 ? input[i - 1] : 0;
    float mid   = input[i];
    float right = i + 1 < n ? input[i + 1] : 0;
    output[i] = (left + mid + right) / 3.0f;
})";
  for (int n : {1, 2, 3, 5, 1000, 1001}) {
    for_all_variants(source, line_blocks, [&](const cpu_kernel& k, const extents& block) {
      std::vector<float> in = numbers<float>(static_cast<std::size_t>(n), -1, 1);
      std::vector<float> out(in.size(), -7.0F);
      int count = n;
      float* po = out.data();
      float* pi = in.data();
      k.run(cover({n}, block), {&count, &po, &pi});
      for (std::size_t i = 0; i < in.size(); ++i) {
        const float left = i > 0 ? in[i - 1] : 0.0F;
        const float right = i + 1 < in.size() ? in[i + 1] : 0.0F;
        REQUIRE(out[i] == (left + in[i] + right) / 3.0F);
      }
      return bytes_of(out);
    });
  }
}

TEST_CASE("a five-point stencil on a plane is re-blocked to rows without changing a bit") {
  const std::string source = R"(
__global__ void diffuse(int w, int h, float* out, const float* in) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float c = in[y * w + x];
  float l = x > 0 ? in[y * w + x - 1] : c;
  float r = x < w - 1 ? in[y * w + x + 1] : c;
  float u = y > 0 ? in[(y - 1) * w + x] : c;
  float d = y < h - 1 ? in[(y + 1) * w + x] : c;
  out[y * w + x] = c + 0.1f * (l + r + u + d - 4.0f * c);
})";
  for (auto [w, h] : {std::pair{61, 43}, {1, 9}, {9, 1}, {2, 2}, {130, 5}}) {
    for_all_variants(source, {{16, 16}, {32, 4}, {1, 1}}, [&, w = w, h = h](const cpu_kernel& k, const extents& block) {
      const auto size = static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
      std::vector<float> in = numbers<float>(size, -1, 1);
      std::vector<float> out(size, -7.0F);
      int width = w;
      int height = h;
      float* po = out.data();
      float* pi = in.data();
      k.run(cover({w, h}, block), {&width, &height, &po, &pi});
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
          const auto at = [&](int yy, int xx) {
            return in[static_cast<std::size_t>(yy) * static_cast<std::size_t>(w) + static_cast<std::size_t>(xx)];
          };
          const float c = at(y, x);
          const float l = x > 0 ? at(y, x - 1) : c;
          const float r = x < w - 1 ? at(y, x + 1) : c;
          const float u = y > 0 ? at(y - 1, x) : c;
          const float d = y < h - 1 ? at(y + 1, x) : c;
          REQUIRE(out[static_cast<std::size_t>(y * w + x)] == c + 0.1F * (l + r + u + d - 4.0F * c));
        }
      return bytes_of(out);
    });
  }
}

TEST_CASE("a kernel over three axes sees every point once") {
  const std::string source = R"(
__global__ void count(int3 size, int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < size.x && y < size.y && z < size.z) out[(z * size.y + y) * size.x + x] += x + 100 * y + 10000 * z;
})";
  for_all_variants(source, {{8, 4, 2}, {1, 1, 1}, {32, 1, 3}}, [](const cpu_kernel& k, const extents& block) {
    struct {
      int x, y, z;
    } size{19, 7, 5};
    std::vector<int> out(19 * 7 * 5, 0);
    int* p = out.data();
    k.run(cover({19, 7, 5}, block), {&size, &p});
    for (int i = 0; i < 19 * 7 * 5; ++i)
      REQUIRE(out[static_cast<std::size_t>(i)] == i % 19 + 100 * (i / 19 % 7) + 10000 * (i / 19 / 7));
    return bytes_of(out);
  });
}

TEST_CASE("Black-Scholes prices do not depend on the variant and agree with double arithmetic") {
  const std::string source = R"(
__device__ inline float cnd(float d) {
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.3989422804f * expf(-0.5f * d * d) *
            (K * (0.31938153f + K * (-0.356563782f + K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f)))));
  if (d > 0) c = 1.0f - c;
  return c;
}
__global__ void price(float* call, const float* S, const float* X, const float* T, float R, float V, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  float s = S[i], x = X[i], t = T[i], root = sqrtf(t);
  float d1 = (logf(s / x) + (R + 0.5f * V * V) * t) / (V * root);
  float d2 = d1 - V * root;
  call[i] = s * cnd(d1) - x * expf(-R * t) * cnd(d2);
})";
  constexpr int n = 3001;
  for_all_variants(source, {{256}, {64}, {7}}, [](const cpu_kernel& k, const extents& block) {
    std::vector<float> prices = numbers<float>(n, 5, 30);
    std::vector<float> strikes = numbers<float>(n, 1, 100, 2);
    std::vector<float> years = numbers<float>(n, 0.25, 10, 3);
    std::vector<float> call(n);
    float rate = 0.02F;
    float spread = 0.3F;
    int count = n;
    float* p[] = {call.data(), prices.data(), strikes.data(), years.data()};
    k.run(cover({n}, block), {&p[0], &p[1], &p[2], &p[3], &rate, &spread, &count});
    for (std::size_t i = 0; i < n; ++i) {
      const double s = prices[i];
      const double x = strikes[i];
      const double t = years[i];
      const double d1 = (std::log(s / x) + (rate + 0.5 * spread * spread) * t) / (spread * std::sqrt(t));
      const auto cdf = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
      const double exact = s * cdf(d1) - x * std::exp(-rate * t) * cdf(d1 - spread * std::sqrt(t));
      REQUIRE(std::abs(call[i] - exact) < 2e-4);
    }
    return bytes_of(call);
  });
}

TEST_CASE("all-pairs forces sum in the same order everywhere") {
  const std::string source = R"(
__global__ void forces(int n, const float4* pos, float3* acc) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = pos[i];
  float3 a = make_float3(0, 0, 0);
  for (int j = 0; j < n; ++j) {
    float4 q = pos[j];
    float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
    float s = q.w * inv * inv * inv;
    a.x += dx * s; a.y += dy * s; a.z += dz * s;
  }
  acc[i] = a;
})";
  constexpr int n = 201;
  for_all_variants(source, {{64}, {5}}, [](const cpu_kernel& k, const extents& block) {
    std::vector<float> pos = numbers<float>(4 * n, 0, 1);
    std::vector<float> acc(3 * n);
    int count = n;
    float* pp = pos.data();
    float* pa = acc.data();
    REQUIRE(k.parameters[1].size == 16);
    REQUIRE(k.parameters[1].alignment == 16);
    REQUIRE(k.parameters[2].size == 12);
    k.run(cover({n}, block), {&count, &pp, &pa});
    float ax = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const float dx = pos[4 * j] - pos[0];
      const float dy = pos[4 * j + 1] - pos[1];
      const float dz = pos[4 * j + 2] - pos[2];
      const float inv = 1.0F / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-6F);
      ax += dx * (pos[4 * j + 3] * inv * inv * inv);
    }
    REQUIRE(acc[0] == ax);
    return bytes_of(acc);
  });
}

TEST_CASE("a loop with a data-dependent end counts the same in every variant") {
  const std::string source = R"(
__global__ void mandelbrot(int w, int h, int most, unsigned char* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float cr = -2.0f + 3.0f * x / w, ci = -1.0f + 2.0f * y / h, zr = 0, zi = 0;
  int k = 0;
  while (k < most && zr * zr + zi * zi < 4.0f) {
    float t = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = t;
    ++k;
  }
  out[y * w + x] = k;
})";
  for_all_variants(source, {{16, 16}, {64, 1}}, [](const cpu_kernel& k, const extents& block) {
    std::vector<unsigned char> out(45 * 31);
    int w = 45;
    int h = 31;
    int most = 200;
    unsigned char* p = out.data();
    k.run(cover({45, 31}, block), {&w, &h, &most, &p});
    REQUIRE(out[15 * 45 + 30] == 200);
    REQUIRE(out[0] < 5);
    return out;
  });
}

TEST_CASE("64-bit and unsigned indices work") {
  const std::string wide = R"(
__global__ void k(long long n, double* a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 3.0 * i;
})";
  const std::string narrow = R"(
__global__ void k(long long n, double* a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 3.0 * i;
})";
  for (const std::string& source : {wide, narrow})
    for_all_variants(source, {{128}, {3}}, [](const cpu_kernel& k, const extents& block) {
      std::vector<double> a(1001);
      long long n = 1001;
      double* p = a.data();
      k.run(cover({1001}, block), {&n, &p});
      for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(a[i] == 3.0 * static_cast<double>(i));
      return bytes_of(a);
    });
}

TEST_CASE("indices beyond 2^31 and 2^32 reach kernels that compute in 64 bits") {
  const kernel_text text = parse_kernel(R"(
__global__ void k(long long base, long long* a) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  a[i - base] = i;
})",
                                        "k.cu");
  REQUIRE(text.features.wide_index);
  for (long long first : {(1LL << 31) - 256, (1LL << 32) - 256, (1LL << 33) - 128}) {
    const cpu_kernel k(text, tier::loop, {128});
    std::vector<long long> a(512, -1);
    long long base = first;
    long long* p = a.data();
    k.run({first / 128 + 4}, {&base, &p}, 0, {first / 128});
    for (long long i = 0; i < 512; ++i) REQUIRE(a[static_cast<std::size_t>(i)] == first + i);
  }
}
