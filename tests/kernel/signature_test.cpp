#include "tessera/kernel/source/signature.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tessera/base/error.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

kernel_text parse(const std::string& source, const std::string& name = {}) {
  return parse_kernel(source, "k.cu", name);
}

parameter one_parameter(const std::string& text, const std::string& before = {}) {
  return parse(before + "\n__global__ void k(" + text + ") {}").parameters.at(0);
}

std::string failure(const std::string& source, const std::string& name = {}) {
  try {
    static_cast<void>(parse(source, name));
  } catch (const compile_error& e) {
    return e.what();
  }
  return "no error";
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

dtype scalar(scalar_kind kind, int lanes = 1) { return dtype::make(kind, lanes); }

}  // namespace

TEST_CASE("a kernel's name, line, parameters and annotation are read from its text") {
  const kernel_text k = parse(
      "// stencil\n"
      "//@tessera global i => read input[i-1:i+1],\n"
      "//@tessera write output[i]\n"
      "__global__ void stencil(int n, float* output, const float* __restrict__ input) {}\n");
  CHECK(k.name == "stencil");
  CHECK(k.line == 4);
  CHECK(k.annotation == "global i => read input[i-1:i+1], write output[i]");
  CHECK(k.annotation_line == 2);
  REQUIRE(k.parameters.size() == 3);
  CHECK(k.parameters[0].name == "n");
  CHECK(!k.parameters[0].is_pointer);
  CHECK(k.parameters[0].type == scalar(scalar_kind::int32));
  CHECK(k.parameters[1].is_pointer);
  CHECK(!k.parameters[1].is_const);
  CHECK(k.parameters[2].is_const);
  CHECK(k.parameters[2].type_text == "const float* __restrict__");
}

TEST_CASE("the annotation may stand above extern \"C\" and does not leak to the next kernel") {
  const std::string source =
      "//@tessera global i => write a[i]\n"
      "extern \"C\" __global__ void __launch_bounds__(256, 2) f(int* a) {}\n"
      "__launch_bounds__(64) static __global__ void g(void) {}\n";
  CHECK(parse(source, "f").annotation == "global i => write a[i]");
  CHECK(parse(source, "g").annotation.empty());
  CHECK(parse(source, "g").parameters.empty());
}

TEST_CASE("element and scalar types are recognised however they are spelt") {
  CHECK(one_parameter("unsigned n").type == scalar(scalar_kind::uint32));
  CHECK(one_parameter("long long unsigned int n").type == scalar(scalar_kind::uint64));
  CHECK(one_parameter("size_t n").type == scalar(scalar_kind::uint64));
  CHECK(one_parameter("std::uint8_t* n").type == scalar(scalar_kind::uint8));
  CHECK(one_parameter("float4 const * v").type == scalar(scalar_kind::float32, 4));
  CHECK(one_parameter("float4 const * v").is_const);
  CHECK(one_parameter("uchar3* v").type == scalar(scalar_kind::uint8, 3));
  CHECK(one_parameter("__half* h").type == scalar(scalar_kind::float16));
  CHECK(one_parameter("const __nv_bfloat16* h").type == scalar(scalar_kind::bfloat16));
  CHECK(one_parameter("volatile int* p").type == scalar(scalar_kind::int32));
  CHECK(one_parameter("double a[]").is_pointer);
  CHECK(one_parameter("double* const p").is_const == false);
  CHECK(one_parameter("int n = 4").name == "n");
}

TEST_CASE("parameters without a name keep their type") {
  CHECK(one_parameter("unsigned int").name.empty());
  CHECK(one_parameter("const float*").name.empty());
  CHECK(one_parameter("const float*").is_pointer);
  CHECK(one_parameter("std::int64_t").type == scalar(scalar_kind::int64));
}

TEST_CASE("aliases and macros for types are followed") {
  CHECK(one_parameter("real* x", "typedef float real;").type == scalar(scalar_kind::float32));
  CHECK(one_parameter("const real* x", "using base = double; using real = base;").type == scalar(scalar_kind::float64));
  CHECK(one_parameter("DATA_TYPE* x", "#define DATA_TYPE float").type == scalar(scalar_kind::float32));
  const parameter p = one_parameter("vec v", "typedef const float* vec;");
  CHECK(p.is_pointer);
  CHECK(p.is_const);
}

