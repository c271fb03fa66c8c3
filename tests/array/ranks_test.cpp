// Calls that tell ranks apart, on ranks simulated in this process.
#include <chrono>
#include <thread>

#include "tests/array/on_ranks.h"
#include "tests/array/support.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::errors_on_ranks;
using support::message_of;
using support::on_ranks;
using support::quiet;
using support::require;
using support::says;

namespace {

/// The numbers of the elements of `boxes` in a plane of `columns`.
std::vector<int> numbers(const std::vector<box>& boxes, std::int64_t columns) {
  std::vector<int> result;
  for (const box& b : boxes)
    for (std::int64_t i = b.lo[0]; i < b.hi[0]; ++i)
      for (std::int64_t j = b.lo[1]; j < b.hi[1]; ++j) result.push_back(static_cast<int>(i * columns + j));
  return result;
}

}  // namespace

TEST_CASE("every rank writes and reads its own part, however the array is distributed") {
  for (const int ranks : {1, 2, 3, 5})
    on_ranks(ranks, "cpu*2", [](context& ctx) {
      const auto check = [&](const distribution& placement) {
        const auto a = ctx.empty<int>({13, 10}, placement);
        const std::vector<int> mine = numbers(a.own_boxes(), 10);
        a.write_own(mine);
        require(a.read() == support::counted(130), "the parts of all ranks are the whole");
        require(a.read_own() == mine, "what was written is read");
        const auto part = a.slice({{2, 9}, {3, 10}});
        std::vector<int> inner;
        for (const int n : numbers(part.own_boxes(), 10)) inner.push_back(n + 23);
        require(part.read_own() == inner, "a view has its own part, too");
        const auto b = ctx.from_own<int>({13, 10}, mine, placement);
        require(b.read() == support::counted(130), "an array is made from the parts of all ranks");
      };
      check(automatic());
      check(rows(2));
      check(rows(1).cyclic());
      check(tiles({3, 4}).cyclic());
      check(on_device(0));
    });
}

TEST_CASE("what was computed elsewhere comes home when it is read there") {
  on_ranks(3, "cpu*1", [](context& ctx) {
    const auto a = ctx.empty<int>({30}, on_device(2)), x = ctx.from<int>({30}, support::counted(30));
    support::make_increment(ctx).launch({.threads = {30}, .split = blocks(10)}, a, x);
    const std::vector<int> mine = a.read_own();
    require(mine.size() == (ctx.rank() == 2 ? 30 : 0), "all of it is at home on the last rank");
    for (std::size_t i = 0; i < mine.size(); ++i) require(mine[i] == static_cast<int>(i) + 1, "it is right");
  });
}

TEST_CASE("one rank reads and writes for all") {
  on_ranks(3, "cpu*2", [](context& ctx) {
    const auto a = ctx.zeros<int>({50});
    for (int root = 0; root < 3; ++root) {
      std::vector<int> data = support::counted(50);
      for (int& x : data) x += root;
      a.write_from(root, ctx.rank() == root ? std::span<const int>(data) : std::span<const int>());
      require(a.read() == data, "the others have what it wrote");
      const std::vector<int> found = a.read_on(2 - root);
      require(ctx.rank() == 2 - root ? found == data : found.empty(), "only that rank has what it reads");
      require(ctx.full<bool>({3}, true).read_on(root).size() == (ctx.rank() == root ? 3 : 0), "bool is no exception");
    }
  });
}

TEST_CASE("a large result comes to one rank or to all of them") {
  if (std::getenv("TEST_MEMORY") != nullptr) return;  // minutes, through a disk
  on_ranks(2, "cpu", [](context& ctx) {
    constexpr int n = 9 << 20;
    const auto a = ctx.from<int>({n}, support::counted(n));
    require(a.read() == support::counted(n), "every rank has all of it");
    require(a.read_on(1).size() == (ctx.rank() == 1 ? n : 0), "one rank has it");
    require(a.slice({{1, n}}).read_on(0).size() == (ctx.rank() == 0 ? n - 1 : 0), "one rank has the slice");
  });
}

