#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>

#include "tessera/base/text.h"
#include "tests/kernel/cpu_kernel.h"
#include "tests/kernel/random_block_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Kernels that run as a loop over their threads: 64-bit indices, loops over the grid's stride, loops within a thread.

namespace {

std::string loop_text(const std::string& source) {
  return make_cpu_source(parse_kernel(source, "kernel.cu"), {tier::loop, {64}});
}

bool counts_directly(const std::string& source) {
  return loop_text(source).find("))__tessera_at.") != std::string::npos;
}

/// Runs `k(int n, int m, const int* in, int* out)` on blocks [begin, 5) of five.
std::vector<int> run(const kernel_text& text, tier form, const extents& block, const std::string& compiler, int n,
                     std::int64_t begin = 0) {
  const std::vector<int> in = numbers<int>(2048, -100, 100);
  std::vector<int> out(static_cast<std::size_t>(n) + 8, 5);
  int m = n % 4;
  const int* from = in.data();
  int* to = out.data();
  cpu_kernel(text, form, block, compiler).run({5}, {&n, &m, &from, &to}, 0, {begin});
  return out;
}

void same_as_fibers(const std::string& source) {
  CAPTURE(source);
  const kernel_text text = parse_kernel(source, "kernel.cu");
  REQUIRE(choose_tier(text.features) == tier::loop);
  for (const std::string& compiler : compilers())
    for (const int n : {0, 1, 7, 64, 1000, 1023}) {
      CAPTURE(compiler);
      CAPTURE(n);
      for (const std::int64_t begin : {0, 3})
        REQUIRE(run(text, tier::loop, {64}, compiler, n, begin) == run(text, tier::fiber, {64}, compiler, n, begin));
    }
}

}  // namespace

TEST_CASE("a global index in 64 bits is what the loop over threads counts") {
  struct form {
    const char* type;
    const char* sum;
  };
  for (const form& f : {form{"size_t", "(size_t)blockIdx.x * blockDim.x + threadIdx.x"},
                        form{"long long", "threadIdx.x + blockIdx.x * (long long)blockDim.x"},
                        form{"const unsigned long", "blockIdx.x * blockDim.x + threadIdx.x"},
                        form{"std::int64_t", "threadIdx.x + blockDim.x * blockIdx.x"}}) {
    const std::string source = cat("__global__ void k(int n, int m, const int* in, int* out) {\n  ", f.type,
                                   " i = ", f.sum, ";\n  if (i < n) out[i] += in[i % 64] + 1;\n}\n");
    CHECK(counts_directly(source));
    same_as_fibers(source);
  }
}

TEST_CASE("an index sum that a macro holds is left as it is, and so is one that more is done to") {
  const std::string begin = "__global__ void k(int n, int m, const int* in, int* out) {\n";
  const std::string macro =
      "#define I ((size_t)blockIdx.x * blockDim.x + threadIdx.x)\n" + begin +
      "  size_t i = I, j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n  if (j < n) out[i] += in[j % 64];\n}\n";
  CHECK(!counts_directly(macro));
  same_as_fibers(macro);
  // What is computed in 32 bits wraps at 2^32 before it is widened.
  const std::string wraps =
      begin + "  size_t i = blockIdx.x * blockDim.x + threadIdx.x - 1;\n  if (i < n) out[i] = m;\n}\n";
  CHECK(!counts_directly(wraps));
  same_as_fibers(wraps);
}

TEST_CASE("an index of 64 bits holds what it would in CUDA, beyond 2^31 and 2^32") {
  const auto text_of = [](const std::string& sum) {
    return parse_kernel("__global__ void k(size_t n, long long base, size_t* a) {\n  size_t i = " + sum +
                            ";\n  if (i < n) a[i - base] = i + 1;\n}\n",
                        "k.cu");
  };
  struct variant {
    kernel_text text;
    long long mask;
  };
  for (const variant& v : {variant{text_of("(size_t)blockIdx.x * blockDim.x + threadIdx.x"), -1},
                           variant{text_of("blockIdx.x * blockDim.x + threadIdx.x"), 0xffffffffLL}})
    for (const std::string& compiler : compilers())
      for (long long first : {(1LL << 31) - 256, (1LL << 32) - 256, (1LL << 32) + 128, (1LL << 33) - 128}) {
        if ((first & v.mask) > ((first + 511) & v.mask)) continue;  // a result that wraps has no place
        std::vector<std::size_t> a(512);
        long long base = first & v.mask;
        auto n = static_cast<std::size_t>(base + 500);
        std::size_t* p = a.data();
        cpu_kernel(v.text, tier::loop, {128}, compiler).run({first / 128 + 4}, {&n, &base, &p}, 0, {first / 128});
        for (std::size_t i = 0; i < 512; ++i) REQUIRE(a[i] == (i < 500 ? static_cast<std::size_t>(base) + i + 1 : 0));
      }
}

