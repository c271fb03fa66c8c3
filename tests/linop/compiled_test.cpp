// Kernels as functions and as texts.
#include "tests/linop/support.h"
#include "tests/support/cuda_compiling.h"
#include "tests/support/temporary_directory.h"

#include "tessera/linop/leaf/sparse_kernel.h"
#include "tessera/linop/solve/scalars.h"
#include "tessera/linop/step/text.h"

using namespace tessera::support;
using lin::step_form;
using ts::scalar_kind;

namespace {

/// Operators whose kernels together have all that a text can have.
std::vector<lin::op> operators(const ts::context& ctx, scalar_kind kind) {
  const ts::array_base w = array_of(ctx, random_plain({5, 7}, kind, 2), kind),
                       v = array_of(ctx, random_plain({3, 5}, kind, 3), kind);
  const lin::op d = lin::diagonal(w, "M N");
  return {d,
          d.N(),
          lin::dense(v, "K M, M N -> K N"),
          lin::dense(v, "K M, M N -> K N").H() * lin::dense(v, "K M, M N -> K N"),
          lin::roll("M N", {2, -3}),
          lin::flip("P Q") * lin::pad("M N -> P Q", {{1, 1}, {0, 2}}),
          lin::slice("M N -> P Q", {{0, 5, 2}, {1, 7, 3}}, {{"M", 5}, {"N", 7}}).N(),
          lin::array_to_blocks("M N -> A B C D", {3, 2}, {2, 1}, {{"M", 5}, {"N", 7}}).N(),
          lin::merge("M N -> P", {{"M", 5}}).N(),
          lin::real().N(),
          lin::imag().N(),
          lin::conj() + cf(1, 2) * d,
          lin::convolution(v, "M N", {.edge = lin::boundary::circular}).N(),
          lin::gradient("M N -> D M N", {.edge = lin::boundary::reflect}).N(),
          lin::cumsum("N").N(),
          lin::sparse(ctx, lin::csr_of(4, 35, {{0, 3, cd(1, 2)}, {2, 7, -1}, {3, 34, cd(0, 1)}}), "M N -> K",
                      {.kind = kind, .sizes = {{"M", 5}}})
              .N()};
}

/// Results of all operators, bit by bit, and how many launches were done by functions.
std::vector<std::vector<std::byte>> results(const std::string& check, std::int64_t& by_functions) {
  const temporary_directory cache;  // where nothing is compiled
  ts::options settings = quiet("cpu*2", check);
  settings.cache_dir = cache.path();
  const ts::context ctx(settings);
  std::vector<std::vector<std::byte>> made;
  for (const scalar_kind kind : {scalar_kind::complex64})
    for (const lin::op& a : operators(ctx, kind)) {
      const ts::array_base x = array_of(ctx, random_plain({2, 5, 7}, kind), kind), y = a(x);
      a.apply(0.5, x, -2, y);
      made.push_back(y.read_bytes());
    }
  by_functions = ctx.stats().uncompiled_superblocks;
  return made;
}

}  // namespace

TEST_CASE("compiled kernels give the bits of the functions that stand for them" * doctest::skip()) {
  setenv("TESSERA_SMALL", "0", 1);
  std::int64_t by_functions = 0;
  const std::vector<std::vector<std::byte>> compiled = results("guards", by_functions);  // waits for the texts
  CHECK(by_functions == 0);
  CHECK(results("", by_functions) == compiled);
  CHECK(by_functions > 0);
}

TEST_CASE("texts of kernels compile for GPUs" * doctest::skip()) {
  if (!can_compile_for_cuda()) return;
  cuda_sources sources;
  for (const scalar_kind kind :
       {scalar_kind::float32, scalar_kind::float64, scalar_kind::complex64, scalar_kind::complex128})
    for (const bool reads : {false, true}) {
      step_form form;
      form.axes = reads ? 4 : 2;
      form.sums = reads ? 2 : 0;
      form.reads_result = reads;
      form.result = {kind, false, lin::factor::part::whole, step_form::along::unit};
      form.factors = {{kind, true, lin::factor::part::whole, step_form::along::any},
                      {scalar_kind::float32, false, lin::factor::part::whole, step_form::along::fixed},
                      {scalar_kind::complex64, false, lin::factor::part::imaginary, step_form::along::unit}};
      form.inner_quotients = {false, reads};
      form.comparisons = {reads, false};
      form.inner_guards = {reads, false};
      sources.add(lin::step_text(form), "linop_step.cu");
      form.factors.clear();
      sources.add(lin::step_text(form), "linop_step.cu");
    }
  for (const scalar_kind kind : {scalar_kind::float32, scalar_kind::complex128})
    for (const bool flag : {false, true})
      sources.add(lin::rows_text({kind, scalar_kind::complex64, kind, flag, true, flag}), "linop_rows.cu");
  sources.add(lin::update_text(), "linop_scalars.cu");
  CHECK(sources.size() == 42);
  for (const std::string& failure : sources.failures()) FAIL_CHECK(failure);
}
