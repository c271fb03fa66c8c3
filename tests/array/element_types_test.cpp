// Elements that are no plain C++ numbers: complex numbers and numbers of 16 bits.
#include <bit>
#include <complex>
#include <cstdint>
#include <mutex>
#include <random>

#include "tests/array/on_ranks.h"

using namespace tessera;
using support::message_of;
using support::quiet;
using support::says;

namespace {

constexpr const char* complex_source = R"(
#include <cuComplex.h>
struct pair { float first, second; };
//@tessera global i => write y[i], read x[i]
__global__ void turn(int n, float2* y, const cuFloatComplex* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = cuCmulf(make_cuFloatComplex(0.0f, 1.0f), x[i]);
}
//@tessera global i => write y[i], read x[i]
__global__ void turn_double(int n, cuDoubleComplex* y, const double2* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = cuCmul(make_cuDoubleComplex(0.0, 1.0), make_cuDoubleComplex(x[i].x, x[i].y));
}
//@tessera global i => write y[i], read x[i]
__global__ void swap(int n, pair* y, const pair* x, float2 add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i].first = x[i].second + add.x, y[i].second = x[i].first + add.y;
}
//@tessera global i => read x[i], reduce(+) sum, reduce(+) parts[i/100]
__global__ void total(int n, const float2* x, float2* sum, double2* parts) {
  int first = blockIdx.x * blockDim.x;
  if (threadIdx.x != 0) return;
  for (int i = first; i < n && i < first + blockDim.x; ++i) {
    sum[0].x += x[i].x, sum[0].y += x[i].y;
    parts[i / 100].x += x[i].x, parts[i / 100].y += x[i].y;
  }
}
//@tessera global i => atomic(+) sums
__global__ void count(int n, float2* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sums[i % 3].x, 1.0f), atomicAdd(&sums[i % 3].y, -2.0f);
}
//@tessera global i => read x[i], reduce(*) product
__global__ void multiply(int n, const float2* x, float2* product) {}
)";

std::vector<std::complex<float>> random_numbers(std::size_t n) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> some(-1, 1);
  std::vector<std::complex<float>> result(n);
  for (auto& z : result) z = {some(random), some(random)};
  return result;
}

struct sums {
  std::vector<std::complex<float>> all;
  std::vector<std::complex<double>> parts;
  bool operator==(const sums&) const = default;
};

sums sums_in(context& ctx, const std::vector<std::complex<float>>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  const kernel k = ctx.compile(complex_source, "total");
  auto x = ctx.from<std::complex<float>>({n}, values);
  auto all = ctx.empty<std::complex<float>>({1});
  auto parts = ctx.empty<std::complex<double>>({(n + 99) / 100});
  k.launch({.threads = {n}, .block = {32}}, n, x, all, parts);
  return {all.read(), parts.read()};
}

constexpr const char* half_source = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
//@tessera global i => readwrite y[i], read x[i]
__global__ void axpy(int n, __half* y, const __half* x, __half a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2half(__half2float(a) * __half2float(x[i]) + __half2float(y[i]));
}
//@tessera global i => write y[i], read x[i]
__global__ void widen(int n, __nv_bfloat16* y, const __half* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2bfloat16(__half2float(x[i]));
}
//@tessera global i => read x[i], reduce(+) sum, reduce(min) least, reduce(max) most, reduce(*) product
__global__ void summary(int n, const __half* x, __half* sum, __half* least, __half* most, __nv_bfloat16* product) {
  int first = blockIdx.x * blockDim.x;
  if (threadIdx.x != 0) return;
  for (int i = first; i < n && i < first + blockDim.x; ++i) {
    float v = __half2float(x[i]);
    sum[0] = __float2half(__half2float(sum[0]) + v);
    if (v < __half2float(least[0])) least[0] = x[i];
    if (v > __half2float(most[0])) most[0] = x[i];
    product[0] = __float2bfloat16(__bfloat162float(product[0]) * (1.0f + v / 512));
  }
}
//@tessera global i => atomic(+) sums
__global__ void count(int n, __half* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sums[i % 3], __float2half(0.25f));
}
)";

std::vector<float16> halves(std::size_t n) {
  std::vector<float16> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = float16(static_cast<int>(i * 37 % 101) - 50);
  return result;
}

