// `__constant__` and `__device__` variables of a kernel's file: what they are and how kernels use them.
#include <doctest/doctest.h>

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/kernel/source/cpu_text.h"
#include "tessera/kernel/source/signature.h"
#include "tests/support/messages.h"

using namespace tessera;
using kernels::file_variable;
using kernels::parse_kernel;
using beginning = file_variable::beginning;

namespace {

file_variable variable(const std::string& source, const std::string& name, const std::string& kernel = "k") {
  for (const file_variable& v : parse_kernel(source, "k.cu", kernel).variables)
    if (v.name == name) return v;
  FAIL("no variable " << name);
  return {};
}

/// `declarations` and a kernel with `body`.
std::string with(const std::string& declarations, const std::string& body) {
  return declarations + "\n__global__ void k(float* a, int n) { int i = threadIdx.x; " + body + " }\n";
}

bool changes(const std::string& body, const std::string& before = "") {
  const file_variable v = variable(with("__device__ float t[8]; __device__ int s;\n" + before, body), "t");
  CHECK(v.reached);
  return v.changed;
}

}  // namespace

TEST_CASE("variables have the size and the beginning that their declarations say") {
  const std::string source = with(R"(
#define WIDTH 3
#define TABLE __constant__
constexpr int rows = WIDTH - 1;
const int columns = 2 * rows;
struct pair { int a, b; };
typedef double real;
__constant__ float plain[4];
static __constant__ float two[rows][columns] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
TABLE real through_macros[WIDTH];
namespace model { namespace inner { __device__ int counter = 0; } }
__device__ int braces{5}, later[2], *address;
__device__ unsigned char zeros[2] = {0, 0};
__constant__ pair structure;
__constant__ __align__(16) float4 vectors[2];
__device__ const int fixed = 3;
__constant__ int known_by_compiler[] = {1, 2, 3};
__constant__ int sized[sizeof(pair)];)",
                                  "a[0] = plain[0];");
  const auto check = [&](const char* name, std::optional<std::int64_t> bytes, beginning begins, std::size_t axes) {
    CAPTURE(name);
    const file_variable v = variable(source, name);
    CHECK(v.bytes() == bytes);
    CHECK(v.begins == begins);
    CHECK(v.axes == axes);
  };
  check("plain", 16, beginning::nothing, 1);
  check("two", 32, beginning::initialiser, 2);
  check("through_macros", 24, beginning::nothing, 1);
  check("model::inner::counter", 4, beginning::zeros, 0);
  check("braces", 4, beginning::initialiser, 0);
  check("later", 8, beginning::zeros, 1);
  check("zeros", 2, beginning::zeros, 1);
  check("structure", std::nullopt, beginning::nothing, 0);
  check("vectors", 32, beginning::nothing, 1);
  check("known_by_compiler", std::nullopt, beginning::initialiser, 1);
  check("sized", std::nullopt, beginning::nothing, 1);
  CHECK(variable(source, "address").holds_addresses);
  CHECK(variable(source, "fixed").is_const);
  CHECK_FALSE(variable(source, "plain").is_const);
  CHECK(variable(source, "two").is_constant);
  CHECK_FALSE(variable(source, "later").is_constant);
  CHECK(variable(source, "through_macros").type == dtype::make(scalar_kind::float64));
  CHECK(variable(source, "structure").is_struct);
  CHECK(variable(source, "two").type_text == "float[2][4]");
}

TEST_CASE("a variable is used where its own name stands, not where another one hides it") {
  const std::string file = R"(
__constant__ float c[4];
namespace app { __constant__ float d; }
struct part { float c; };
__device__ float helper(int i) { return c[i]; }
__device__ float local(float c) { return 2 * c; }
__global__ void direct(float* a) { a[0] = c[1]; }
__global__ void through(float* a) { a[0] = helper(2); }
__global__ void member(float* a, part p) { part* q = &p; a[0] = p.c + q->c; }
__global__ void parameter(float* c) { c[0] = local(3); }
__global__ void hidden(float* a) { float c = 1; a[0] = c; for (int d = 0; d < 3; ++d) a[d] = d; }
__global__ void both(float* a) { { float c = 1; a[0] = c; } a[1] = c[2]; }
__global__ void loop(float* a) { for (int d = 0; d < 3; ++d) a[d] = 1; a[3] = app::d; }
__global__ void listed(float* a, part* p) { float x = sqrtf(2), c = 3; part* d = p; a[0] = x * c + d->c; }
__global__ void elsewhere(float* a) { a[0] = app::d; }
)";
  const auto reaches = [&](const char* kernel, const char* name) { return variable(file, name, kernel).reached; };
  for (const char* kernel : {"direct", "through", "both"}) {
    CAPTURE(kernel);
    CHECK(reaches(kernel, "c"));
  }
  for (const char* kernel : {"member", "parameter", "hidden", "loop", "listed", "elsewhere"}) {
    CAPTURE(kernel);
    CHECK_FALSE(reaches(kernel, "c"));
  }
  for (const char* kernel : {"loop", "elsewhere"}) CHECK(reaches(kernel, "app::d"));
  for (const char* kernel : {"hidden", "listed"}) CHECK_FALSE(reaches(kernel, "app::d"));
}

