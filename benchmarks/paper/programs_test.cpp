// The paper's programs give what threads by hand give, wherever they run.
#include <doctest/doctest.h>

#include "benchmarks/paper/md5_key.h"
#include "benchmarks/paper/programs.h"
#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"

using namespace tessera::bench::paper;
using tessera::support::cut_everywhere;

namespace {

std::vector<double> run_of(const paper_program& p, const ts::context& ctx, const problem& size) {
  const auto made = p.ours(ctx, size);
  made->prepare();
  made->run();
  return made->result();
}

/// Sizes of which nothing is a round multiple.
std::int64_t odd_size(const paper_program& p) {
  if (p.name == "correlator") return 13;
  if (p.name == "gemm") return 171 * 171 * 171;
  if (p.name == "spmv") return 3007LL * 3007;
  return 100'003;
}

std::vector<double> by_threads(const paper_program& p, const problem& size) {
  tessera::bench::thread_team team(2);
  const auto made = p.threads(team, size);
  made->prepare();
  made->run();
  return made->result();
}

}  // namespace

TEST_CASE("the programs agree with threads by hand on one device, three and five") {
  for (const paper_program& p : paper_programs()) {
    CAPTURE(p.name);
    const problem size{odd_size(p)};
    const std::vector<double> expected = by_threads(p, size);
    for (const char* devices : {"cpu", "cpu*3", "cpu*5"}) {
      ts::context ctx(cut_everywhere(devices));
      CHECK_NOTHROW(require_agreement(p, run_of(p, ctx, size), expected));
    }
  }
}

TEST_CASE("of results that are too large to compare both sides give the same beginning") {
  for (const char* name : {"correlator", "hotspot", "black_scholes"}) {
    const paper_program& p = paper_program_named(name);
    const problem size{p.name == std::string("correlator") ? 260 : 4'300'000};
    ts::context ctx(cut_everywhere("cpu"));
    CHECK_NOTHROW(require_agreement(p, run_of(p, ctx, size), by_threads(p, size)));
  }
}

TEST_CASE("they agree on two ranks and three") {
  for (const paper_program& p : paper_programs()) {
    CAPTURE(p.name);
    const problem size{odd_size(p)};
    const std::vector<double> expected = by_threads(p, size);
    for (const int ranks : {2, 3}) {
      const auto settings = [&](int) { return cut_everywhere(ranks == 2 ? "cpu*2" : "cpu"); };
      for (const std::string& e : tessera::support::errors_on_ranks(
               ranks, settings, [&](ts::context& ctx) { require_agreement(p, run_of(p, ctx, size), expected); }))
        FAIL_CHECK(e);
    }
  }
}

TEST_CASE("they agree in parts of a given size with a tenth of the memory, and in deterministic mode") {
  for (const paper_program& p : paper_programs()) {
    CAPTURE(p.name);
    const problem size{odd_size(p), static_cast<std::int64_t>(p.bytes(odd_size(p)) / 23)};
    const std::vector<double> expected = by_threads(p, size);
    ts::options settings = cut_everywhere("cpu*2");
    settings.deterministic = true;
    // Pages of GPUs are about as large as these arrays.
    if (p.bytes(size.n) > 1e6 && !tessera::support::on_gpu())
      settings.device_memory = static_cast<std::int64_t>(p.bytes(size.n) / 10);
    ts::context ctx(settings);
    CHECK_NOTHROW(require_agreement(p, run_of(p, ctx, size), expected));
  }
}

TEST_CASE("the search finds a key by its hash as the standard defines it") {
  // The letters of key 0: "aaaaaaaaaaaa".
  CHECK(digest_of_key(0) == std::array<std::uint32_t, 4>{0x2081e445, 0xde3dd814, 0xdfeb6656, 0xedd18e5a});
}

TEST_CASE("sizes follow from n") {
  CHECK(square_root(99) == 9);
  CHECK(square_root(100) == 10);
  CHECK(cube_root(999) == 9);
  CHECK(cube_root(1000) == 10);
  CHECK(spmv_shape(4'000'000).width == 2);
  CHECK(spmv_shape(100).width == 1);
}
