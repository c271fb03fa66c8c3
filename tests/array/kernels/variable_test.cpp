// `__constant__` and `__device__` variables of kernel files (rule H34).
#include <array>
#include <cstdint>
#include <thread>

#include "tessera/base/text.h"
#include "tests/array/on_ranks.h"
#include "tests/array/support.h"

using namespace tessera;
using support::message_of;
using support::quiet;
using support::says;

namespace {

constexpr const char* table_file = R"(
struct range { float lo, hi; };
__constant__ float c[4];
__constant__ int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
__constant__ range limits;
__constant__ const int fixed = 3;
__device__ float scale = 2;
__device__ float* somewhere;
//@tessera global i => write a[i]
__global__ void f(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 1 + scale * c[i % 4]; }
//@tessera global i => write a[i]
__global__ void g(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = grid[i % 2][i % 3]; }
//@tessera global i => write a[i]
__global__ void h(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i < 2 ? limits.lo : limits.hi; }
)";

constexpr const char* counter_file = R"(
__device__ int counter = 10;
__device__ int seen[3];
//@tessera global i => write a[i]
__global__ void count(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { a[i] = atomicAdd(&counter, 1); seen[i % 3] = 1; }
}
//@tessera global i => write a[i]
__global__ void look(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = counter + seen[i % 3]; }
)";

std::vector<float> table_result(int n, float scale, std::array<float, 4> c) {
  std::vector<float> result;
  for (int i = 0; i < n; ++i) result.push_back(1 + scale * c[static_cast<std::size_t>(i % 4)]);
  return result;
}

}  // namespace

TEST_CASE("a launch sees what a variable was set to last before it") {
  constexpr int n = 500;
  for (const char* devices : {"cpu", "cpu*3", "cpu*5"}) {
    CAPTURE(devices);
    context ctx(quiet(devices));
    const kernel f = ctx.compile(table_file, "f");
    std::vector<array<float>> results;
    for (int round = 0; round < 6; ++round) {
      const auto v = static_cast<float>(round);
      f.set("c", std::vector<float>{v, v + 1, v + 2, v + 3});
      if (round == 3) f.set("scale", 5);
      results.push_back(ctx.empty<float>({n}));
      f.launch({.threads = {n}, .block = {round % 2 == 0 ? 32 : 64}}, results.back(), n);
    }
    for (int round = 0; round < 6; ++round) {
      const auto v = static_cast<float>(round);
      CHECK(results[static_cast<std::size_t>(round)].read() ==
            table_result(n, round < 3 ? 2.F : 5.F, {v, v + 1, v + 2, v + 3}));
    }
    CHECK(f.get<float>("c") == std::vector<float>{5, 6, 7, 8});
  }
}

TEST_CASE("variables begin with their initialisers") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices));
    const kernel g = ctx.compile(table_file, "g");
    const auto a = ctx.empty<int>({60});
    g.launch({.threads = {60}, .block = {8}}, a, 60);
    std::vector<int> expected;
    for (int i = 0; i < 60; ++i) expected.push_back(3 * (i % 2) + i % 3 + 1);
    CHECK(a.read() == expected);
    CHECK(g.get<int>("grid") == std::vector<int>{1, 2, 3, 4, 5, 6});
    CHECK(g.get<float>("scale") == std::vector<float>{2});
    CHECK(g.get<int>("fixed") == std::vector<int>{3});
    g.launch({.threads = {60}, .block = {8}}, a, 60);
    CHECK(a.read() == expected);
    g.set("grid", {6, 5, 4, 3, 2, 1});
    g.launch({.threads = {60}, .block = {8}}, a, 60);
    for (int& e : expected) e = 7 - e;
    CHECK(a.read() == expected);
  }
}

TEST_CASE("a structure is set and read by its size") {
  struct range {
    float lo, hi;
  };
  context ctx(quiet("cpu*2"));
  const kernel h = ctx.compile(table_file, "h");
  h.set("limits", range{3, 4});
  const auto a = ctx.empty<float>({4});
  h.launch({.threads = {4}, .block = {1}}, a, 4);
  CHECK(a.read() == std::vector<float>{3, 3, 4, 4});
  CHECK(h.get<range>("limits").at(0).hi == 4);
  const std::string message = message_of<argument_error>([&] { h.set("limits", 1.0F); });
  CHECK(says(message, "limits", "8 bytes", "4 bytes"));
}

