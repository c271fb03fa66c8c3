#include "tests/array/support.h"
#include "tests/support/stderr_text.h"

namespace tessera {
namespace {

using support::message_of;
using support::quiet;
using support::says;

const auto gpu = support::on_gpu();

/// What the launch of a kernel `f` over `n` threads in blocks of `block` is refused with; a "" stands for nothing.
struct refusal {
  std::string devices = "cpu";
  std::int64_t threads = 3000;
  std::int64_t block = 256;

  template <class... Arguments>
  std::string of(context& ctx, const std::string& text, const Arguments&... arguments) const {
    const kernel k = ctx.compile(text, "f");
    k.launch({.threads = {threads}, .block = {block}}, arguments...);
    try {
      ctx.wait();
    } catch (const annotation_error& e) {
      return e.what();
    }
    return {};
  }
};

const std::string index = "{ int i = blockIdx.x * blockDim.x + threadIdx.x;\n";

}  // namespace

TEST_CASE("the check access names an undeclared read with thread, element, line and the rule for it" *
          doctest::skip(gpu)) {
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices, "access"));
    auto a = ctx.ones<float>({3000}), b = ctx.empty<float>({3000});
    const std::string text = refusal{}.of(ctx,
                                          "//@tessera global i => read a[i], write b[i]\n"
                                          "__global__ void f(int n, float* b, const float* a) " +
                                              index + "  if (i < n - 1) b[i] = a[i] + a[i + 1]; else b[i] = 0; }\n",
                                          3000, b, a);
    CHECK(says(text, "access_check_test.cpp:", "kernel 'f'", "thread (0) of block (0) reads a[1] at f.cu:3",
               "does not declare", "`read a[i:i+1]`"));
  }
}

TEST_CASE("an index that wraps around has no rule but the whole array" * doctest::skip(gpu)) {
  context ctx(quiet("cpu", "access"));
  auto a = ctx.ones<float>({3000}), b = ctx.empty<float>({3000});
  CHECK(says(refusal{}.of(ctx,
                          "//@tessera global i => read a[i], write b[i]\n"
                          "__global__ void f(int n, float* b, const float* a) " +
                              index + "  if (i < n) b[i] = a[i] + a[i + 1 < n ? i + 1 : 0]; }\n",
                          3000, b, a),
             "thread (0) of block (0) reads a[1]", "`read a`"));
}

TEST_CASE("the check access names an undeclared write" * doctest::skip(gpu)) {
  context ctx(quiet("cpu", "access"));
  auto a = ctx.ones<float>({3000}), b = ctx.empty<float>({3000});
  CHECK(says(refusal{}.of(ctx,
                          "//@tessera global i => read a[i], write b[i]\n"
                          "__global__ void f(int n, float* b, const float* a) " +
                              index + "  if (i < n) b[i + 1 < n ? i + 1 : 0] = a[i]; }\n",
                          3000, b, a),
             "thread (0) of block (0) writes b[1] at f.cu:3", "`write b`"));
  CHECK(says(refusal{}.of(ctx,
                          "//@tessera global i => read a[i], write b[i]\n"
                          "__global__ void f(int n, float* b, const float* a) " +
                              index + "  if (i + 1 < n) b[i + 1] = a[i]; }\n",
                          3000, b, a),
             "writes b[1]", "`write b[i+1]`"));
}

TEST_CASE("a write through a parameter that is declared for reading is named" * doctest::skip(gpu)) {
  context ctx(quiet("cpu", "access"));
  auto a = ctx.ones<float>({100});
  CHECK(says(refusal{"cpu", 100, 32}.of(ctx,
                                        "//@tessera global i => read a[i]\n"
                                        "__global__ void f(int n, float* a) " +
                                            index + "  if (i < n && a[i] > 0) a[i] = 2; }\n",
                                        100, a),
             "writes a[0]", "`readwrite a[i]`"));
}

TEST_CASE("a read of what is declared 'write' is named unless the launch has written it" * doctest::skip(gpu)) {
  context ctx(quiet("cpu", "access"));
  auto a = ctx.ones<float>({100});
  const std::string head = "//@tessera global i => write a[i]\n__global__ void f(int n, float* a) " + index;
  CHECK(says(refusal{"cpu", 100, 32}.of(ctx, head + "  if (i < n) a[i] += 1; }\n", 100, a), "reads a[0] at f.cu:3",
             "'write' alone", "`readwrite a[i]`"));
  auto c = ctx.empty<float>({100});
  CHECK(refusal{"cpu", 100, 32}.of(ctx, head + "  if (i < n) { a[i] = 1; for (int k = 0; k < n; ++k) a[i] += k; } }\n",
                                   100, c) == "");
}

