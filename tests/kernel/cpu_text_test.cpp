#include "tessera/kernel/source/cpu_text.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tests/kernel/cpu_kernel.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

namespace {

constexpr const char* cuda_axpy =
    "__global__ void axpy(int n, float a, const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n}\n";

constexpr const char* cpu_axpy =
    "__global__ void axpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {\n"
    "  const long begin = (long)blockIdx.x * blockDim.x, end = begin + (long)tessera_blocks * blockDim.x;\n"
    "  for (long i = begin; i < (end < n ? end : n); ++i) y[i] = a * x[i] + y[i];\n}\n";

kernel_text cpu_text_of(const std::string& cpu, const std::string& cuda) {
  return parse_cpu_text(cpu, parse_kernel(cuda, "folder/k.cu"));
}

std::string refusal_of(const std::string& cpu, const std::string& cuda) {
  try {
    static_cast<void>(cpu_text_of(cpu, cuda));
  } catch (const compile_error& e) {
    return e.what();
  }
  return "no error";
}

bool says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  MESSAGE("'", part, "' is not in: ", text);
  return false;
}

/// What the compiler says of the text that CPU devices compile.
std::string compiler_refusal(const kernel_text& text, const std::string& compiler) {
  try {
    static_cast<void>(device::compile_shared_object(choose_cpu_source(text, {32}), {.executable = compiler}));
  } catch (const compile_error& e) {
    return e.what();
  }
  return "no error";
}

std::vector<float> run_axpy(const cpu_kernel& k, int n, extents grid, extents begin) {
  std::vector<float> x = numbers<float>(static_cast<std::size_t>(n), -1, 1, 1);
  std::vector<float> y = numbers<float>(static_cast<std::size_t>(n), -1, 1, 2);
  float* px = x.data();
  float* py = y.data();
  float a = 0.7F;
  k.run(grid, {&n, &a, &px, &py}, 0, begin);
  return y;
}

}  // namespace

TEST_CASE("a text for CPUs is called once per row of thread blocks, for the blocks of the row") {
  const kernel_text text = cpu_text_of(R"(
__global__ void note(int* calls, unsigned* out) {
  unsigned* o = out + 12 * (*calls)++;
  o[0] = blockIdx.x, o[1] = blockIdx.y, o[2] = blockIdx.z, o[3] = tessera_blocks;
  o[4] = threadIdx.x + threadIdx.y + threadIdx.z;
  o[5] = blockDim.x, o[6] = blockDim.y, o[7] = blockDim.z;
  o[8] = gridDim.x, o[9] = gridDim.y, o[10] = gridDim.z;
})",
                                       "__global__ void note(int* calls, unsigned* out) {}");
  for (const std::string& compiler : compilers()) {
    const cpu_kernel k(text, tier::row, {8, 4, 2}, compiler);
    std::vector<unsigned> out(12 * 16, 99);
    int calls = 0;
    int* c = &calls;
    unsigned* o = out.data();
    k.run({7, 3, 4}, {&c, &o}, 0, {2, 1, 2});
    REQUIRE(calls == 4);
    for (unsigned row = 0; row < 4; ++row) {
      const std::vector<unsigned> found(out.begin() + 12 * row, out.begin() + 12 * row + 11);
      CHECK(found == std::vector<unsigned>{2, 1 + row % 2, 2 + row / 2, 5, 0, 8, 4, 2, 7, 3, 4});
    }
    k.run({7, 3, 4}, {&c, &o}, 0, {7, 0, 0});
    CHECK(calls == 4);
  }
}

TEST_CASE("a text for CPUs gives the bits of the CUDA text, and one compiled form serves all blocks") {
  const kernel_text cuda = parse_kernel(cuda_axpy, "axpy.cu"), cpu = parse_cpu_text(cpu_axpy, cuda);
  CHECK(make_cpu_source(cpu, {tier::row, {256}}) == make_cpu_source(cpu, {tier::row, {16, 4}}));
  for (const std::string& compiler : compilers())
    for (const int n : {1, 100, 1000, 1023})
      for (const std::int64_t block : {32, 256}) {
        const std::int64_t blocks = (n + block - 1) / block;
        for (const std::int64_t first : {std::int64_t{0}, blocks / 2})
          CHECK(run_axpy(cpu_kernel(cpu, tier::row, {block}, compiler), n, {blocks}, {first}) ==
                run_axpy(cpu_kernel(cuda, tier::loop, {block}, compiler), n, {blocks}, {first}));
      }
}

