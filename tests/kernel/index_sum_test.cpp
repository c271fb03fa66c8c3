#include "tessera/kernel/index/sum.h"

#include <doctest/doctest.h>

#include <string>

#include "tessera/kernel/source/signature.h"

using namespace tessera::kernels;

namespace {

/// The sum that `text` begins with: its axis, whether it is computed in 64 bits, and what stands behind it.
std::string sum_in(const std::string& text, const alias_table& aliases = {}) {
  const token_list list = tokenise(text, "");
  const std::optional<index_sum> sum = read_index_sum(list.tokens, 0, aliases);
  if (!sum) return "none";
  std::string found = std::string("xyz").substr(static_cast<std::size_t>(sum->axis), 1) + (sum->wide ? " wide" : "");
  for (std::size_t i = sum->end; i < list.tokens.size(); ++i) found += " " + std::string(list.tokens[i].text);
  return found;
}

}  // namespace

TEST_CASE("an index sum is found in any order and ends where it ends") {
  CHECK(sum_in("blockIdx.x * blockDim.x + threadIdx.x; n") == "x ; n");
  CHECK(sum_in("threadIdx.y + blockDim.y * blockIdx.y)") == "y )");
  CHECK(sum_in("__mul24(blockIdx.z, blockDim.z) + threadIdx.z") == "z");
  CHECK(sum_in("b * blockDim.x + threadIdx.x", {{"b", {index_kind::block, 0}}}) == "x");
}

TEST_CASE("casts to (long long) make an index sum wide, wherever in the product they stand") {
  CHECK(sum_in("(long long)blockIdx.x * blockDim.x + threadIdx.x") == "x wide");
  CHECK(sum_in("blockIdx.x * (long long)blockDim.x + threadIdx.x") == "x wide");
  CHECK(sum_in("threadIdx.x + (long long)blockIdx.x * (long long)blockDim.x") == "x wide");
  CHECK(sum_in("(unsigned long long)blockIdx.x * blockDim.x + (unsigned long long)threadIdx.x") == "x wide");
  CHECK(sum_in("((long long)blockIdx.x) * blockDim.x + threadIdx.x") == "x wide");
  CHECK(sum_in("static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x") == "x wide");
  CHECK(sum_in("(long long)(int)blockIdx.x * blockDim.x + threadIdx.x") == "x wide");
  CHECK(sum_in("(std_size)blockIdx.x * blockDim.x + threadIdx.x") == "none");
}

TEST_CASE("a cast of the thread's index alone, or of the finished product, does not widen the product") {
  CHECK(sum_in("blockIdx.x * blockDim.x + (long long)threadIdx.x") == "x");
  CHECK(sum_in("(long long)threadIdx.x + blockIdx.x * blockDim.x") == "x");
  CHECK(sum_in("(long long)(blockIdx.x * blockDim.x) + threadIdx.x") == "none");
  CHECK(sum_in("(int)(blockIdx.x * blockDim.x) + threadIdx.x") == "x");
}

TEST_CASE("what is no index sum is not taken for one") {
  CHECK(sum_in("blockIdx.x * blockDim.y + threadIdx.x") == "none");
  CHECK(sum_in("blockIdx.x * blockIdx.x + threadIdx.x") == "none");
  CHECK(sum_in("blockIdx.x + threadIdx.x") == "none");
  CHECK(sum_in("(long long") == "none");
  CHECK(sum_in("static_cast<long long>(blockIdx.x * blockDim.x + threadIdx.x") == "none");
}

TEST_CASE("a kernel without an index sum has wide indices if it widens each block's index before it computes with it") {
  const auto is_wide = [](const std::string& body) {
    const std::string text = "__global__ void k(long long n, float* a) {\n" + body + "\n}";
    return parse_kernel(text, "k.cu").features.wide_index;
  };
  CHECK(is_wide("const long long x = (long long)blockIdx.x * n + threadIdx.x; a[x] = 0;"));
  CHECK(is_wide("const long long b = blockIdx.x, x = b * n + threadIdx.x; a[x] = 0;"));
  CHECK(is_wide("for (long long y = ((long long)blockIdx.y + 1) * n; y < n; ++y) a[y + (size_t)blockIdx.x] = 0;"));
  CHECK_FALSE(is_wide("const long long x = blockIdx.x * 256 + threadIdx.x; a[x] = 0;"));
  CHECK_FALSE(is_wide("const int b = blockIdx.x; a[b * 256] = 0;"));
  CHECK_FALSE(is_wide("const long long y = (long long)blockIdx.y * n; a[y + blockIdx.x * 256] = 0;"));
  CHECK_FALSE(
      is_wide("const long long x = (long long)blockIdx.x * n; a[x + blockIdx.y * blockDim.y + threadIdx.y] = 0;"));
  CHECK_FALSE(is_wide("a[threadIdx.x] = 0;"));
}