TEST_CASE("a loop over the grid's stride runs on elements beside each other") {
  const std::string begin = "__global__ void k(int n, int m, const int* in, int* out) {\n  ";
  const std::string first = "blockIdx.x * blockDim.x + threadIdx.x", step = "blockDim.x * gridDim.x";
  const std::string work =
      "{ if (in[i % 64] > 50) continue; for (int j = 0; j < 9; ++j) { if (j == m) break; "
      "out[i] += j * m + 1; } }";
  for (const std::string& loop : std::vector<std::string>{
           "for (int i = " + first + "; i < n; i += " + step + ") " + work,
           "for (size_t i = " + first + "; i < (size_t)n; i = i + (size_t)gridDim.x * blockDim.x) " + work,
           "const int step = " + step + ", start = " + first + ";\n  for (int i = start; i < n; i = step + i) " + work,
           "int last = n - 3;\n  for (auto i = (long long)" + first + "; i <= last; i += " + step + ") " + work,
           "unsigned i = " + first + ";\n  while (i < n) {\n    out[i] = out[i] * 3 + in[i % 64];\n    i += " + step +
               ";\n  }"}) {
    CHECK(parse_kernel(begin + loop + "\n}\n", "kernel.cu").features.grid_stride);
    same_as_fibers(begin + loop + "\n}\n");
  }
}

TEST_CASE("a loop whose turns depend on each other or on the block is left to each thread") {
  const std::string begin = "__global__ void k(int n, int m, const int* in, int* out) {\n  ";
  const std::string head = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) ";
  for (const std::string& body : std::vector<std::string>{
           "int sum = 0;\n  " + head + "{ sum += in[i % 64]; out[i] = sum; }",
           head + "{ if (in[i % 64] > 50) break; out[i] += 1; }",
           head + "{ if (in[i % 64] > 50) return; out[i] += 1; }", head + "{ out[i] += 1; if (m == 2) i += 1; }",
           head + "{ m += 3; out[i] = m; }", head + "{ out[i] += threadIdx.x; }",
           head + "out[i] += 1;\n  if (threadIdx.x == 0) out[n] = 3;", head + "{ int* p = &m; *p += i; out[i] = m; }",
           "int step = blockDim.x * gridDim.x;\n  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += "
           "step) { "
           "out[i] = step; }",
           "int j = 0;\n  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n && j < 2; i += blockDim.x * "
           "gridDim.x) { "
           "++j; out[i] = j; }",
           "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < in[0] + n; i += blockDim.x * gridDim.x) out[i % n] "
           "= "
           "1;",
           "int i = blockIdx.x * blockDim.x + threadIdx.x;\n  while (i < n) { if (in[i % 64] > 90) { i += 7; continue; "
           "} "
           "out[i] = m; "
           "i += blockDim.x * gridDim.x; }",
           "int i = blockIdx.x * blockDim.x + threadIdx.x;\n  while (i < n) { out[i] = m; i += blockDim.x; }"}) {
    CAPTURE(body);
    CHECK(!parse_kernel(begin + body + "\n}\n", "kernel.cu").features.grid_stride);
  }
}

TEST_CASE("a loop that is the same for all threads may have no turn, and others beside it many") {
  const std::string begin =
      "__global__ void k(int n, int m, const int* in, int* out) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  int sum = i;\n  ";
  const std::string text = loop_text(begin + "for (int j = 1; j <= m; ++j) sum += in[j] * sum;\n  out[i] = sum;\n}\n");
  CHECK(text.find("__tessera_enters() const { return true && (int )(1 ) <= (__tessera_p1 ); }") != std::string::npos);
  for (const std::string& loop :
       std::vector<std::string>{"for (int j = 1; j <= m; ++j) sum += in[j] * sum;",
                                "for (int j = 0; j < m * 3 - 2; ++j) { if (sum % 7 == 3) break; sum += in[j]; }",
                                "for (int j = 0; j < m; ++j) { sum += in[j]; m -= 1; }",
                                "{ int m = in[i % 64];\n  for (int j = 0; j < m; ++j) sum += j; }",
                                "for (int j = 0; j < m; ++j) for (unsigned l = m; l > 0; --l) sum = sum * 3 + in[l];"})
    same_as_fibers(begin + loop + "\n  out[i] = sum;\n}\n");
}

