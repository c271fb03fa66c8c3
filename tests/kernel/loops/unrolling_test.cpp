// `#pragma unroll` on CPUs.
#include "tessera/kernel/wrap/unrolling.h"

#include <doctest/doctest.h>

#include "tessera/base/text.h"
#include "tests/kernel/cpu_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

namespace {

/// Whether the first request of a text is one that a C++ compiler understands.
bool is_unrolled(const std::string& text) {
  return with_unrolling("#pragma unroll\n" + text).starts_with("__tessera_unroll(");
}

}  // namespace

TEST_CASE("a loop around loops is unrolled with those inside that ask for it; one alone is left to be vectorised") {
  const std::string inner = "#pragma unroll\nfor (int i = 0; i < 16; ++i) sums[i] += a[k] * b[i];\n";
  CHECK(with_unrolling("  #pragma unroll\nfor (int k = 0; k < 8; ++k) {\n" + inner + "}\n") ==
        "  __tessera_unroll(8)\nfor (int k = 0; k < 8; ++k) {\n__tessera_unroll(16)\n"
        "for (int i = 0; i < 16; ++i) sums[i] += a[k] * b[i];\n}\n");
  CHECK(with_unrolling(inner) == inner);
  CHECK(with_unrolling("for (;;) {\n" + inner + "}") == "for (;;) {\n" + inner + "}");
}

TEST_CASE("loops are unrolled that count from number to number") {
  const std::string body = ") for (int i = 0; i < n; ++i) f(i);";
  CHECK(is_unrolled("for (int k = 0; k < 16; k++" + body));
  CHECK(is_unrolled("/* four turns */ for (unsigned k = (3); k < (16); k += 4" + body));
  for (const char* head :
       {"for (int k = 0; k < n; ++k", "for (int k = t; k < 16; ++k", "for (int k = 0; k < 16; k *= 2",
        "for (int k = 0; j < 16; ++k", "for (int k = 0; k < 16; --k", "for (int k = 9; k < 3; ++k",
        "for (int k = 0; k < 16; k += 0", "for (int k = 0; k < 600; ++k", "while (k < 16"}) {
    CAPTURE(head);
    CHECK_FALSE(is_unrolled(head + body));
  }
  CHECK_FALSE(is_unrolled("x = 3; for (int k = 0; k < 16; ++k" + body));
  CHECK_FALSE(is_unrolled(""));
}

TEST_CASE("outer loops stay where statements would be repeated too often") {
  const std::string text = with_unrolling(
      "#pragma unroll\nfor (int k = 0; k < 32; ++k) {\n#pragma unroll\nfor (int j = 0; j < 32; ++j)\n"
      "#pragma unroll\nfor (int i = 0; i < 16; ++i) f(i, j, k);\n}");
  CHECK(text.find("__tessera_unroll(32)\nfor (int k") == std::string::npos);
  CHECK(text.find("__tessera_unroll(32)\nfor (int j") != std::string::npos);
  CHECK(text.find("__tessera_unroll(16)\nfor (int i") != std::string::npos);
}

TEST_CASE("a kernel gives the same in its unrolled form, with barriers and without, with every compiler") {
  const auto text = [](const char* unroll, const char* barrier) {
    return cat("//@tessera global i => read in[i], write out[i]\n__global__ void k(const float* in, float* out) {\n",
               "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float sums[4] = {in[i], 1, 2, 3};\n", barrier,
               "\n", unroll, "\n  for (int k = 0; k < 6; ++k)\n", unroll,
               "\n    for (int j = 0; j < 4; ++j) sums[j] = sums[j] * 0.5f + k * in[i];\n", barrier,
               "\n  out[i] = sums[0] + sums[1] * sums[2] - sums[3];\n}\n");
  };
  for (const char* barrier : {"", "  __syncthreads();"})
    for (const std::string& compiler : compilers()) {
      std::vector<std::vector<float>> results;
      for (const char* unroll : {"", "#pragma unroll"}) {
        const kernel_text kernel = parse_kernel(text(unroll, barrier), "kernel.cu");
        const bool asks = choose_cpu_source(kernel, {32}).text.find("__tessera_unroll(6)\n") != std::string::npos;
        CHECK(asks == (*unroll != '\0'));
        std::vector<float> in(128), out(128);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.37f * static_cast<float>(i);
        const float* from = in.data();
        float* to = out.data();
        cpu_kernel(choose_cpu_source(kernel, {32}), {32}, compiler).run({4}, {&from, &to});
        results.push_back(out);
      }
      CHECK(results[0] == results[1]);
    }
}
