#include <doctest/doctest.h>

#include "tests/kernel/split_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

/// Elements `s[threadIdx.x ^ j]` are read before the loop over threads and written behind it, and give what they give
/// on fibers.
namespace {

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

/// Requires as many elements that are read and written across, and the results of fibers.
void crosses(const std::string& source, std::size_t reads, std::size_t writes) {
  CAPTURE(source);
  const std::string all = make_cpu_source(parse_kernel(source, "kernel.cu"), {tier::split, {64}});
  const std::string text = all.substr(all.find("kernel.cu"));
  CHECK(count(text, "__tessera::read_across(") == reads);
  CHECK(count(text, "__tessera::write_across(") == writes);
  same_as_fibers(source);
}

/// A sort of the 64 values of type `type` in the first row of a block.
std::string sort(const std::string& type) {
  return with("  __shared__ " + type + " s[64];\n  const unsigned x = threadIdx.x;\n" + R"(
  if (t < 64) s[t] = in[i] * 3;
  if (T < 64 && t == 0) for (int k = T; k < 64; ++k) s[k] = 1000 + k;
  __syncthreads();
  for (unsigned k = 2; k <= T; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned other = x ^ j;
      if (other > x && threadIdx.y + threadIdx.z == 0 && other < 64) {)" +
              type + R"( a = s[x], b = s[other];
        if ((x & k) == 0 ? a > b : a < b) {
          s[x] = b;
          s[other] = a;
        }
      }
      __syncthreads();
    }
  result(0) = (int)s[t];)");
}

}  // namespace

TEST_CASE("a bitonic sort reads and writes across, of elements of every size") {
  for (const char* type : {"float", "long long", "unsigned char"}) crosses(sort(type), 1, 1);
}

TEST_CASE("elements across may lie beyond the block, and arrays may be shorter than it") {
  crosses(with(R"(
  __shared__ int s[200], few[10];
  const int x = threadIdx.x;
  for (int k = t; k < 200; k += T) s[k] = k * 7;
  for (int k = t; k < 10; k += T) few[k] = k;
  __syncthreads();
  result(0) = s[x ^ 64] + s[threadIdx.x ^ 128];
  result(1) = s[x ^ n];
  if ((x ^ 3) < 10) result(2) = few[3 ^ x];
  if ((x ^ n) < 10) result(3) = few[x ^ n];
  __syncthreads();
  if ((x ^ 5) < 10 && threadIdx.y + threadIdx.z == 0) few[x ^ 5] = in[i];
  __syncthreads();
  result(4) = few[t % 10];)"),
          5, 1);
}

TEST_CASE("a thread reads what it has changed itself, and its last change counts") {
  const std::string before = R"(
  __shared__ int s[64];
  const int x = threadIdx.x;
  const bool first = threadIdx.y + threadIdx.z == 0;
  const int by = n % 5;
  for (int k = t; k < 64; k += T) s[k] = in[k];
  __syncthreads();
)";
  const std::string after = "\n  __syncthreads();\n  result(0) = s[x];";
  crosses(with(before + "  if (first && by == 0) { s[x] = 5; result(1) = s[x ^ by]; }" + after), 0, 0);
  crosses(with(before + "  if (first && by == 0) s[x] = s[x ^ by] + 1;" + after), 1, 0);
  crosses(with(before + "  if (first && by == 0) s[x] += s[x ^ by], result(1) = s[x ^ by];" + after), 1, 0);
  crosses(with(before + "  if (first && by == 0) { s[x ^ by] = 5; s[x] = 6; }" + after), 0, 0);
  crosses(with(before + "  if (first && by == 0) { s[x ^ by] = 5; result(1) = s[x]; }" + after), 0, 0);
  crosses(with(before + "  if (first && by == 0) { s[x] = 6; s[x ^ by] = 5; }" + after), 0, 1);
  crosses(with(before + "  if (first) { s[x ^ 1] = 5; if (x % 2) return; s[x ^ 1] = 6; }" + after), 0, 1);
  crosses(with(before + "  if (first) { if (x % 3 == 0) return; s[x ^ 1] = 6; }" + after), 0, 1);
  crosses(with(before + "  if (first) s[x ^ 1] += 3;" + after), 0, 0);
  crosses(with(before + "  if (first) { const int old = s[x ^ 1]++; result(1) = old; }" + after), 0, 0);
}

TEST_CASE("what is not surely across stays where it was") {
  const std::string before = R"(
  __shared__ int s[64];
  int x = threadIdx.x, j = n % 7;
  for (int k = t; k < 64; k += T) s[k] = in[k];
  __syncthreads();
)";
  const auto stays = [&](const std::string& body) { crosses(with(before + body), 0, 0); };
  stays("  const int by = x % 3;\n  if ((x ^ by) < T) result(0) = s[x ^ by];");
  stays("  int other = x ^ 1;\n  if (n == 5) other = 0;\n  if (other < T) result(0) = s[other];");
  stays("  { const int x = 3; result(0) = s[x ^ 1]; }\n");
  stays("  if (n) { const int j = t; result(0) = s[threadIdx.x ^ j ^ j]; }\n");
  stays("  const unsigned char other = threadIdx.x ^ (n * 256);\n  if (other < T) result(0) = s[other];");
  stays("  int sum = 0;\n  for (int k = 1; k < 4; k *= 2) if ((x ^ k) < T) sum += s[x ^ k];\n  result(0) = sum;");
  stays("#define element(k) s[(k) ^ 1]\n  if ((x ^ 1) < T) result(0) = element(x);");
  stays("  int* p = s;\n  p[t] = 4;\n  if (j == 0 && threadIdx.y + threadIdx.z == 0) result(0) = s[threadIdx.x ^ j];");
}