TEST_CASE("threads beside each other take the turns of a loop that strides through memory together") {
  const std::string begin =
      "__global__ void k(int n, int m, const int* in, int* out) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  ";
  const auto in_strips = [](const std::string& source) { return parse_kernel(source, "kernel.cu").features.strips; };
  for (const std::string& body : std::vector<std::string>{
           "if (i >= n - 7 || i > 30) return;\n  int sum = i;\n  for (int j = 0; j < m; ++j) sum = sum * 3 + in[j * m "
           "+ i];\n"
           "  out[i] = sum;",
           "const int last = min(n, 40);\n  if (i < last) {\n    int sum = i, other = 2;\n"
           "    for (int j = m; j > 0; --j) {\n      const int at = j * 2 + i;\n      if (in[at] > 0) sum = sum * 3 + "
           "in[at];\n"
           "      else other ^= sum + j;\n    }\n    out[i] = sum + other;\n  }",
           "if (i < n) if (i % 16 != 3) if (i < 40) {\n    for (int j = 0; j < m; ++j)\n"
           "      for (int l = 0; l <= j; l += 1) out[i] = out[i] * 5 + in[l * m + j + i];\n  }",
           "const int w = threadIdx.x / 32;\n  if (i >= n) return;\n  int sum = w;\n"
           "  for (int j = 0; j < m; ++j) sum = sum * 3 + in[j * 2 + i] + w;\n  out[i] = sum + w;",
           // Elements that other elements number do not matter: a product with a sparse matrix.
           "if (i >= n || i > 30) return;\n  int sum = i;\n"
           "  for (int j = 0; j < m; ++j) sum = sum * 3 + in[j * 2 + i] * in[(in[j * 2 + i] + 100) % 16];\n"
           "  out[i] = sum;",
           "if (i >= n || i >= 48) return;\n  int p[3] = {1, i, 2};\n  for (int j = 0; j < m; ++j) {\n"
           "    p[j % 3] += in[j * 3 + i];\n    if (m == 2) continue;\n    p[1] ^= p[0];\n  }\n"
           "  if (p[0] > 4) out[i] = p[1]; else out[i] = p[2] * m;"}) {
    CHECK(in_strips(begin + body + "\n}\n"));
    same_as_fibers(begin + body + "\n}\n");
  }
  // Elements at a distance; turns that differ; a thread that ends within; an atomic; a condition behind an effect.
  for (const std::string& body : std::vector<std::string>{
           "int sum = 0;\n  if (i < 8) { for (int j = 0; j < m; ++j) sum += in[j * 2 + i * 4]; out[i] = sum; }",
           "int sum = 0;\n  if (i < 8) { for (int j = 0; j < in[i] % 4; ++j) sum += in[j * 2 + i]; out[i] = sum; }",
           "if (i < 8) { for (int j = 0; j < m; ++j) { out[i] += in[j * 2 + i]; if (in[i] < 3) return; } }",
           "if (i < 8) { for (int j = 0; j < m; ++j) atomicAdd(&out[0], in[j * 2 + i]); }",
           "out[i % 8] = 1;\n  if (i < 8) { if (in[i] > 2) { for (int j = 0; j < m; ++j) out[i] += in[j * 2 + i]; } }"})
    CHECK(!in_strips(begin + body + "\n}\n"));
}

TEST_CASE("a parameter that only atomics reach, whose values nobody wants, is known as such") {
  const auto known = [](const std::string& body, const std::string& before = {}) {
    const kernel_text text = parse_kernel(before + "__global__ void k(int n, int* a) {\n  " + body + "\n}\n", "k.cu");
    return text.parameters[1].accumulates;
  };
  const std::string add = "atomicAdd(&a[threadIdx.x % 5], n);";
  CHECK(known(add) == reduce_op::add);
  CHECK(known("if (n > 2) atomicAdd(a + 3, 1); else { atomicAdd(a, n); }") == reduce_op::add);
  CHECK(known("for (int i = 0; i < n; ++i) atomicMax(&a[i], i);") == reduce_op::max);
  for (const std::string& body : std::vector<std::string>{
           "int old = " + add, "n = n + " + add, add + " a[1] = 3;", add + " n = a[2];", "atomicAdd(&a[a[0]], 1);",
           "atomicAdd(&a[1], a[2]);", "int* p = a; " + add, "atomicMin(&a[0], 1); " + add, "atomicExch(&a[0], 1);",
           "if (atomicAdd(&a[0], 1) == 2) n = 3;", "(void)(n, " + add.substr(0, add.size() - 1) + ");", "n = 2;"})
    CHECK(known(body) == std::nullopt);
  CHECK(known(add + " USE;", "#define USE n = a[1]\n") == std::nullopt);
  CHECK(known(add, "__device__ void atomicAdd(int* p, int v) { *p = v; }\n") == std::nullopt);
}