struct summaries {
  std::uint16_t sum, least, most, product;
  bool operator==(const summaries&) const = default;
};

summaries summary_in(context& ctx, const std::vector<float16>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  const kernel k = ctx.compile(half_source, "summary");
  auto x = ctx.from<float16>({n}, values);
  auto sum = ctx.empty<float16>({1}), least = ctx.empty<float16>({1}), most = ctx.empty<float16>({1});
  auto product = ctx.empty<bfloat16>({1});
  k.launch({.threads = {n}, .block = {32}}, n, x, sum, least, most, product);
  return {sum.read()[0].bits(), least.read()[0].bits(), most.read()[0].bits(), product.read()[0].bits()};
}

options deterministic(const std::string& devices) {
  options settings = quiet(devices);
  settings.deterministic = true;
  return settings;
}

/// What `in(context)` gives on every one of three ranks with two devices each.
template <class Result, class In>
std::vector<Result> on_three_ranks(In in) {
  std::mutex mutex;
  std::vector<Result> found;
  const auto errors = support::errors_on_ranks(
      3, [](int) { return deterministic("cpu*2"); },
      [&](context& ctx) {
        const Result r = in(ctx);
        const std::lock_guard lock(mutex);
        found.push_back(r);
      });
  for (const std::string& e : errors) FAIL_CHECK(e);
  return found;
}

}  // namespace

TEST_CASE("complex arrays are pairs to kernels") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    CAPTURE(devices);
    context ctx(quiet(devices));
    constexpr std::int64_t n = 1000;
    const auto values = random_numbers(n);
    auto x = ctx.from<std::complex<float>>({n}, values);
    auto y = ctx.empty<std::complex<float>>({n});
    const launch_options settings{.threads = {n}, .block = {64}};
    ctx.compile(complex_source, "turn").launch(settings, n, y, x);
    const auto turned = y.read();
    ctx.compile(complex_source, "swap").launch(settings, n, y, x, std::complex<float>(1, 2));
    const auto swapped = y.read();
    const std::vector<std::complex<double>> doubles(values.begin(), values.end());
    auto u = ctx.from<std::complex<double>>({n}, doubles);
    auto v = ctx.empty<std::complex<double>>({n});
    ctx.compile(complex_source, "turn_double").launch(settings, n, v, u);
    const auto turned_doubles = v.read();
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      wrong += turned[i] != std::complex<float>(-values[i].imag(), values[i].real());
      wrong += swapped[i] != std::complex<float>(values[i].imag() + 1, values[i].real() + 2);
      wrong += turned_doubles[i] != std::complex<double>(-values[i].imag(), values[i].real());
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("complex numbers are summed, in the same bits everywhere where that is asked for") {
  const auto values = random_numbers(3001);
  context one(deterministic("cpu"));
  const sums expected = sums_in(one, values);
  std::complex<double> exact = 0;
  for (const auto& z : values) exact += std::complex<double>(z);
  CHECK(std::abs(std::complex<double>(expected.all[0]) - exact) < 1e-3);
  CHECK(std::abs(expected.parts[0] - std::accumulate(values.begin(), values.begin() + 100, std::complex<double>(0),
                                                     [](auto sum, auto z) { return sum + std::complex<double>(z); })) <
        1e-9);
  for (const char* devices : {"cpu*2", "cpu*3", "cpu*5"}) {
    context ctx(deterministic(devices));
    CHECK(sums_in(ctx, values) == expected);
  }
  for (const sums& s : on_three_ranks<sums>([&](context& ctx) { return sums_in(ctx, values); })) CHECK(s == expected);
  context free(quiet("cpu*3"));
  CHECK(std::abs(sums_in(free, values).all[0] - expected.all[0]) < 1e-3F);
}

TEST_CASE("atomic sums of complex numbers are added to what was there, and leave other bits alone") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices));
    const std::vector<std::complex<float>> before{{10, 20}, {0, 0}, {0, 0}, {-0.0F, -0.0F}};
    auto sums = ctx.from<std::complex<float>>({4}, before);
    ctx.compile(complex_source, "count").launch({.threads = {3000}, .block = {32}}, 3000, sums);
    const auto after = sums.read();
    CHECK(after[0] == std::complex<float>(1010, -1980));
    CHECK(after[2] == std::complex<float>(1000, -2000));
    CHECK(std::signbit(after[3].real()));
    CHECK(std::signbit(after[3].imag()));
  }
}

