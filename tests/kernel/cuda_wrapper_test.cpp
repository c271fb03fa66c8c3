#include "tessera/kernel/wrap/cuda_wrapper.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>

#include "tests/support/cuda_compiling.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

namespace {

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool holds_bytes(const std::vector<std::byte>& binary, std::span<const std::byte> part) {
  return std::search(binary.begin(), binary.end(), part.begin(), part.end()) != binary.end();
}
bool holds_symbol(const std::vector<std::byte>& binary, const std::string& name) {
  const std::string whole = std::string(1, '\0') + name + std::string(1, '\0');
  return holds_bytes(binary, std::as_bytes(std::span(whole)));
}

std::string cuda_source(const std::string& source, const cuda_variant& variant = {}) {
  return make_cuda_source(parse_kernel(source, "k.cu"), variant);
}

/// What compiling for a GPU gives as an error; empty if it succeeds.
std::string failure(const std::string& source, const cuda_variant& variant = {}, const std::string& file = "k.cu") {
  try {
    (void)compile_for_cuda(parse_kernel(source, file), variant);
  } catch (const compile_error& e) {
    return e.what();
  }
  return {};
}

constexpr const char* everything = R"(
#include <cstdio>
#include <vector>
#define KERNEL static __global__ void
#define size 7
#define type 3
#define first 1
#define signature 2
#define block_x blockIdx.x
namespace app { namespace {
static __constant__ float weights[4];
__device__ int counter;
struct point { double x; float y, z; __host__ __device__ point(float a) : x(a), y(a), z(a) {} };
__device__ int helper(int k) { return k + block_x * gridDim.x; }
template <class T> __device__ T twice(T v) { return v + helper(3); }
__device__ int factorial(int n) { return n < 2 ? (int)blockIdx.y : n * factorial(n - 1); }
KERNEL __launch_bounds__(128, 2) k(int n, const float* __restrict__ a, float* const __restrict__ b, point* p, short s) {
  int i = block_x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * weights[0] + twice<int>(i) + factorial(i) + p[i].y + counter + s;
}
} }
int main() { std::vector<int> v; printf("%d", 3); app::k<<<1, 1>>>(1, 0, 0, 0, 1); }
)";

}  // namespace