TEST_CASE("structures are known to be of unknown size, by value and as elements") {
  CHECK(one_parameter("particle p", "struct particle { float x; int n; };").is_struct);
  const parameter p = one_parameter("const struct particle* p", "struct particle { float x; };");
  CHECK(p.is_struct);
  CHECK(p.is_pointer);
  CHECK(p.is_const);
}

TEST_CASE("what cannot be passed to a kernel is refused where it stands, with the reason") {
  CHECK(contains(failure("\n__global__ void k(int n,\n  float** p) {}"), "k.cu:3:3: parameter `p`"));
  CHECK(contains(failure("__global__ void k(float** p) {}"), "pointer to pointers"));
  CHECK(contains(failure("typedef float* f; __global__ void k(f* p) {}"), "pointer to pointers"));
  CHECK(contains(failure("__global__ void k(float& p) {}"), "reference"));
  CHECK(contains(failure("__global__ void k(void* p) {}"), "element type"));
  CHECK(contains(failure("__global__ void k(int (*f)(int)) {}"), "pointer to a function"));
  CHECK(contains(failure("__global__ void k(int a,, int b) {}"), "missing"));
}

TEST_CASE("features that no device can run unmodified are refused by name") {
  CHECK(contains(failure("__global__ void k(cudaTextureObject_t t) {}"), "k.cu:1:19: kernel `k`: textures"));
  CHECK(contains(failure("__global__ void k() { auto g = cg::this_grid(); g.sync(); }"), "grid-wide"));
  CHECK(contains(failure("__global__ void c() {}\n__global__ void k() { c<<<1, 1>>>(); }", "k"), "k.cu:2:24"));
  CHECK(contains(failure("__global__ void k() { int x; asm(\"mov.u32 %0, %ctaid.x;\" : \"=r\"(x)); }"),
                 "grid registers"));
  CHECK(contains(failure("template <class T>\n__global__ void k(T* p) {}"), "k.cu:2:17: kernel `k` is a template"));
}

TEST_CASE("only code that the kernel reaches is held against it") {
  const std::string other = "__device__ void bad() { asm(\"%ctaid\"); }\n";
  CHECK_NOTHROW(parse(other + "__global__ void k() {}"));
  CHECK(
      contains(failure(other + "__device__ void middle() { bad(); }\n__global__ void k() { middle(); }"), "grid reg"));
}

TEST_CASE("the wanted kernel is found by name, and the choices are listed if there is none") {
  const std::string source = "namespace n { __global__ void a() {} }\n__global__ void b();\n__global__ void b() {}";
  CHECK(list_kernels(source) == std::vector<std::string>{"a", "b"});
  CHECK(parse(source, "a").scope == "n::");
  CHECK(parse(source, "n::a").name == "a");
  CHECK(contains(failure(source), "name one of: a, b"));
  CHECK(contains(failure(source, "c"), "no kernel named `c`; there are: a, b"));
  CHECK(contains(failure("int x;"), "no __global__"));
  CHECK(contains(failure("__global__ void a(int) {}\n__global__ void a(float) {}", "a"), "k.cu:2:17"));
}

TEST_CASE("conditions are decided before kernels are looked for") {
  CHECK(list_kernels("#if 0\n__global__ void a() {}\n#else\n__global__ void b() {}\n#endif") ==
        std::vector<std::string>{"b"});
  CHECK(list_kernels("#define N 3\n#if defined(N) && N * 2 == 6\n__global__ void a() {}\n#endif") ==
        std::vector<std::string>{"a"});
  CHECK(list_kernels("#ifdef FAST\n__global__ void a() {}\n#endif", {{"FAST", "1"}}) == std::vector<std::string>{"a"});
  CHECK(list_kernels("#define KERNEL __global__ void\nKERNEL a() {}") == std::vector<std::string>{"a"});
}

