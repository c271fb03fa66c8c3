// Kernels with a second text for CPU devices (rule H22).
#include <cstdint>

#include "tessera/base/text.h"
#include "tessera/device/backend.h"
#include "tests/array/on_ranks.h"
#include "tests/array/support.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::counted;
using support::message_of;
using support::quiet;
using support::says;

namespace {

/// y[i] = f * x[i] + v, four elements per thread where there are threads, in chunks of 128 elements per thread block.
constexpr const char* scale_cuda = R"(
//@tessera block b => read x[128*b : 128*b+127], write y[128*b : 128*b+127]
__global__ void scale(int n, int f, int v, const int* x, int* y) {
  for (int k = 0; k < 4; ++k) {
    int i = blockIdx.x * 128 + k * 32 + threadIdx.x;
    if (i < n) y[i] = f * x[i] + v;
  }
})";
constexpr const char* scale_cpu = R"(
__global__ void scale(int n, int f, int v, const int* __restrict__ x, int* __restrict__ y) {
  const int begin = blockIdx.x * 128;
  const int end = min(n, begin + (int)tessera_blocks * 128);
  for (int i = begin; i < end; ++i) y[i] = f * x[i] + v;
})";

launch_options over(int n) { return {.threads = {(n + 127) / 128 * 32}, .block = {32}}; }

std::vector<int> scaled(int n, int f, int v) {
  std::vector<int> result = counted(n);
  for (int& e : result) e = f * e + v;
  return result;
}

}  // namespace

TEST_CASE("CPU devices run the text for CPUs, GPUs the other") {
  context ctx(quiet("cpu*2"));
  const kernel k = ctx.compile(
      "//@tessera global i => write y[i]\n"
      "__global__ void kind(int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 1; }",
      "kind",
      {.cpu_source = "__global__ void kind(int* y) {\n"
                     "  for (unsigned i = 0; i < tessera_blocks * blockDim.x; ++i)\n"
                     "    y[blockIdx.x * blockDim.x + i] = 2;\n}"});
  auto y = ctx.zeros<int>({640});
  k.launch({.threads = {640}, .block = {64}}, y);
  CHECK(y.read() == std::vector<int>(640, support::on_gpu() ? 1 : 2));
}

TEST_CASE("a text for CPUs gives the same on any number of devices, for every split, in slices and in little memory") {
  constexpr int n = 9'000;
  for (const char* devices : {"cpu", "cpu*3", "cpu*4"})
    for (const char* memory : {"", "16KiB"}) {
      options settings = quiet(devices, "all");
      if (*memory != '\0' && !support::on_gpu()) settings.device_memory = memory, settings.host_memory = "1MiB";
      context ctx(settings);
      const kernel k = ctx.compile(scale_cuda, "scale", {.cpu_source = scale_cpu});
      auto x = ctx.from<int>({n}, counted(n));
      for (const split& by : {split(), split(blocks(32)), split(blocks(96)), split(blocks(2'000))}) {
        auto y = ctx.empty<int>({n});
        launch_options l = over(n);
        l.split = by;
        k.launch(l, n, 3, 5, x, y);
        CHECK(y.read() == scaled(n, 3, 5));
      }
      auto y = ctx.full<int>({n}, -1);
      k.launch(over(500), 500, 2, 0, x.slice({{1'000, 1'500}}), y.slice({{4'001, 4'501}}));
      const std::vector<int> found = y.read();
      for (int i = 0; i < n; ++i)
        CHECK(found[static_cast<std::size_t>(i)] == (i < 4'001 || i >= 4'501 ? -1 : 2 * (i - 3'001)));
    }
}

TEST_CASE("a text for CPUs takes rows of a plane, views and values") {
  constexpr int height = 37, width = 150;
  const char* cuda = R"(
//@tessera global [j, i] => read x as [h, w] [i, j], write y[i, j]
__global__ void add(int h, int w, int v, const int* x, int* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < h && j < w) y[i * w + j] = x[i * w + j] + v;
})";
  const char* cpu = R"(
__global__ void add(int h, int w, int v, const int* x, int* y) {
  const int end = min(w, (int)((blockIdx.x + tessera_blocks) * blockDim.x));
  for (int i = blockIdx.y * blockDim.y; i < min(h, (int)((blockIdx.y + 1) * blockDim.y)); ++i)
    for (int j = blockIdx.x * blockDim.x; j < end; ++j) y[i * w + j] = x[i * w + j] + v;
})";
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices));
    const kernel k = ctx.compile(cuda, "add", {.cpu_source = cpu});
    auto x = ctx.from<int>({height * width}, counted(height * width));
    const value<int> v = ctx.full<int>({1}, 7).value();
    for (const split& by : {split(), split(blocks({40, 5})), split(blocks({0, 8}))}) {
      auto y = ctx.empty<int>({height, width}, rows(8));
      k.launch({.threads = {width, height}, .block = {16, 4}, .split = by}, height, width, v, x, y);
      CHECK(y.read() == scaled(height * width, 1, 7));
    }
  }
}