TEST_CASE("atomics count as updates, at the line that calls them" * doctest::skip(gpu)) {
  context ctx(quiet("cpu", "access"));
  auto h = ctx.zeros<int>({64});
  const std::string body = index + "  if (i < n)\n    atomicAdd(&h[i % 16], 1); }\n";
  CHECK(refusal{"cpu", 1000, 128}.of(ctx, "//@tessera atomic(+) h[0:15]\n__global__ void f(int n, int* h) " + body,
                                     1000, h) == "");
  CHECK(says(refusal{"cpu", 1000, 128}.of(ctx, "//@tessera atomic(+) h[0:14]\n__global__ void f(int n, int* h) " + body,
                                          1000, h),
             "thread (15) of block (0) updates h[15] at f.cu:4", "`readwrite h["));
}

TEST_CASE("private results of thread blocks are compared with what the block declares" * doctest::skip(gpu)) {
  context ctx(quiet("cpu*2", "access"));
  auto s = ctx.zeros<int>({64});
  const auto text = [&](const std::string& rule, const std::string& statement) {
    return "//@tessera block b => reduce(+) " + rule + "\n__global__ void f(int* s) { " + statement + " }\n";
  };
  const refusal r{"cpu*2", 1024, 64};
  CHECK(r.of(ctx, text("s[4*b:4*b+3]", "if (threadIdx.x < 4) s[4 * blockIdx.x + threadIdx.x] = 1;"), s) == "");
  CHECK(says(r.of(ctx, text("s[4*b:4*b+3]", "if (threadIdx.x < 4) s[4 * blockIdx.x + threadIdx.x + 1] = 1;"), s),
             "thread (3) of block (0) writes directly behind the last element of 's'"));
}

TEST_CASE("threads that share memory may load what their block declares" * doctest::skip(gpu)) {
  context ctx(quiet("cpu*2", "access"));
  auto a = ctx.ones<float>({1024}), b = ctx.empty<float>({1024});
  const auto text = [](const std::string& reads) {
    return "//@tessera global i => read " + reads +
           ", write b[i]\n__global__ void f(int n, float* b, const float* a) {\n"
           "  __shared__ float t[66]; int i = blockIdx.x * 64 + threadIdx.x;\n"
           "  t[threadIdx.x + 1] = a[i];\n"
           "  if (threadIdx.x == 0) { t[0] = i > 0 ? a[i - 1] : 0; t[65] = i + 64 < n ? a[i + 64] : 0; }\n"
           "  __syncthreads();\n"
           "  b[i] = t[threadIdx.x] + t[threadIdx.x + 1] + t[threadIdx.x + 2]; }\n";
  };
  const refusal r{"cpu*2", 1024, 64};
  CHECK(r.of(ctx, text("a[i-1:i+1]"), 1024, b, a) == "");
  CHECK(says(r.of(ctx, text("a[i-1:i]"), 1024, b, a), "thread (0) of block (0) reads a[64] at f.cu:5"));
}

TEST_CASE("all parameters that an array is passed for declare together, in its slices and views" * doctest::skip(gpu)) {
  context ctx(quiet("cpu", "access"));
  auto a = ctx.ones<float>({4, 8}), b = ctx.empty<float>({4, 8});
  const std::string twice =
      "//@tessera global i => read a as [32][i], c as [32][i+1], write b as [32][i]\n"
      "__global__ void f(int n, float* b, const float* a, const float* c) " +
      index + "  if (i < n) b[i] = a[i] + (i + 1 < n ? a[i + 1] : 0); }\n";
  const refusal r{"cpu", 32, 8};
  CHECK(r.of(ctx, twice, 32, b, a, a) == "");
  CHECK(says(r.of(ctx, twice, 32, b, a, ctx.ones<float>({4, 8})), "reads a[1] at f.cu:3", "`read a as [32][i:i+1]`"));
  const std::string rows =
      "//@tessera global [j, i] => read a[i, j], write b[i, j]\n"
      "__global__ void f(float* b, const float* a) {\n"
      "  int j = threadIdx.x, i = threadIdx.y; b[i * 8 + j] = a[i * 8 + j + OFF]; }\n";
  const auto of_slice = [&](const char* offset) {
    const kernel k = ctx.compile(rows, "f", {.defines = {{"OFF", offset}}});
    k.launch({.threads = {4, 4}, .block = {4, 4}}, b.slice({{0, 4}, {0, 4}}), a.slice({{0, 4}, {4, 8}}));
    ctx.wait();
  };
  of_slice("0");
  CHECK(says(message_of<annotation_error>([&] { of_slice("-1"); }), "thread (0, 0) of block (0, 0) reads a[0, -1]",
             "`read a[i, j-1:j]`"));
}

TEST_CASE("an access to no array of the launch is named with the nearest one" * doctest::skip(gpu)) {
  context ctx(quiet("cpu", "access"));
  auto a = ctx.ones<float>({100});
  CHECK(says(refusal{"cpu", 1, 1}.of(ctx,
                                     "//@tessera single => readwrite a\n"
                                     "__global__ void f(float* a) {\n  float x = a[100];\n  a[0] = x * 0; }\n",
                                     a),
             "reads directly behind the last element of 'a' at f.cu:3", "no array of the launch"));
}