TEST_CASE("a rank that does not exist and a part of the wrong size are refused") {
  context ctx(quiet("cpu*2"));
  const auto a = ctx.zeros<int>({5});
  CHECK(says(message_of<argument_error>([&] { (void)a.read_on(1); }), "rank 1", "there are 1"));
  CHECK(says(message_of<argument_error>([&] { a.write_from(-1, {}); }), "rank -1"));
  const std::vector<int> short_part(4);
  CHECK(says(message_of<argument_error>([&] { a.write_own(short_part); }), "5 of them its own", "with 4"));
  CHECK_THROWS_AS((void)array<int>().read_own(), argument_error);
}

TEST_CASE("settings that decide plans are the same on all ranks, or no context is made") {
  const auto one_differs = [](int rank) {
    options settings = quiet("cpu", rank == 1 ? "uninitialised" : "");
    return settings;
  };
  const std::vector<std::string> errors = errors_on_ranks(3, one_differs, [](context&) { FAIL("a context was made"); });
  REQUIRE(errors.size() == 3);
  for (const std::string& e : errors) CHECK(says(e, "TESSERA_CHECK is not the same on ranks"));
}

TEST_CASE("a rank that cannot make its context ends the job of the others") {
  const auto one_lacks_devices = [](int rank) { return quiet(rank == 2 ? "no such device" : "cpu"); };
  const std::vector<std::string> errors = errors_on_ranks(3, one_lacks_devices, [](context&) {});
  REQUIRE(errors.size() == 3);
  for (const std::string& e : errors) CHECK(says(e, "no such device"));
}

TEST_CASE("a network serves one context") {
  options settings = quiet("cpu");
  settings.comm = comm::make_alone();
  CHECK(context(settings).full<int>({3}, 7).read() == std::vector<int>(3, 7));
  CHECK(says(message_of<argument_error>([&] { context again(settings); }), "options.comm has served a context"));
}

TEST_CASE("a difference is found however far ahead a rank is") {
  const auto fill_one_differently = [](context& ctx) {
    const auto x = ctx.zeros<int>({30}), y = ctx.zeros<int>({30});
    // What a rank tells the next one comes when that has made all its calls.
    std::this_thread::sleep_for(std::chrono::milliseconds(ctx.rank() == 0 ? 300 : 0));
    x.fill(ctx.rank() == 1 ? 2 : 1);
    for (int k = 0; k < 5000; ++k) y.fill(0);
    (void)y.read();
    (void)x.read();
  };
  const auto settings = [](int) { return quiet("cpu"); };
  const std::vector<std::string> errors = errors_on_ranks(2, settings, fill_one_differently);
  REQUIRE(!errors.empty());
  CHECK(says(errors.front(), "the ranks make different calls: call 5 "));
}

TEST_CASE("ranks that write different data are told apart if that is asked for") {
  const auto write_own_number = [](context& ctx) {
    const auto a = ctx.empty<int>({10}), b = ctx.empty<int>({10});
    a.write(std::vector<int>(10, 7));
    b.write(std::vector<int>(10, ctx.rank() == 2 ? 2 : 1));
    (void)b.read();
  };
  const auto settings = [](const char* check) { return [=](int) { return quiet("cpu", check); }; };
  CHECK(errors_on_ranks(3, settings("unwritten"), write_own_number).empty());
  const std::vector<std::string> errors = errors_on_ranks(3, settings("ranks"), write_own_number);
  REQUIRE(!errors.empty());
  CHECK(says(errors.front(), "the ranks make different calls: call 4", "an array is written at", "contents of hash"));
}

TEST_CASE("of all ranks one compiles a kernel, and the others take what it made") {
  const support::temporary_directory place;
  const support::scoped_variable cache("TESSERA_CACHE_DIR", place / "cache");
  std::atomic<std::int64_t> compiled{0};
  on_ranks(4, "cpu", [&](context& ctx) {
    const auto mark = ctx.compile(
        "//@tessera global i => write y[i]\n__global__ void mark(int n, int* y) {\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 7;\n}",
        "mark");
    const auto y = ctx.empty<int>({100}, rows(25));
    mark.launch({.threads = {100}}, 100, y);
    for (const int e : y.read()) require(e == 7, "every rank has run it");
    compiled += ctx.stats().kernels_compiled;
  });
  CHECK(compiled == 1);
}