TEST_CASE("headers beside the file become part of the text, and errors name them") {
  const auto folder = std::filesystem::temp_directory_path() / "tessera_signature_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "types.h") << "#pragma once\ntypedef double real;\n";
  std::ofstream(folder / "bad.h") << "\n__global__ void k(float** p) {}\n";
  const std::string file = (folder / "k.cu").string();

  const kernel_text k =
      parse_kernel("#include \"types.h\"\n#include \"types.h\"\n__global__ void k(real* x) {}", file, "k");
  CHECK(k.parameters.at(0).type == scalar(scalar_kind::float64));
  CHECK(k.line == 3);

  try {
    static_cast<void>(parse_kernel("#include \"bad.h\"\n", file, "k"));
    FAIL("the header's kernel was accepted");
  } catch (const compile_error& e) {
    CHECK(contains(e.what(), "bad.h:2:19"));
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("features are those of the kernel and of all it calls") {
  const auto of = [](const std::string& source) { return parse(source, "k").features; };
  CHECK(of("__device__ void w() { __syncthreads(); }\n__global__ void k() { w(); }").barriers);
  CHECK(!of("__device__ void w() { __syncthreads(); }\n__global__ void k() {}").barriers);
  CHECK(of("#define SYNC __syncthreads()\n__global__ void k() { SYNC; }").barriers);
  CHECK(of("__global__ void k() { int v = __shfl_down_sync(~0u, 1, 2); }").warp_functions);
  CHECK(of("__global__ void k() { __shared__ int s[4]; }").static_shared);
  CHECK(of("__global__ void k() { extern __shared__ int s[]; }").extern_shared);
  CHECK(!of("__global__ void k() { extern __shared__ int s[]; }").static_shared);
  CHECK(of("__global__ void k(int* p) { atomicAdd(p, 1); }").atomics);
  CHECK(of("__device__ int f(int n) { return n ? f(n - 1) : 0; }\n__global__ void k() { f(3); }").recursion);
  CHECK(of("__device__ int f() { return threadIdx.x; }\n__global__ void k() { f(); }").indexed_helpers);
}

TEST_CASE("any block size will do only if nothing but the global index is used") {
  const auto free = [](const std::string& body) {
    return parse("__global__ void k(int n, float* a) { " + body + " }").features.reblockable;
  };
  using axes = std::array<bool, 3>;
  constexpr axes all = {true, true, true};
  constexpr axes not_x = {false, true, true};
  CHECK(free("int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = 0;") == all);
  CHECK(free("int i = threadIdx.x + blockDim.x * blockIdx.x;") == all);
  CHECK(free("size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;") == all);
  CHECK(free("auto i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;") == all);
  CHECK(free("int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;") == all);
  CHECK(free("int i = (blockIdx.x * blockDim.x) + threadIdx.x;") == all);
  CHECK(free("int tx = threadIdx.x, bx = blockIdx.x; int i = bx * blockDim.x + tx;") == all);
  CHECK(free("int y = blockIdx.y * blockDim.y + threadIdx.y; int x = blockIdx.x * blockDim.x + threadIdx.x;") == all);

  // A loop over the grid's stride takes each index once, whatever the block.
  CHECK(free("for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) ;") == all);

  CHECK(free("int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;") == not_x);
  CHECK(free("int i = blockIdx.x * blockDim.x + threadIdx.x * 2;") == not_x);
  CHECK(free("int i = n - blockIdx.x * blockDim.x + threadIdx.x;") == not_x);
  CHECK(free("float i = (float)blockIdx.x * blockDim.x + threadIdx.x;") == not_x);
  CHECK(free("int i = blockIdx.x * blockDim.y + threadIdx.x;") == axes{false, false, true});
  CHECK(free("int i = blockIdx.x; a[i] = 0;") == not_x);
  CHECK(free("int tx = threadIdx.x; tx += 1; int i = blockIdx.x * blockDim.x + tx;") == not_x);
  CHECK(free("int i = blockIdx.x * blockDim.x + threadIdx.x; for (; i < n; i += blockDim.x) ;") == not_x);
  CHECK(free("int i = blockIdx.x * blockDim.x + threadIdx.x; __syncthreads();") == axes{});
  CHECK(free("uint3 t = threadIdx;") == axes{});
}