TEST_CASE("threads that take a loop together have the right indices beyond 2^32") {
  const kernel_text text = parse_kernel(R"(
__global__ void k(long long n, long long base, const int* in, long long* out) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long sum = i;
  for (int j = 0; j < 3; ++j) sum = sum * 3 + in[j * 2 + i - base];
  out[i - base] = sum + i;
})",
                                        "k.cu");
  REQUIRE(text.features.strips);
  const std::vector<int> in = numbers<int>(600, -100, 100);
  for (const std::string& compiler : compilers())
    for (long long base : {0LL, (1LL << 31) - 256, (1LL << 32) - 256, (1LL << 33) + 128}) {
      std::vector<long long> out(512);
      long long n = base + 500;
      const int* from = in.data();
      long long* to = out.data();
      cpu_kernel(text, tier::loop, {128}, compiler).run({base / 128 + 4}, {&n, &base, &from, &to}, 0, {base / 128});
      for (std::size_t i = 0; i < 512; ++i) {
        const long long at = base + static_cast<long long>(i);
        const long long sum = ((at * 3 + in[i]) * 3 + in[i + 2]) * 3 + in[i + 4];
        REQUIRE(out[i] == (i < 500 ? sum + at : 0));
      }
    }
}

TEST_CASE("atomics on elements that the text names go to variables, in order where that is asked for") {
  const auto text_of = [](const std::string& first) {
    return parse_kernel(
        "__global__ void k(int n, int zero, const float* x, float* sum, int* most) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
        "  atomicMax(&most[2], (int)(x[i] * 8));\n"
        "  for (int j = 0; j < 2; ++j) atomicAdd(" +
            first + ", x[i] * (j + 1));\n}\n",
        "k.cu");
  };
  const kernel_text named = text_of("sum"), computed = text_of("&sum[zero]");
  REQUIRE(make_cpu_source(named, {tier::loop, {64}}).find("__tessera_sums = true") != std::string::npos);
  const std::vector<float> x = numbers<float>(5 * 64, -1, 3);
  struct result {
    float sum = 0.5f;
    std::vector<int> most = {7, 7, -50, 7};
  };
  const auto run = [&](const kernel_text& text, const std::string& compiler, int n, bool in_order) {
    result found;
    int zero = 0;
    const float* from = x.data();
    float* sum = &found.sum;
    int* most = found.most.data();
    cpu_kernel kernel(text, tier::loop, {64}, compiler);
    kernel.own = 0b11000, kernel.in_order = in_order;
    kernel.run({5}, {&n, &zero, &from, &sum, &most});
    return found;
  };
  for (const std::string& compiler : compilers())
    for (const int n : {0, 1, 9, 64, 200, 320})
      for (const bool in_order : {false, true}) {
        CAPTURE(compiler);
        CAPTURE(n);
        const result found = run(named, compiler, n, in_order), expected = run(computed, compiler, n, in_order);
        CHECK(found.most == expected.most);
        CHECK(found.sum == doctest::Approx(expected.sum).epsilon(1e-4));
        if (in_order) CHECK(found.sum == expected.sum);
      }
}

TEST_CASE("atomics on elements that the text computes stay where they are") {
  for (const std::string& call : std::vector<std::string>{
           "atomicAdd(&y[n], 1);", "atomicAdd(y, 1); atomicAdd(&y[1], 2);", "atomicAdd(y + i, 1);"}) {
    const kernel_text text =
        parse_kernel("__global__ void k(int n, int* y) {\n  int i = threadIdx.x;\n  " + call + "\n}\n", "k.cu");
    CHECK(make_cpu_source(text, {tier::loop, {64}}).find("__tessera_sums = false") != std::string::npos);
  }
}

TEST_CASE("random kernels of loops give the same in every tier") {
  const char* wanted = std::getenv("TEST_KERNELS");  // "300" or "300 from 1000"
  const int kernels = wanted != nullptr ? std::atoi(wanted) : 12;
  const char* from = wanted != nullptr ? std::strstr(wanted, "from ") : nullptr;
  const int first = from != nullptr ? std::atoi(from + 5) : 0;
  const std::vector<std::string> all = compilers();
  int direct = 0, walks = 0, strips = 0;
  for (int seed = first; seed < first + kernels; ++seed) {
    const std::string source = random_block_kernel(static_cast<unsigned>(seed)).loop_kernel();
    CAPTURE(seed);
    CAPTURE(source);
    const kernel_text text = parse_kernel(source, "kernel.cu");
    const std::string& compiler = all[static_cast<std::size_t>(seed) % all.size()];
    CAPTURE(compiler);
    if (counts_directly(source)) ++direct;
    if (text.features.grid_stride) ++walks;
    if (text.features.strips) ++strips;
    for (const int n : {3, 65, 203})
      for (const std::int64_t begin : {0, 2})
        REQUIRE(run(text, tier::loop, {13}, compiler, n, begin) == run(text, tier::fiber, {13}, compiler, n, begin));
  }
  MESSAGE(direct, " of ", kernels, " kernels count in 64 bits, ", walks, " walk in steps of the grid, ", strips,
          " have loops that threads take together");
  CHECK(direct * walks * strips > 0);
}