TEST_CASE("the CUDA source keeps what the kernel needs on its own lines") {
  const std::string source =
      "#include <stdio.h>\n#include <cub/cub.cuh>\nint main() {\n  return 0;\n}\n"
      "__device__ int f() { return 1; }\n__global__ void k(int* a) { a[0] = f(); }\n";
  const std::string text = cuda_source(source);
  const std::string mark = "#line 1 \"k.cu\"\n";
  const std::size_t begin = text.find(mark) + mark.size();
  const std::string own = text.substr(begin, text.find("\n#line 1 \"tessera/entry\"") - begin);
  CHECK(own.find("main") == std::string::npos);
  CHECK(own.find("stdio") == std::string::npos);
  CHECK(holds(own, "#include <cub/cub.cuh>"));
  CHECK(std::count(own.begin(), own.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
  CHECK(holds(own, "a[0] = f();"));
  CHECK(holds(own, "extern \"C\" __global__ void tessera_entry(int* a, const tessera_cuda_grid"));
}

TEST_CASE("variables have the names that the module gives them") {
  CHECK(cuda_symbol_name("weights") == "weights");
  CHECK(cuda_symbol_name("a::weights") == "_ZN1a7weightsE");
  CHECK(cuda_symbol_name("outer::in::w") == "_ZN5outer2in1wE");
}

TEST_CASE("every kernel of the examples and benchmarks compiles for GPUs") {
  if (!can_compile_for_cuda()) return;
  const std::filesystem::path root = TESSERA_SOURCE_DIR;
  cuda_sources sources;
  for (const char* folder : {"examples", "benchmarks/kernels", "benchmarks/paper/kernels"})
    for (const auto& entry : std::filesystem::directory_iterator(root / folder))
      if (entry.path().extension() == ".cu") sources.add(contents_of(entry.path()), entry.path().string());
  CHECK(sources.size() >= 30);
  for (const std::string& failed : sources.failures()) FAIL_CHECK(failed);
}

TEST_CASE("a kernel that reads the initial contents of a variable compiles for GPUs and changes nothing") {
  const std::string source = R"(
namespace app { struct pair { float a, b; }; static __constant__ pair table[3] = {{1, 2}, {3, 4}, {5, 6}}; }
namespace { __device__ int counter = 3; }
__constant__ const float fixed = 2;
)";
  for (const char* name : {"app::table", "counter", "fixed"}) {
    CAPTURE(name);
    const kernel_text reader = parse_kernel(source + variable_reader(name), "k.cu", variable_reader_name);
    for (const file_variable& v : reader.variables) {
      CHECK(v.reached == (v.name == name));
      CHECK_FALSE(v.changed);
    }
    if (can_compile_for_cuda()) CHECK_FALSE(compile_for_cuda(reader).empty());
  }
}

TEST_CASE("a module exports the entry, the layout of its parameters and the variables, with the kernel's own bounds") {
  if (!can_compile_for_cuda()) return;
  const std::vector<std::byte> binary = compile_for_cuda(parse_kernel(everything, "k.cu"));
  for (const char* name : {"tessera_entry", "tessera_parameters"}) CHECK(holds_symbol(binary, name));
  for (const char* name : {"app::weights", "app::counter"}) CHECK(holds_symbol(binary, cuda_symbol_name(name)));
  const std::vector<std::uint64_t> layout = {4, 4, 4, 4, 4, 4, 16, 8, 2, 2, 0, 0};
  CHECK(holds_bytes(binary, std::as_bytes(std::span(layout))));
  // The attribute that holds the most threads of a block.
  const std::vector<std::uint32_t> bounds = {0x000c0504, 128, 1, 1};
  CHECK(holds_bytes(binary, std::as_bytes(std::span(bounds))));
}

TEST_CASE("the kernel's own attributes and parameters are not touched") {
  const std::string text = cuda_source(
      "extern \"C\" __global__ void __launch_bounds__(64) k(const int n, const float4* __restrict__ a, float *b) { }");
  CHECK(holds(text,
              "extern \"C\" __global__ void __launch_bounds__(64) tessera_entry(const int n, "
              "const float4* __restrict__ a, float *b, const tessera_cuda_grid __tessera_grid)"));
}

TEST_CASE("functions that need the place of their block get it, others stay as they are") {
  const std::string text = cuda_source(
      "__device__ int plain(int a) { return a + threadIdx.x * blockDim.x; }\n"
      "__device__ int direct(int a) { return a + blockIdx.x; }\n"
      "template <class T> __device__ T through(T a) { return direct(a) + plain(a); }\n"
      "__global__ void k(int* a) { a[0] = through<int>(1) + plain(2); }\n");
  CHECK(holds(text, "__device__ int plain(int a)"));
  CHECK(holds(text,
              "__forceinline__ __device__ int direct(const uint3 __tessera_block, const dim3 __tessera_count, int a)"));
  CHECK(holds(text, "direct(__tessera_block, __tessera_count, a) + plain(a)"));
  CHECK(holds(text, "through<int>(__tessera_block, __tessera_count, 1) + plain(2)"));
  CHECK_FALSE(holds(text, "#define __tessera_variables"));
}

TEST_CASE("code that cannot be given parameters finds its block too") {
  if (!can_compile_for_cuda()) return;
  const std::vector<std::string> bodies = {
      "struct s { __device__ int where() const { return blockIdx.x; } };\n"
      "__global__ void k(int* a) { a[blockIdx.x] = s().where() + gridDim.x; }",
      "__global__ void k(int* a) { auto f = [](int i) { return i + blockIdx.x; }; a[blockIdx.x] = f(1); }",
      "__global__ void k(int* a) { struct s { __device__ int f() { return gridDim.y; } }; a[0] = s().f(); }",
      "__device__ int f(int b = blockIdx.x) { return b; }\n__global__ void k(int* a) { a[blockIdx.y] = f(); }",
      "#define CALL f()\n__device__ int f() { return blockIdx.x; }\n__global__ void k(int* a) { a[gridDim.x] = CALL; }",
  };
  for (const std::string& body : bodies) {
    CAPTURE(body);
    CHECK(holds(cuda_source(body), "#define __tessera_variables"));
    CHECK(failure(body) == "");
  }
  CHECK_FALSE(holds(cuda_source("__global__ void k(int* a) { auto f = [&] { return blockIdx.x; }; a[0] = f(); }"),
                    "#define __tessera_variables"));
}

TEST_CASE("a use of the grid that the token scan cannot see is served or an error, never another block's index") {
  if (!can_compile_for_cuda()) return;
  const std::string paste = "#define PASTE(a, b) a##b\n";
  CHECK(failure(paste + "__global__ void k(int* a) { a[PASTE(block, Idx).x] = 1; }") == "");
  CHECK(holds(failure(paste + "__device__ int f() { return PASTE(block, Idx).x; }\n"
                              "__global__ void k(int* a) { a[0] = f(); }"),
              "k.cu:2:"));
}

TEST_CASE("errors for GPUs carry the user's file and line, also in helpers and headers") {
  if (!can_compile_for_cuda()) return;
  const std::string message = failure(
      "//@tessera single\n__device__ int f() { return blockIdx.x + wrong; }\n"
      "__global__ void k(float* a) {\n  a[f()] = undefined_name;\n}",
      {}, "folder/my kernel.cu");
  CHECK(holds(message, "the kernel does not compile:\n"));
  CHECK(holds(message, "folder/my kernel.cu:2:"));
  CHECK(holds(message, "folder/my kernel.cu:4:"));
  CHECK(holds(message, "undefined_name"));
  CHECK_FALSE(holds(message, "tessera/entry"));

  const temporary_directory place;
  place.write("part.h", "\n__device__ int f() {\n  return wrong_in_header;\n}\n");
  const std::string in_header =
      failure("#include \"part.h\"\n__global__ void k(int* a) { a[0] = f(); }", {}, place / "k.cu");
  CHECK(holds(in_header, "part.h:3:"));
}

TEST_CASE("macros and names of the user do not disturb the CUDA wrapper") {
  if (!can_compile_for_cuda()) return;
  CHECK(failure(everything) == "");
  CHECK(failure(everything, {.private_results = true}) == "");
}

TEST_CASE("given macros reach the kernel on GPUs") {
  const kernel_text text = parse_kernel("__global__ void k(TYPE* a) { a[threadIdx.x] = VALUE; }", "k.cu", "k",
                                        {{"TYPE", "double"}, {"VALUE", "2.5"}});
  CHECK(holds(make_cuda_source(text), "#define TYPE double\n#define VALUE 2.5\n#line 1 \"k.cu\""));
  if (can_compile_for_cuda()) CHECK_FALSE(compile_for_cuda(text).empty());
}

TEST_CASE("only the variant with private results looks for them, and only for pointers that are written") {
  const std::string source =
      "__global__ void k(int n, const float* in, float* const __restrict__ sum, double*) { sum[0] += in[n]; }";
  CHECK_FALSE(holds(cuda_source(source), "__tessera_result(sum"));
  const std::string text = cuda_source(source, {.private_results = true});
  CHECK(holds(text, "= __tessera_result(sum, __tessera_grid, 2);"));
  CHECK_FALSE(holds(text, "__tessera_result(in"));
  if (can_compile_for_cuda()) CHECK(failure(source, {.private_results = true}) == "");
}

TEST_CASE("a kernel loads the values it is given addresses of, whatever its parameters are called") {
  const std::string source =
      "struct pair { double a; float b; };\n"
      "__global__ void k(const pair p, int, float* __restrict__ y, unsigned char on) {\n"
      "  if (on) { const float on = p.b; y[blockIdx.x] += on; }\n"
      "}\n";
  CHECK(!holds(cuda_source(source), "__tessera_value_"));
  for (const bool results : {false, true}) {
    if (can_compile_for_cuda()) {
      CHECK(failure(source, {results, {0, 3}}) == "");
      CHECK(failure(source, {results, {1}}) == "");
    }
    const std::string made = cuda_source(source, {results, {0, 3}});
    CHECK(
        holds(made, "const tessera_cuda_grid __tessera_grid, const void* const __tessera_value_0, const void* const"));
    CHECK(!holds(made, "__tessera_value_1"));
  }
}

TEST_CASE("kernels that a compiler of host code would accept are accepted by NVRTC") {
  if (!can_compile_for_cuda()) return;
  CHECK(failure(R"(
#include <cmath>
#include <cstdint>
#include <limits>
#include <algorithm>
const int radius = 3;
static const float table[3] = {1, 2, 3};
constexpr float square(float x) { return x * x; }
inline float half_of(float x) { return x / 2; }
__global__ void k(float* p, int n, std::size_t m) {
  uint32_t u = UINT32_MAX; int64_t w = INT64_MIN;
  p[0] = square(p[1]) + half_of(table[n % 3]) * radius + u + w + FLT_MAX + INT_MAX + M_PI + INFINITY + NAN;
  p[1] = pow(n, 2) + pow(p[0], 2) + sqrt(n) + fmax(p[0], 1.0) + std::min(n, 3) + max(p[3], 1.0) + min(m, n);
  p[2] = std::numeric_limits<float>::max() + std::sqrt(p[2]) + std::abs(p[3]) + fmod(p[1], 2.0) + isnan(p[0]);
  std::swap(p[3], p[4]);
  assert(n > 0);
  if (n < 0) printf("%d\n", n);
})") == "");
}

TEST_CASE("headers of the CUDA toolkit serve kernels where it is installed") {
  if (!can_compile_for_cuda()) return;
  const std::string half = failure(
      "#include <cuda_fp16.h>\n__global__ void k(__half* a, const __half2* b) "
      "{ a[blockIdx.x] = __hadd(a[0], __low2half(b[1])); }");
  if (holds(half, "cuda_fp16.h")) return;  // no toolkit here
  CHECK(half == "");
  CHECK(failure("#include <cuComplex.h>\n__global__ void k(cuFloatComplex* a, const double2* b) "
                "{ a[blockIdx.x] = cuCmulf(a[0], cuComplexDoubleToFloat(cuConj(b[threadIdx.x]))); }") == "");
  CHECK(failure("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                "__global__ void k(int* a) { auto b = cg::this_thread_block(); auto t = cg::tiled_partition<32>(b);\n"
                "a[blockIdx.x] = t.shfl(threadIdx.x, 0) + b.group_index().x; b.sync(); }") == "");
}