TEST_CASE("a constant that nobody set is a named error of the launch") {
  context ctx(quiet("cpu*3"));
  const kernel f = ctx.compile(table_file, "f"), g = ctx.compile(table_file, "g");
  const auto a = ctx.empty<float>({512});
  const auto launch = [&] { f.launch({.threads = {512}, .block = {128}}, a, 512); };
  const std::string message = message_of<argument_error>(launch);
  CHECK(says(message, "variable_test.cpp", "launch of 'f'", "__constant__ float[4] 'c' of f.cu:3", "never set",
             "k.set(\"c\", ...)"));
  g.launch({.threads = {4}, .block = {4}}, ctx.empty<int>({4}), 4);  // does not use it
  CHECK(says(message_of<argument_error>([&] { (void)f.get<float>("c"); }), "never set"));
  g.set("c", {1.F, 2.F, 3.F, 4.F});
  launch();
  CHECK(a.read() == table_result(512, 2, {1, 2, 3, 4}));
}

TEST_CASE("what a variable cannot be set to is told by name") {
  context ctx(quiet("cpu"));
  const kernel f = ctx.compile(table_file, "f");
  const auto refused = [&](auto call) { return message_of<argument_error>(call); };
  CHECK(says(refused([&] { f.set("scal", 1); }), "variable_test.cpp", "no __constant__ or __device__ variable 'scal'",
             "did you mean 'scale'", "grid, limits"));
  CHECK(says(refused([&] {
               f.set("c", {1.F, 2.F, 3.F});
             }),
             "__constant__ float[4] 'c'", "4 x float32, 16 bytes", "3 x float32, 12 bytes"));
  CHECK(says(refused([&] { f.set("c", {1, 2, 3, 4}); }), "4 x float32", "4 x int32"));
  CHECK(says(refused([&] { f.set("grid", 4); }), "6 x int32", "1 x int32"));
  CHECK(says(refused([&] { f.set("fixed", 4); }), "is const"));
  CHECK(says(refused([&] { f.set("somewhere", std::uint64_t{0}); }), "holds an address"));
  CHECK(says(refused([&] { (void)f.get<double>("c"); }), "4 x float32", "2 x float64"));
  const kernel aims = ctx.compile(
      "__device__ float* at;\n//@tessera single => write a\n__global__ void aim(float* a) { at = a; a[0] = 1; }",
      "aim");
  CHECK(says(refused([&] { aims.launch({.threads = {1}, .block = {1}}, ctx.empty<float>({1})); }), "launch of 'aim'",
             "float* 'at'", "holds an address"));
  const kernel native = support::make_increment(ctx);
  CHECK(says(refused([&] { native.set("c", 1); }), "no __constant__ or __device__ variable 'c'", "it has none"));
}

TEST_CASE("on one device kernels of one file share what they change, in every variant") {
  constexpr int n = 300;
  for (const char* tier : {"", "fiber"}) {
    options settings = quiet("cpu");
    settings.cpu_tier = parse_tier(tier);
    context ctx(settings);
    const kernel count = ctx.compile(counter_file, "count"), look = ctx.compile(counter_file, "look");
    const auto a = ctx.empty<int>({n}), b = ctx.empty<int>({1});
    CHECK(look.get<int>("counter") == std::vector<int>{10});
    count.launch({.threads = {n}, .block = {32}}, a, n);
    std::vector<int> tickets = a.read();
    std::sort(tickets.begin(), tickets.end());
    for (int i = 0; i < n; ++i) CHECK(tickets[static_cast<std::size_t>(i)] == 10 + i);
    look.launch({.threads = {1}, .block = {1}}, b, 1);
    CHECK(b.read()[0] == 10 + n + 1);
    const kernel again = ctx.compile(counter_file, "count");
    again.launch({.threads = {n}, .block = {64}}, a, n);
    count.launch({.threads = {n}, .block = {32}}, a, n);
    CHECK(look.get<int>("counter") == std::vector<int>{10 + 3 * n});
    look.set("counter", 1);
    count.launch({.threads = {n}, .block = {128}}, a, n);
    CHECK(look.get<int>("counter") == std::vector<int>{1 + n});
    CHECK(look.get<int>("seen") == std::vector<int>{1, 1, 1});
  }
}

