#include "tessera/kernel/wrap/cpu_wrapper.h"

#include <doctest/doctest.h>

#include "tessera/base/error.h"
#include "tests/kernel/cpu_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

namespace {

std::string compile_failure(const std::string& source, const std::string& compiler) {
  try {
    const cpu_kernel k(parse_kernel(source, "folder/my kernel.cu"), tier::loop, {32}, compiler);
  } catch (const compile_error& e) {
    return e.what();
  }
  return "no error";
}

constexpr const char* free_kernel =
    "__global__ void k(int n, float* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }";

}  // namespace

TEST_CASE("the tier follows the features, and a forced tier holds where the kernel allows it") {
  feature_set plain;
  feature_set with_barrier;
  with_barrier.barriers = true;
  CHECK(choose_tier(plain) == tier::loop);
  CHECK(choose_tier(plain, "fiber") == tier::fiber);
  CHECK(choose_tier(plain, "split") == tier::loop);
  for (const char* forced : {"", "loop", "split"}) CHECK(choose_tier(with_barrier, forced) == tier::split);
  CHECK(choose_tier(with_barrier, "fiber") == tier::fiber);
  with_barrier.unsplit = "line 3: a lambda";
  for (const char* forced : {"", "loop", "split"}) CHECK(choose_tier(with_barrier, forced) == tier::fiber);
  CHECK_THROWS_AS(static_cast<void>(choose_tier(plain, "warp")), argument_error);
}

TEST_CASE("a kernel that takes any block has one text for all, others one per block") {
  const kernel_text free = parse_kernel(free_kernel, "k.cu");
  CHECK(make_cpu_source(free, {tier::loop, {256}}) == make_cpu_source(free, {tier::loop, {16, 4}}));
  CHECK(make_cpu_source(free, {tier::fiber, {256}}) != make_cpu_source(free, {tier::fiber, {128}}));
  const kernel_text bound = parse_kernel("__global__ void k(int* a) { a[blockIdx.x] = blockDim.x; }", "k.cu");
  CHECK(make_cpu_source(bound, {tier::loop, {256}}) != make_cpu_source(bound, {tier::loop, {128}}));
}

TEST_CASE("blocks that no device can run are refused") {
  const kernel_text k = parse_kernel(free_kernel, "k.cu");
  CHECK_THROWS_AS(static_cast<void>(make_cpu_source(k, {tier::loop, {2048}})), argument_error);
  CHECK_THROWS_AS(static_cast<void>(make_cpu_source(k, {tier::fiber, {64, 64}})), argument_error);
  CHECK_THROWS_AS(static_cast<void>(make_cpu_source(k, {tier::fiber, {0}})), argument_error);
}

TEST_CASE("assembly for GPUs is refused on a CPU where it stands") {
  const kernel_text k = parse_kernel("__global__ void k(int* a) {\n  asm(\"trap;\");\n}", "k.cu");
  try {
    static_cast<void>(make_cpu_source(k, {}));
    FAIL("assembly was accepted");
  } catch (const compile_error& e) {
    CHECK(std::string(e.what()).find("k.cu:2:3") != std::string::npos);
  }
}

TEST_CASE("compiler messages carry the user's file and line") {
  for (const std::string& compiler : compilers()) {
    const std::string message =
        compile_failure("//@tessera single\n__global__ void k(float* a) {\n  a[0] = undefined_name;\n}", compiler);
    CHECK(message.find("folder/my kernel.cu:3:") != std::string::npos);
    CHECK(message.find("undefined_name") != std::string::npos);
  }
}

TEST_CASE("a barrier that the token scan cannot see is an error, never a wrong result") {
  const std::string hidden = "#define PASTE(a, b) a##b\n__global__ void k(int* a) { PASTE(__sync, threads)(); }";
  for (const std::string& compiler : compilers())
    CHECK(compile_failure(hidden, compiler).find("__syncthreads") != std::string::npos);
}

TEST_CASE("macros and names of the user do not disturb the wrapper") {
  const std::string source = R"(
#define block 256
#define run 7
#define launch sideways
#define x0 1
#define T int
namespace kernel { int begin, end; }
__global__ void k(int n, float* a, int margin, int edge) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) a[row] = block + run + margin + edge;
})";
  for (const std::string& compiler : compilers()) {
    const cpu_kernel k(parse_kernel(source, "k.cu"), tier::loop, {64}, compiler);
    std::vector<float> a(65);
    float* p = a.data();
    int n = 65;
    int margin = 1000;
    int edge = 2000;
    k.run({2}, {&n, &p, &margin, &edge});
    CHECK(a[64] == 3263.0F);
  }
}

TEST_CASE("given macros reach the kernel") {
  const kernel_text text = parse_kernel("__global__ void k(TYPE* a) { a[threadIdx.x] = VALUE; }", "k.cu", "k",
                                        {{"TYPE", "double"}, {"VALUE", "2.5"}});
  CHECK(text.parameters[0].type == dtype::make(scalar_kind::float64));
  const cpu_kernel k(text, tier::loop, {4});
  std::vector<double> a(4);
  double* p = a.data();
  k.run({1}, {&p});
  CHECK(a == std::vector<double>{2.5, 2.5, 2.5, 2.5});
}

TEST_CASE("a launch with another block than the kernel was compiled for is stopped") {
  const kernel_text text = parse_kernel("__global__ void k(int* a) { a[blockIdx.x] = blockDim.x; }", "k.cu");
  const std::string source = make_cpu_source(text, {tier::loop, {8}});
  CHECK(source.find("8U") != std::string::npos);
  CHECK(source.find("__builtin_trap") != std::string::npos);
}