TEST_CASE("where thread blocks have results of their own, a text for CPUs gets one block at a time") {
  const char* cuda = R"(
//@tessera block b => read x[64*b : 64*b+63], reduce(max) most, reduce(+) sum
__global__ void note(int n, const float* x, int* most, float* sum) {
  if (threadIdx.x != 0) return;
  float s = 0;
  for (int i = blockIdx.x * 64; i < n && i < (blockIdx.x + 1) * 64; ++i) s += x[i];
  sum[0] = s;
  most[0] = 1;
})";
  const char* cpu = R"(
__global__ void note(int n, const float* x, int* most, float* sum) {
  float s = 0;
  for (int i = blockIdx.x * 64; i < n && i < (blockIdx.x + tessera_blocks) * 64; ++i) s += x[i];
  sum[0] = s;
  most[0] = tessera_blocks;
})";
  constexpr int n = 20'000;
  std::vector<float> values;
  for (int i = 0; i < n; ++i) values.push_back(1.0F / static_cast<float>(1 + i % 97));
  std::vector<float> sums;
  for (const char* source : {"", cpu})
    for (const char* devices : {"cpu", "cpu*2", "cpu*3", "cpu*5"}) {
      options settings = quiet(devices);
      settings.deterministic = true;
      context ctx(settings);
      const kernel k = ctx.compile(cuda, "note", {.cpu_source = source});
      auto x = ctx.from<float>({n}, values);
      auto most = ctx.zeros<int>({1});
      auto sum = ctx.zeros<float>({1});
      k.launch({.threads = {(n + 63) / 64 * 32}, .block = {32}}, n, x, most, sum);
      CHECK(most.read() == std::vector<int>{1});
      sums.push_back(sum.read()[0]);
    }
  for (const float s : sums) CHECK(s == sums[0]);
}

TEST_CASE("rows of a text for CPUs that run beside each other combine with atomics") {
  context ctx(quiet("cpu*2"));
  const kernel k = ctx.compile(
      "//@tessera global i => read x[i], atomic(+) bins\n"
      "__global__ void count(int n, const int* x, int* bins) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) atomicAdd(&bins[x[i] % 4], 1);\n}",
      "count",
      {.cpu_source = "__global__ void count(int n, const int* x, int* bins) {\n"
                     "  int own[4] = {0, 0, 0, 0};\n"
                     "  const int end = min(n, (int)((blockIdx.x + tessera_blocks) * blockDim.x));\n"
                     "  for (int i = blockIdx.x * blockDim.x; i < end; ++i) ++own[x[i] % 4];\n"
                     "  for (int b = 0; b < 4; ++b) atomicAdd(&bins[b], own[b]);\n}"});
  constexpr int n = 200'000;
  auto x = ctx.from<int>({n}, counted(n));
  auto bins = ctx.full<int>({4}, 1);
  for (int step = 1; step <= 3; ++step) {
    k.launch({.threads = {n}, .block = {128}}, n, x, bins);
    CHECK(bins.read() == std::vector<int>(4, 1 + step * n / 4));
  }
}

TEST_CASE("checks hold for texts for CPUs" * doctest::skip(support::on_gpu())) {
  const auto launch = [](const std::string& body, const std::string& checks) {
    context ctx(quiet("cpu", checks));
    const kernel k = ctx.compile("//@tessera global i => write y[i]\n__global__ void f(int* y) {}", "f",
                                 {.cpu_source = "__global__ void f(int* y) {" + body + "}"});
    auto y = ctx.empty<int>({64});
    k.launch({.threads = {64}, .block = {32}}, y);
    ctx.wait();
  };
  CHECK(says(message_of<argument_error>([&] { launch("for (int i = 0; i < 60; ++i) y[i] = 1;", "all"); }), "'f'",
             "{60}", "not written"));
  CHECK(says(message_of<annotation_error>([&] { launch("for (int i = 0; i < 65; ++i) y[i] = 1;", "all"); }), "'f'",
             "writes", "y"));
  if (device::make_cpu({})->guard_bytes(0, 256) == 0) return;  // under a sanitizer, which finds it itself
  CHECK(says(message_of<argument_error>([&] { launch("for (int i = 0; i < 65; ++i) y[i] = 1;", "guards"); }), "'f'",
             "behind the last element"));
}

TEST_CASE("kernels with other texts for CPUs are other kernels, on every rank") {
  context ctx(quiet("cpu"));
  const std::string cuda = "//@tessera global i => write y[i]\n__global__ void f(int* y) { y[0] = 9; }";
  const auto text = [](int v) {
    return cat(
        "__global__ void f(int* y) { for (unsigned i = 0; i < tessera_blocks * blockDim.x; ++i) "
        "y[blockIdx.x * blockDim.x + i] = ",
        v, "; }");
  };
  const kernel one = ctx.compile(cuda, "f", {.cpu_source = text(1)}),
               two = ctx.compile(cuda, "f", {.cpu_source = text(2)});
  CHECK(one.entry() != two.entry());
  CHECK(one.entry() != ctx.compile(cuda, "f").entry());
  CHECK(one.entry() == ctx.compile(cuda, "f", {.cpu_source = text(1)}).entry());
  const std::vector<std::string> errors = support::errors_on_ranks(
      2, [](int) { return quiet("cpu"); },
      [&](context& c) {
        auto y = c.zeros<int>({64});
        c.compile(cuda, "f", {.cpu_source = text(c.rank())}).launch({.threads = {64}}, y);
        c.wait();
      });
  REQUIRE(!errors.empty());
  CHECK(says(errors.front(), "the ranks make different calls"));
}