TEST_CASE("functions, lambdas and function objects of a text for CPUs know its blocks") {
  const std::string head = "__global__ void k(int* a)", cuda = head + " {}";
  const std::vector<std::string> texts = {
      "__device__ int blocks() { return 100 * blockIdx.x + tessera_blocks; }\n" + head + " { a[0] = blocks(); }",
      head + " { auto f = [&] { return 100 * blockIdx.x + tessera_blocks; }; a[0] = f(); }",
      "struct f { int operator()() const { return 100 * blockIdx.x + tessera_blocks; } };\n" + head +
          " { a[0] = f()(); }",
      "#define BLOCKS tessera_blocks\n" + head + " { a[0] = 100 * blockIdx.x + BLOCKS; }"};
  for (const std::string& text : texts)
    for (const std::string& compiler : compilers()) {
      const cpu_kernel k(cpu_text_of(text, cuda), tier::row, {32}, compiler);
      int a = 0;
      int* p = &a;
      k.run({9}, {&p}, 0, {3});
      CHECK(a == 306);
    }
}

TEST_CASE("a text for CPUs with another signature is refused with both") {
  const auto text = [](const std::string& parameters) { return "\n__global__ void axpy(" + parameters + ") {}"; };
  const std::string fewer = refusal_of(text("int n, float a, const float* x"), cuda_axpy);
  CHECK(says(fewer, "folder/k.cu, .cpu_source:2: the CPU text of kernel `axpy` has another signature"));
  CHECK(says(fewer, "3 parameters instead of 4"));
  CHECK(says(fewer, "CUDA text: axpy(int n, float a, const float* x, float* y), folder/k.cu:1"));
  CHECK(says(fewer, "CPU text:  axpy(int n, float a, const float* x)"));
  const std::vector<std::pair<std::string, int>> others = {
      {"long n, float a, const float* x, float* y", 1}, {"int n, float* a, const float* x, float* y", 2},
      {"int n, float a, float* x, float* y", 3},        {"int n, float a, const float* x, double* y", 4},
      {"int n, float a, const float* y, float* x", 3},  {"int n, values a, const float* x, float* y", 2}};
  for (const auto& [parameters, differs] : others)
    CHECK(says(refusal_of(text(parameters), cuda_axpy), cat("parameter ", differs, " differs")));
  CHECK(says(refusal_of("__global__ void axpi(int n) {}", cuda_axpy), ".cpu_source:1:1: no kernel named `axpy`"));
}

TEST_CASE("qualifiers of values, restrict, aliases and names that are left out make no other signature") {
  const std::string text =
      "typedef float real;\n__global__ void axpy(const int32_t n, real a, const real* __restrict__ x, float* const) {}";
  CHECK(refusal_of(text, cuda_axpy) == "no error");
  const std::string structures = "struct values { int n; };\n__global__ void k(values v, values* p) {}";
  CHECK(refusal_of("struct values { int n; };\n__global__ void k(const struct values v, values* __restrict__ p) {}",
                   structures) == "no error");
  CHECK(says(refusal_of("struct other { int n; };\n__global__ void k(other v, other* p) {}", structures),
             "parameter 1 differs"));
}