TEST_CASE("what may change a variable is told from what reads it") {
  for (const char* body : {"t[i] = 1;", "t[i] += a[i];", "t[i]++;", "--t[i];", "(t[i]) = 2;", "atomicAdd(&t[i], 1.0f);",
                           "atomicAdd(t + i, 1.0f);", "float* p = t; p[0] = 1;", "float& r = t[i]; r = 1;",
                           "float* p = &t[2]; *p = 1;", "a = t;", "unknown(t[i]);"}) {
    CAPTURE(body);
    CHECK(changes(body));
  }
  for (const char* body :
       {"a[i] = t[i];", "a[i] = sqrtf(t[i]) + t[i % 8] * 2;", "if (t[i] < 1) a[i] = 0;",
        "const float* p = t; a[i] = p[0];", "a[i] = __ldg(&t[i]);", "a[i] = sizeof(t) / sizeof(t[0]);",
        "const float& r = t[i]; a[i] = r;", "a[(int)t[i]] = 1;", "a[i] = -t[i] == 3 ? t[0] : t[1];",
        "float x = t[i]; x += 2; a[i] = x;", "a[i] = n * t[i]; a[0] = n * t[1];"}) {
    CAPTURE(body);
    CHECK_FALSE(changes(body));
  }
}

TEST_CASE("a variable that is given to a function changes if the function takes it so") {
  const std::string functions = R"(
__device__ float sum(const float* x, int n) { return x[0] + n; }
__device__ float twice(float x) { return 2 * x; }
__device__ void clear(float* x) { x[0] = 0; }
__device__ void step(float& x) { x += 1; }
)";
  CHECK_FALSE(changes("a[i] = sum(t, 8) + twice(t[i]);", functions));
  CHECK_FALSE(changes("a[i] = sum(&t[2], 8);", functions));
  CHECK(changes("clear(t);", functions));
  CHECK(changes("step(t[i]);", functions));
}

TEST_CASE("a kernel that only reads a variable knows that another one of its file changes it") {
  const std::string file = R"(
__device__ int counter;
__global__ void count(int* a) { a[0] = atomicAdd(&counter, 1); }
__global__ void look(int* a) { a[0] = counter; }
int main() { int zero = 0; cudaMemcpyToSymbol(counter, &zero, 4); }
)";
  CHECK(variable(file, "counter", "count").changed);
  CHECK_FALSE(variable(file, "counter", "look").changed);
  CHECK(variable(file, "counter", "look").changed_in_file);
  const std::string quiet = R"(
__device__ int n;
__global__ void look(int* a) { a[0] = n; }
int main() { int zero = 0; cudaMemcpyToSymbol(n, &zero, 4); }
)";
  CHECK_FALSE(variable(quiet, "n", "look").changed_in_file);
}

TEST_CASE("a variable that is declared with its type is refused where it stands") {
  const std::string message = support::message_of<compile_error>(
      [] { (void)parse_kernel(with("__constant__ struct pair { int a, b; } p;", "a[0] = p.a;"), "k.cu"); });
  CHECK(support::says(message, "k.cu:1:1", "together with its type"));
}

TEST_CASE("a static variable of a function that a kernel needs is refused; constants and shared memory are not") {
  const auto parse = [](const std::string& body) { (void)parse_kernel(with("", body), "k.cu"); };
  const std::string message = support::message_of<compile_error>([&] { parse("static int calls; a[i] = ++calls;"); });
  CHECK(support::says(message, "k.cu:2", "static variable in function `k`", "__device__ at file scope"));
  parse("static const float w[2] = {1, 2}; static constexpr int m = 3; a[i] = w[0] + m;");
  parse("static __shared__ float s[32]; s[i] = 1; __syncthreads(); a[i] = s[0];");
}

TEST_CASE("a text for CPUs has the variables of the CUDA text") {
  const std::string cuda = with("__constant__ float c[4]; __device__ int total;", "a[i] = c[0] + total;");
  const auto parse_cpu = [&](const std::string& declarations, const std::string& body) {
    (void)kernels::parse_cpu_text(with(declarations, body), parse_kernel(cuda, "k.cu"));
  };
  parse_cpu("__constant__ float c[4];", "a[0] = c[1];");
  CHECK(
      support::says(support::message_of<compile_error>([&] { parse_cpu("__constant__ float c[3];", "a[0] = c[1];"); }),
                    ".cpu_source", "variable `c` is float[3]", "float[4]"));
  CHECK(support::says(support::message_of<compile_error>([&] { parse_cpu("__device__ int total;", "total = 3;"); }),
                      "may change variable `total`"));
}
