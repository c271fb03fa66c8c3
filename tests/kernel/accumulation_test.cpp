#include <doctest/doctest.h>

#include "tessera/kernel/source/signature.h"

using namespace tessera;

namespace {

/// How a kernel with this body and the parameters `int* y, const int* x, int n` combines into y.
std::optional<reduce_op> use(const std::string& body, const std::string& before = "") {
  const std::string text =
      before + "__global__ void k(int* y, const int* x, int n) {\n  int i = threadIdx.x;\n" + body + "\n}\n";
  return kernels::parse_kernel(text, "k.cu").parameters[0].accumulates;
}

}  // namespace

TEST_CASE("a pointer that is reached by atomic functions alone is known with their operation") {
  CHECK(use("atomicAdd(&y[x[i]], 1);") == reduce_op::add);
  CHECK(use("if (i < n) atomicAdd(y + x[i], 1); else atomicAdd(y, 2);") == reduce_op::add);
  CHECK(use("for (int j = 0; j < n; ++j) { atomicMax(&y[j], x[j]); }") == reduce_op::max);
  CHECK(use("atomicMin(y, x[i]);") == reduce_op::min);
}

TEST_CASE("a pointer that is also used otherwise is not shared by thread blocks") {
  CHECK_FALSE(use("int old = atomicAdd(&y[0], 1); (void)old;"));
  CHECK_FALSE(use("int old = 0; old = (int)atomicAdd(&y[0], 1);"));
  CHECK_FALSE(use("if (atomicAdd(&y[0], 1) == 0) return;"));
  CHECK_FALSE(use("atomicAdd(&y[0], 1); y[1] = 2;"));
  CHECK_FALSE(use("atomicAdd(&y[y[0]], 1);"));
  CHECK_FALSE(use("atomicAdd(&y[0], 1); atomicMax(&y[0], 1);"));
  CHECK_FALSE(use("atomicExch(&y[0], 1);"));
  CHECK_FALSE(use("COUNT(x[i])", "#define COUNT(bin) atomicAdd(&y[bin], 1);\n"));
  CHECK_FALSE(use("atomicCAS(&y[0], 0, 1);"));
  CHECK_FALSE(use("int* z = y; atomicAdd(&z[0], 1);"));
  CHECK_FALSE(use("helper(y);", "__device__ void helper(int* p) { p[0] = 1; }\n"));
  CHECK_FALSE(use("atomicAdd(&y[0], 1);", "__device__ int atomicAdd(int* p, float v) { return *p = 1; }\n"));
  CHECK_FALSE(use("int z = (atomicAdd(&y[0], 1), 2); (void)z;"));
  CHECK_FALSE(use("atomicAdd(&y[0], 1) + 1;"));
  CHECK_FALSE(use("y[i] = x[i];"));
  CHECK_FALSE(use("(void)n;"));
}