TEST_CASE("memory of a kernel's own is no array" * doctest::skip(gpu)) {
  context ctx(quiet("cpu", "access"));
  auto a = ctx.ones<int>({64});
  const std::string text =
      "__constant__ int table[4] = {1, 2, 3, 4};\n__device__ int counter = 3;\n"
      "__device__ int pick(const int* from, int k) { return from[k & 3]; }\n"
      "//@tessera global i => readwrite a[i]\n"
      "__global__ void f(int* a) { extern __shared__ int room[]; __shared__ int fixed[64]; int own[8];\n"
      "  for (int k = 0; k < 8; ++k) own[k] = pick(table, k) + counter;\n"
      "  room[threadIdx.x] = fixed[threadIdx.x] = pick(own, threadIdx.x); __syncthreads();\n"
      "  a[threadIdx.x] = room[63 - threadIdx.x] + fixed[threadIdx.x]; }\n";
  const kernel k = ctx.compile(text, "f");
  k.launch({.threads = {64}, .block = {64}, .shared = 256}, a);
  CHECK_NOTHROW((void)a.read());
}

TEST_CASE("a text for CPUs is compared by rows of blocks" * doctest::skip(gpu)) {
  context ctx(quiet("cpu*2", "access"));
  auto y = ctx.empty<float>({1000}), x = ctx.ones<float>({1000});
  const auto row = [](const char* read) {
    return "__global__ void f(int n, float* y, const float* x) {\n"
           "  unsigned first = blockIdx.x * blockDim.x, last = first + tessera_blocks * blockDim.x;\n"
           "  for (unsigned i = first; i < last && i < n; ++i) y[i] = " +
           std::string(read) + "; }\n";
  };
  const auto run = [&](const char* read) {
    kernel_options options;
    options.cpu_source = row(read);
    const kernel k = ctx.compile(
        "//@tessera global i => read x[i], write y[i]\n"
        "__global__ void f(int n, float* y, const float* x) " +
            index + " if (i < n) y[i] = x[i]; }",
        "f", options);
    k.launch({.threads = {1000}, .block = {100}}, 1000, y, x);
    ctx.wait();
  };
  CHECK_NOTHROW(run("x[i]"));
  CHECK(says(message_of<annotation_error>([&] { run("i == 0 ? x[999] : x[i]"); }), "reads x[999]", "`read x"));
}

TEST_CASE("a million elements are checked in seconds" * doctest::skip(gpu)) {
  context ctx(quiet("cpu*2", "access,overdeclared"));
  const int n = 1 << 20;
  auto a = ctx.ones<float>({n}), b = ctx.empty<float>({n});
  CHECK(refusal{"cpu*2", n, 256}.of(ctx,
                                    "//@tessera global i => read a[i-1:i+1], write b[i]\n"
                                    "__global__ void f(int n, float* b, const float* a) " +
                                        index + "  if (i < n) b[i] = (i > 0 ? a[i - 1] : 0) + a[i]; }\n",
                                    n, b, a) == "");
}

TEST_CASE("the check overdeclared says how much of a rule is used, and a tighter one") {
  if (gpu) return;
  const auto logged = [](const std::string& reads, int threads) {
    const support::stderr_text text;
    options settings = quiet("cpu*2", "overdeclared");
    settings.log = log_level::warning;
    context ctx(settings);
    auto a = ctx.ones<float>({4096}), b = ctx.empty<float>({4096});
    const kernel k =
        ctx.compile("//@tessera global i => read " + reads +
                        ", write b[i]\n__global__ void f(float* b, const float* a) " + index + "  b[i] = a[i]; }\n",
                    "f");
    for (int again = 0; again < 2; ++again) k.launch({.threads = {threads}, .block = {256}}, b, a);
    ctx.wait();
    return text.get();
  };
  const std::string text = logged("a", 1024);
  CHECK(says(text, "access_check_test.cpp:", "kernel 'f' declares more than it uses", "`read a` has 4096 elements, of",
             "which 1024 are used", "`read a[i]` would do"));
  CHECK(text.find("kernel 'f'") == text.rfind("kernel 'f'"));
  CHECK(logged("a", 4096) == "");
  CHECK(logged("a[i]", 4096) == "");
}

TEST_CASE("what 'write' leaves out is named on one device too") {
  context ctx(quiet("cpu", "unwritten"));
  const kernel k = ctx.compile(
      "//@tessera global i => read a[i-1:i+1], write b[i]\n"
      "__global__ void f(int n, float* b, const float* a) " +
          index + "  if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i + 1]; }\n",
      "f");
  auto a = ctx.full<float>({3000}, 1), b = ctx.full<float>({3000}, 7);
  k.launch({.threads = {3000}, .block = {256}}, 3000, b, a);
  CHECK(says(message_of<argument_error>([&] { (void)b.read(); }), "{0}", "'f'", "'write'", "on one device too",
             "readwrite"));
}

}  // namespace tessera