TEST_CASE("barriers, shared memory and warp functions are refused in a text for CPUs, where they stand") {
  const std::string head = "__global__ void k(int* a)", cuda = head + " {}";
  const std::vector<std::pair<std::string, std::string>> texts = {
      {head + " {\n  __syncthreads();\n}", ":2:3"},
      {head + " {\n  __shared__ int s[4];\n  a[0] = s[1];\n}", ":2:3"},
      {head + " {\n  extern __shared__ int s[];\n  a[0] = s[1];\n}", ":2:10"},
      {head + " { a[0] = __shfl_sync(1u, 2, 3); }", ":1:36"},
      {head + " { __syncwarp(); }", ":1:29"},
      {"__device__ void wait() { __syncthreads(); }\n" + head + " { wait(); }", ":1:26"},
      {"#define WAIT __syncthreads()\n" + head + " { WAIT; }", ":2:29"}};
  for (const auto& [text, place] : texts) {
    const std::string message = refusal_of(text, cuda);
    CHECK(says(message, "folder/k.cu, .cpu_source" + place));
    CHECK(says(message, "the CPU text of kernel `k` has no threads: `__s"));
  }
  CHECK(refusal_of("__device__ void unused() { __syncthreads(); }\n" + head + " {}", cuda) == "no error");
  CHECK(refusal_of(cpu_axpy, std::string(cuda_axpy) + "// __shared__") == "no error");
}

TEST_CASE("an annotation in a text for CPUs is refused: the other one counts") {
  CHECK(says(refusal_of(std::string("\n//@tessera global i => write y[i]\n") + cpu_axpy, cuda_axpy),
             "folder/k.cu, .cpu_source:2: the CPU text of kernel `axpy` has an annotation"));
}

TEST_CASE("messages of the compiler about a text for CPUs say so, with file and line") {
  const temporary_directory folder;
  static_cast<void>(folder.write("inner.h", "__device__ int inner() {\n  return unknown;\n}\n"));
  const std::string file = folder.write("k.cu", "__global__ void k(int* a) {}");
  const kernel_text cuda = parse_kernel("__global__ void k(int* a) {}", file);
  for (const std::string& compiler : compilers()) {
    const std::string own =
        compiler_refusal(parse_cpu_text("__global__ void k(int* a) {\n  a[0] = unknown;\n}", cuda), compiler);
    CHECK(says(own, "the CPU text of kernel `k` does not compile"));
    CHECK(says(own, "k.cu, .cpu_source:2:"));
    const std::string header = compiler_refusal(
        parse_cpu_text("#include \"inner.h\"\n__global__ void k(int* a) { a[0] = inner(); }", cuda), compiler);
    CHECK(says(header, "the CPU text of kernel `k` does not compile"));
    CHECK(says(header, "inner.h:2:"));
  }
  static_cast<void>(folder.write("barrier.h", "__device__ void wait() { __syncthreads(); }\n"));
  try {
    static_cast<void>(parse_cpu_text("#include \"barrier.h\"\n__global__ void k(int* a) { wait(); }", cuda));
    FAIL("a barrier was accepted");
  } catch (const compile_error& e) {
    CHECK(says(e.what(), ".cpu_source: "));
    CHECK(says(e.what(), "barrier.h:1:26"));
  }
}

TEST_CASE("a text for CPUs takes the macros and the rounding of its kernel, and no other tier") {
  kernel_text cuda = parse_kernel("__global__ void k(TYPE* a) {}", "k.cu", "k", {{"TYPE", "double"}});
  cuda.fused = true;
  const kernel_text cpu = parse_cpu_text("__global__ void k(TYPE* a) { a[0] = sizeof(TYPE); }", cuda);
  CHECK(cpu.parameters[0].type == dtype::make(scalar_kind::float64));
  CHECK(cpu_flags(cpu) == cpu_flags(cuda));
  for (const char* forced : {"", "loop", "split", "fiber"}) {
    CHECK(choose_tier(cpu.features, forced) == tier::row);
    CHECK(choose_cpu_source(cpu, {32}, forced).otherwise.empty());
  }
  CHECK_THROWS_AS(static_cast<void>(choose_tier(cpu.features, "row")), argument_error);
  CHECK_THROWS_AS(static_cast<void>(make_cpu_source(cpu, {tier::loop, {32}})), std::logic_error);
  CHECK_THROWS_AS(static_cast<void>(make_cpu_source(cuda, {tier::row, {32}})), std::logic_error);
}