TEST_CASE("a variable that a split launch would change is a named error; one superblock may change it") {
  constexpr int n = 300;
  context ctx(quiet("cpu*3"));
  const kernel count = ctx.compile(counter_file, "count"), look = ctx.compile(counter_file, "look");
  const auto a = ctx.empty<int>({n});
  const std::string message = message_of<argument_error>([&] { count.launch({.threads = {n}, .block = {4}}, a, n); });
  CHECK(says(message, "launch of 'count'", "__device__ int 'counter' of count.cu:2", "3 superblocks", "ts::whole()"));
  CHECK(
      says(message_of<argument_error>([&] { (void)count.explain({.threads = {n}, .block = {4}}, a, n); }), "counter"));
  for (int device = 0; device < 3; ++device) count.launch({.threads = {n}, .block = {4}, .split = on(device)}, a, n);
  count.launch({.threads = {n}, .block = {4}, .split = whole()}, a, n);
  look.launch({.threads = {n}, .block = {4}}, a, n);  // only reads it, on all devices
  CHECK(a.read() == std::vector<int>(n, 10 + 4 * n + 1));
}

TEST_CASE("ranks share variables, set them alike and are told where they do not") {
  support::on_ranks(3, "cpu*2", [](context& ctx) {
    constexpr int n = 96;
    const kernel f = ctx.compile(table_file, "f"), count = ctx.compile(counter_file, "count");
    const auto a = ctx.empty<float>({n});
    const auto b = ctx.empty<int>({n});
    for (int round = 1; round < 4; ++round) {
      const auto v = static_cast<float>(round);
      f.set("c", {v, 2 * v, 3 * v, 4 * v});
      f.launch({.threads = {n}, .block = {4}}, a, n);
      support::require(a.read() == table_result(n, 2, {v, 2 * v, 3 * v, 4 * v}), "the table is wrong");
      count.launch({.threads = {n}, .block = {4}, .split = on(2 * round - 1)}, b, n);
      support::require(count.get<int>("counter")[0] == 10 + round * n, "the counter is wrong");
    }
  });
  const auto settings = [](int) { return quiet("cpu"); };
  const std::vector<std::string> errors = support::errors_on_ranks(2, settings, [](context& ctx) {
    const kernel f = ctx.compile(table_file, "f");
    f.set("scale", ctx.rank() + 1);
    ctx.wait();
  });
  REQUIRE(!errors.empty());
  CHECK(says(errors.front(), "variable_test.cpp"));
}

TEST_CASE("a kernel with a text for CPUs, with shared memory or with a reduction finds its variables") {
  context ctx(quiet("cpu*3"));
  constexpr int n = 256;
  const kernel rows = ctx.compile(
      "__constant__ int w[2];\n//@tessera global i => write a[i]\n"
      "__global__ void r(int* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = w[i % 2]; }",
      "r",
      {.cpu_source = "__constant__ int w[2];\n__global__ void r(int* a) {\n"
                     "  for (unsigned i = 0; i < tessera_blocks * blockDim.x; ++i) {\n"
                     "    unsigned k = blockIdx.x * blockDim.x + i; a[k] = w[k % 2]; } }"});
  const kernel sums = ctx.compile(R"(
__constant__ int factor;
//@tessera global i => read x[i], reduce(+) y
__global__ void s(const int* x, int* y) {
  __shared__ int part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = factor * x[i];
  __syncthreads();
  if (threadIdx.x == 0) { int sum = 0; for (int k = 0; k < 32; ++k) sum += part[k]; *y = sum; }
})",
                                  "s");
  const auto a = ctx.empty<int>({n}), y = ctx.zeros<int>({1});
  for (int round = 1; round < 4; ++round) {
    rows.set("w", {round, -round});
    rows.launch({.threads = {n}, .block = {32}}, a);
    sums.set("factor", round);
    sums.launch({.threads = {n}, .block = {32}}, a, y);
    CHECK(y.read()[0] == 0);
    rows.set("w", {round, 0});
    rows.launch({.threads = {n}, .block = {32}}, a);
    sums.launch({.threads = {n}, .block = {32}}, a, y);
    CHECK(y.read()[0] == round * round * n / 2);
  }
}

TEST_CASE("variables that are set by one thread and used by others keep whole contents") {
  context ctx(quiet("cpu*2"));
  const kernel f = ctx.compile(table_file, "f");
  f.set("c", {0.F, 0.F, 0.F, 0.F});
  std::thread setter([&] {
    for (int k = 1; k < 40; ++k) {
      const auto v = static_cast<float>(k);
      f.set("c", {v, v, v, v});
    }
  });
  for (int k = 0; k < 40; ++k) {
    const auto a = ctx.empty<float>({64});
    f.launch({.threads = {64}, .block = {16}}, a, 64);
    const std::vector<float> got = a.read();
    CHECK(got == std::vector<float>(64, got.front()));
  }
  setter.join();
}
