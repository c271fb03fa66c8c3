// Where launches run that the program does not place: on all devices, on one kind of them, or on one.
#include <set>

#include "tests/array/on_ranks.h"
#include "tests/array/support.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::on_ranks;
using support::quiet;
using support::require;
using support::says;

namespace {

constexpr const char* column_source = R"(
//@tessera global i => write a[:, i]
__global__ void number(int rows, int columns, int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < columns) for (int r = 0; r < rows; ++r) a[r * columns + i] = r * columns + i;
})";

constexpr const char* stride_source = R"(
//@tessera global i, T = gridDim.x*blockDim.x => read a as [:, T][:, i], atomic(+) s
__global__ void sum(int n, int* s, const int* a) {
  int t = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) t += a[i];
  atomicAdd(s, t);
})";

/// The devices on which `explain` shows launches of this rank.
std::set<std::string> devices_of(const std::string& explained) {
  std::set<std::string> found;
  const std::string mark = " on device ";
  for (std::size_t at = explained.find(mark); at != std::string::npos; at = explained.find(mark, at + 1)) {
    const std::size_t place = at + mark.size();
    const std::string device = explained.substr(place, explained.find_first_of(" ,;\n", place) - place);
    if (says(device, ".")) found.insert(device);  // rank and device; notes name devices by one number
  }
  return found;
}

}  // namespace

TEST_CASE("a thread per column of an array that is distributed by rows: all devices work") {
  context ctx(quiet("cpu*3"));
  const kernel k = ctx.compile(column_source, "number");
  const auto a = ctx.empty<int>({6, 3'000});
  const launch_options how{.threads = {3'000}, .block = {64}};
  const std::string text = k.explain(how, 6, 3'000, a);
  CHECK_MESSAGE(devices_of(text).size() == 3, text);
  CHECK_MESSAGE(says(text, "in balance"), text);
  k.launch(how, 6, 3'000, a);
  CHECK(a.read() == support::counted(6 * 3'000));
}

TEST_CASE("a loop over the grid that is declared as a strided view: all devices work") {
  context ctx(quiet("cpu*3"));
  const kernel k = ctx.compile(stride_source, "sum");
  const auto a = ctx.from<int>({10'000}, std::vector<int>(10'000, 1));
  const auto s = ctx.zeros<int>({1});
  const launch_options how{.grid = {8}, .block = {128}};
  const std::string text = k.explain(how, 10'000, s, a);
  CHECK_MESSAGE(devices_of(text).size() == 3, text);
  k.launch(how, 10'000, s, a);
  CHECK(s.read()[0] == 10'000);
}

TEST_CASE("all ranks work where cuts cross the distribution") {
  on_ranks(3, "cpu*2", [](context& ctx) {
    const kernel k = ctx.compile(column_source, "number");
    const auto a = ctx.empty<int>({6, 3'000});
    const launch_options how{.threads = {3'000}, .block = {64}};
    const std::string text = k.explain(how, 6, 3'000, a);
    require(devices_of(text).size() == 2, text);
    k.launch(how, 6, 3'000, a);
    require(a.read() == support::counted(6 * 3'000), "wrong values");
  });
}

TEST_CASE("a launch that is too small to share runs on one device, and the next one too") {
  const support::scoped_variable small("TESSERA_SMALL", "256KiB");
  for (const int ranks : {1, 2})
    on_ranks(ranks, "cpu*2", [&](context& ctx) {
      const kernel k = support::make_stencil(ctx);
      auto a = ctx.from<int>({1'000}, support::counted(1'000)), b = ctx.empty<int>({1'000});
      const launch_options how{.threads = {1'000}, .block = {64}};
      const std::string text = k.explain(how, 1'000, b, a);
      require(says(text, "too small to share"), text);
      require(devices_of(text).size() <= 1, text);
      for (int step = 0; step < 4; ++step) {
        k.launch(how, 1'000, b, a);
        std::swap(a, b);
      }
      const std::vector<int> values = a.read();
      require(values[500] == 81 * 500, "wrong values");
    });
}

TEST_CASE("small and large launches on the same arrays give the same results as large ones alone") {
  const auto run = [](const char* limit) {
    const support::scoped_variable small("TESSERA_SMALL", limit);
    context ctx(quiet("cpu*4"));
    const kernel k = support::make_stencil(ctx);
    const kernel columns = ctx.compile(column_source, "number");
    auto a = ctx.from<int>({2'000}, support::counted(2'000), blocks(500).halo(1));
    auto b = ctx.zeros<int>({2'000}, blocks(500).halo(1));
    auto large = ctx.empty<int>({5, 2'000});
    for (int step = 0; step < 3; ++step) {
      k.launch({.threads = {2'000}, .block = {64}}, 2'000, b, a);
      columns.launch({.threads = {2'000}, .block = {64}}, 5, 2'000, large);
      k.launch({.threads = {2'000}, .block = {64}, .split = like(b)}, 2'000, a, b);
    }
    std::vector<int> values = a.read();
    for (const int v : large.read()) values.push_back(v);
    return values;
  };
  CHECK(run("0") == run("100KB"));
}

TEST_CASE("TESSERA_SMALL is the same on all ranks, or a context is refused") {
  const auto before = std::getenv("TESSERA_SMALL") ? std::string(std::getenv("TESSERA_SMALL")) : std::string();
  unsetenv("TESSERA_SMALL");
  const auto errors = support::errors_on_ranks(
      2,
      [](int rank) {
        options chosen = quiet("cpu");
        chosen.small = 1'000 + rank;
        return chosen;
      },
      [](context&) {});
  setenv("TESSERA_SMALL", before.c_str(), 1);
  REQUIRE(errors.size() == 2);
  CHECK(says(errors[0], "TESSERA_SMALL is not the same on ranks"));
}
