#include <doctest/doctest.h>

#include "tests/fuzz/kernels/source_entry.h"
#include "tests/support/cuda_compiling.h"

using namespace tessera;

TEST_CASE("every kernel of the source pool compiles for GPUs") {
  if (!support::can_compile_for_cuda()) return;
  support::cuda_sources sources;
  for (const fuzz::source_entry& e : fuzz::source_entries()) sources.add(e.text, "pool.cu");
  CHECK(sources.size() >= 2 * fuzz::source_entries().size());
  for (const std::string& failure : sources.failures()) FAIL_CHECK(failure);
}

TEST_CASE("kernels of the source pool compile for GPUs together with the operations that they register") {
  if (!support::can_compile_for_cuda()) return;
  int compiled = 0;
  for (const fuzz::source_entry& e : fuzz::source_entries()) {
    const std::vector<registered_reduction> own = fuzz::reductions_of(e.op);
    if (own.empty()) continue;
    INFO(e.name);
    CHECK_FALSE(
        support::compile_for_cuda(kernels::parse_kernel(e.text, "pool.cu", e.name, {}, own), {true, {}, {{0, 0}}})
            .empty());
    ++compiled;
  }
  CHECK(compiled == 6);
}