TEST_CASE("products of complex numbers are refused by name, and so are their atomic sums where order matters") {
  context ctx(quiet("cpu"));
  auto x = ctx.zeros<std::complex<float>>({10});
  auto y = ctx.zeros<std::complex<float>>({1});
  const launch_options settings{.threads = {10}, .block = {32}};
  CHECK(says(message_of<argument_error>([&] { ctx.compile(complex_source, "multiply").launch(settings, 10, x, y); }),
             "'*' has no meaning for elements of type complex64"));
  auto doubles = ctx.zeros<std::complex<double>>({10});
  CHECK(says(message_of<argument_error>([&] { ctx.compile(complex_source, "turn").launch(settings, 10, x, doubles); }),
             "points to float32x2, but the array holds complex128"));
  context ordered(deterministic("cpu*2"));
  auto sums = ordered.zeros<std::complex<float>>({4});
  CHECK(says(message_of<argument_error>([&] { ordered.compile(complex_source, "count").launch(settings, 10, sums); }),
             "TESSERA_DETERMINISTIC"));
}

TEST_CASE("arrays of 16-bit numbers go to kernels, and scalars are rounded to them") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    CAPTURE(devices);
    context ctx(quiet(devices));
    constexpr std::int64_t n = 500;
    const auto values = halves(n);
    auto x = ctx.from<float16>({n}, values);
    auto y = ctx.full<float16>({n}, float16(0.1));
    auto z = ctx.empty<bfloat16>({n});
    const launch_options settings{.threads = {n}, .block = {64}};
    const kernel axpy = ctx.compile(half_source, "axpy");
    axpy.launch(settings, n, y, x, 3);                // 3 times x
    axpy.launch(settings, n, y, x, 0.5);              // and a half
    axpy.launch(settings, n, y, x, float16(-0.25F));  // and a quarter less
    ctx.compile(half_source, "widen").launch(settings, n, z, y);
    const auto found = y.read();
    const auto wide = z.read();
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      float16 expected(0.1);
      for (const float a : {3.0F, 0.5F, -0.25F}) expected = float16(a * values[i] + expected);
      wrong += found[i].bits() != expected.bits();
      wrong += wide[i].bits() != bfloat16(static_cast<float>(expected)).bits();
    }
    CHECK(wrong == 0);
    CHECK(says(message_of<argument_error>([&] { axpy.launch(settings, n, y, x, 70000); }),
               "70000, which does not fit into float16"));
    CHECK(says(message_of<argument_error>([&] { axpy.launch(settings, n, z, x, 1); }),
               "points to float16, but the array holds bfloat16"));
  }
}

TEST_CASE("16-bit numbers are reduced, in the same bits everywhere where that is asked for") {
  const auto values = halves(2003);
  context one(deterministic("cpu"));
  const summaries expected = summary_in(one, values);
  CHECK(static_cast<float>(float16::from_bits(expected.least)) == -50.0F);
  CHECK(static_cast<float>(float16::from_bits(expected.most)) == 50.0F);
  int sum = 0;
  double product = 1;
  for (const float16 v : values) sum += static_cast<int>(static_cast<float>(v)), product *= 1.0 + v / 512.0;
  CHECK(std::abs(float16::from_bits(expected.sum) - static_cast<float>(sum)) < 8);
  CHECK(bfloat16::from_bits(expected.product) == doctest::Approx(product).epsilon(0.5));
  for (const char* devices : {"cpu*2", "cpu*3", "cpu*5"}) {
    context ctx(deterministic(devices));
    CHECK(summary_in(ctx, values) == expected);
  }
  const auto in = [&](context& ctx) { return summary_in(ctx, values); };
  for (const summaries& s : on_three_ranks<summaries>(in)) CHECK(s == expected);
}

TEST_CASE("atomic sums of 16-bit numbers are added to what was there") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices));
    auto sums = ctx.full<float16>({3}, float16(7));
    ctx.compile(half_source, "count").launch({.threads = {300}, .block = {32}}, 300, sums);
    for (const float16 s : sums.read()) CHECK(static_cast<float>(s) == 32.0F);
  }
}