TEST_CASE("where there are CPU devices only, the CUDA text is parsed but not compiled" *
          doctest::skip(support::on_gpu())) {
  context ctx(quiet("cpu*2"));
  const char* cpu =
      "__global__ void f(int* y) { for (unsigned b = 0; b < tessera_blocks; ++b) y[blockIdx.x + b] = 4; }";
  const std::string note = "//@tessera block b => write y[b]\n";
  auto y = ctx.zeros<int>({10});
  ctx.compile(note + "__global__ void f(int* y) { asm(\"trap;\"); y[0] = no_such_name; }", "f", {.cpu_source = cpu})
      .launch({.grid = {10}, .block = {32}}, y);
  CHECK(y.read() == std::vector<int>(10, 4));
  CHECK_THROWS_AS((void)ctx.compile(note + "__global__ void f(int** y) {}", "f", {.cpu_source = cpu}), compile_error);
  CHECK_THROWS_AS(
      (void)ctx.compile("//@tessera block b => write z[b]\n__global__ void f(int* y) {}", "f", {.cpu_source = cpu}),
      annotation_error);
}

TEST_CASE("a text for CPUs that cannot be is refused when it is loaded, or at its launch, and named") {
  context ctx(quiet("cpu"));
  const std::string cuda = "//@tessera global i => write y[i]\n__global__ void f(int n, int* y) {}";
  const auto refusal = [&](const std::string& cpu) {
    return message_of<compile_error>([&] { (void)ctx.compile(cuda, "f", {.cpu_source = cpu}); });
  };
  CHECK(says(refusal("__global__ void f(int* y) {}"), "f.cu, .cpu_source:1:", "the CPU text of kernel `f`",
             "f(int n, int* y)", "f(int* y)"));
  CHECK(
      says(refusal("__global__ void f(int n, int* y) {\n  __syncthreads(); }"), "f.cu, .cpu_source:2:3", "no threads"));
  CHECK(says(refusal("__global__ void g(int n, int* y) {}"), "f.cu, .cpu_source", "no kernel named `f`"));
  if (support::on_gpu()) return;
  auto y = ctx.zeros<int>({64});
  const kernel k = ctx.compile(cuda, "f", {.cpu_source = "__global__ void f(int n, int* y) {\n  y[0] = none;\n}"});
  k.launch({.threads = {64}}, 64, y);
  CHECK(says(message_of<compile_error>([&] { (void)y.read(); }), "the CPU text of kernel `f`", "f.cu, .cpu_source:2:"));
}

TEST_CASE("a text for CPUs finds headers beside the kernel's file, and has its macros" *
          doctest::skip(support::on_gpu())) {
  const support::temporary_directory folder;
  static_cast<void>(folder.write("inner.h", "__device__ int inner(int v) { return v + ADDED; }\n"));
  const std::string file =
      folder.write("f.cu", "//@tessera global i => write y[i]\n__global__ void f(int n, int* y) {}");
  context ctx(quiet("cpu*2"));
  const kernel k =
      ctx.load_kernel(file, {.defines = {{"ADDED", "5"}},
                             .cpu_source = "#include \"inner.h\"\n"
                                           "__global__ void f(int n, int* y) {\n"
                                           "  const int end = (blockIdx.x + tessera_blocks) * blockDim.x;\n"
                                           "  for (int i = blockIdx.x * blockDim.x; i < end; ++i)\n"
                                           "    y[i] = inner(i);\n}"});
  auto y = ctx.empty<int>({64});
  k.launch({.threads = {64}, .block = {8}}, 64, y);
  CHECK(y.read() == scaled(64, 1, 5));
}

TEST_CASE("structures reach a text for CPUs" * doctest::skip(support::on_gpu())) {
  struct range {
    double low;
    int steps;
  };
  context ctx(quiet("cpu"));
  const std::string type = "struct range { double low; int steps; };\n", head = "__global__ void f(range r, double* y)";
  const kernel k = ctx.compile(type + "//@tessera global i => write y[i]\n" + head + " {}", "f",
                               {.cpu_source = type + head +
                                              " { for (unsigned i = 0; i < tessera_blocks * blockDim.x; ++i) "
                                              "y[blockIdx.x * blockDim.x + i] = r.low + r.steps; }"});
  auto y = ctx.empty<double>({32});
  k.launch({.threads = {32}, .block = {4}}, range{0.5, 3}, y);
  CHECK(y.read() == std::vector<double>(32, 3.5));
  k.launch({.threads = {32}, .block = {4}}, 1.0F, y);
  CHECK_THROWS_AS((void)y.read(), argument_error);
}
