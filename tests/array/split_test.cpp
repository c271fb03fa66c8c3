// Splits that say where a launch runs, and launches that follow arrays whose parts are listed.
#include "tests/array/on_ranks.h"
#include "tests/array/support.h"

using namespace tessera;
using support::message_of;
using support::on_ranks;
using support::quiet;
using support::says;

namespace {

/// Rows with the devices that own them; device -1 is the last one.
class listed_rows final : public distribution {
 public:
  explicit listed_rows(std::vector<slab> rows) : rows_(std::move(rows)) {}
  [[nodiscard]] plan::layout parts(const extents& shape, int devices) const override {
    plan::layout home;
    home.form = plan::layout::kind::listed;
    for (const slab& s : rows_) {
      plan::placed_box& p = home.parts.emplace_back();
      p.bounds = box::whole(shape);
      p.bounds.lo[0] = s.lo, p.bounds.hi[0] = s.hi;
      p.device = s.device < 0 ? devices - 1 : s.device;
    }
    return home;
  }

 private:
  std::vector<slab> rows_;
};

/// b = a, and the rows above and below it.
constexpr const char* source = R"(
//@tessera global [x, y] => read a[y-1:y+1, x], write b[y, x]
__global__ void add_rows(int rows, int columns, int* b, const int* a) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  int sum = a[y * columns + x];
  if (y > 0) sum += a[(y - 1) * columns + x];
  if (y + 1 < rows) sum += a[(y + 1) * columns + x];
  b[y * columns + x] = sum;
})";

constexpr int height = 70, width = 90;

/// Two steps of it, each split in its own way, from numbered elements.
std::vector<int> two_steps(context& ctx, const distribution& home, const split& first, const split& second) {
  const kernel k = ctx.compile(source, "add_rows");
  auto a = ctx.from<int>({height, width}, support::counted(height * width), home);
  auto b = ctx.zeros<int>({height, width}, home);
  k.launch({.threads = {width, height}, .block = {8, 8}, .split = first}, height, width, b, a);
  k.launch({.threads = {width, height}, .block = {8, 8}, .split = second}, height, width, a, b);
  return a.read();
}

std::vector<int> expected() {
  context ctx(quiet("cpu"));
  return two_steps(ctx, automatic(), whole(), whole());
}

}  // namespace

TEST_CASE("parts, one device and listed rows give the same result as one superblock") {
  const std::vector<int> right = expected();
  for (const char* devices : {"cpu", "cpu*4"}) {
    context ctx(quiet(devices));
    const int last = static_cast<int>(ctx.devices().size()) - 1;
    const listed_rows uneven({{0, 3, -1}, {3, 40, 0}, {40, 41, -1}, {41, 41, 0}, {41, 70, -1}});
    const std::vector<split> all{split(),
                                 on(0),
                                 on(last),
                                 parts({{0, 8, last}, {8, 8, 0}, {8, 64, 0}, {64, 70, last}}),
                                 parts({{64, 70, 0}, {0, 64, last}}),
                                 parts({{0, 80, last}, {80, 90, 0}}, 0)};
    for (const split& first : all)
      for (const split& second : all) {
        CHECK(two_steps(ctx, automatic(), first, second) == right);
        CHECK(two_steps(ctx, uneven, first, second) == right);
      }
  }
}

TEST_CASE("parts run on devices of other ranks") {
  const std::vector<int> right = expected();
  on_ranks(3, "cpu*2", [&](context& ctx) {
    const listed_rows uneven({{0, 30, 5}, {30, 32, 1}, {32, 70, 2}});
    for (const split& spec : {split(), on(4), parts({{0, 16, 5}, {16, 24, 0}, {24, 70, 3}})}) {
      support::require(two_steps(ctx, uneven, spec, split()) == right, "the second step follows the rows");
      support::require(two_steps(ctx, uneven, split(), spec) == right, "the first step follows the rows");
    }
  });
}

TEST_CASE("a launch over listed rows runs where they are and moves nothing") {
  context ctx(quiet("cpu*4"));
  const kernel increment = support::make_increment(ctx);
  const listed_rows uneven({{0, 10, 2}, {10, 90, 3}, {90, 100, 2}});
  auto x = ctx.from<int>({100}, support::counted(100), uneven);
  auto y = ctx.empty<int>({100}, uneven);
  const std::string text = increment.explain({.threads = {100}}, y, x);
  CHECK(says(text, "in 3 superblocks", "follows the distribution of 'y'", "superblock 0: blocks [0:10] on device 2",
             "superblock 1: blocks [10:90] on device 3", "superblock 2: blocks [90:100] on device 2"));
  ctx.wait();
  const statistics before = ctx.stats();
  increment.launch({.threads = {100}}, y, x);
  increment.launch({.threads = {100}, .split = like(x)}, x, y);
  ctx.wait();
  CHECK(ctx.stats().device_to_device_bytes == before.device_to_device_bytes);
  CHECK(x.read()[99] == 101);
}

TEST_CASE("explain shows parts with their devices, and the one device of a launch") {
  context ctx(quiet("cpu*3"));
  const kernel increment = support::make_increment(ctx);
  auto x = ctx.zeros<int>({100}), y = ctx.zeros<int>({100});
  CHECK(says(increment.explain({.threads = {100}, .split = parts({{0, 7, 2}, {7, 100, 1}})}, y, x),
             "split by hand in parts [0, 7) on 2, [7, 100) on 1", "superblock 0: blocks [0:7] on device 2",
             "superblock 1: blocks [7:100] on device 1"));
  CHECK(says(increment.explain({.threads = {100}, .split = on(2)}, y, x), "not split: it is to run on device 2",
             "superblock 0: blocks [0:100] on device 2"));
}

TEST_CASE("parts that do not make the launch, and devices that do not exist, are refused") {
  context ctx(quiet("cpu*2"));
  const kernel increment = support::make_increment(ctx);
  auto x = ctx.zeros<int>({100});
  const auto complaint = [&](const split& spec) {
    return message_of<argument_error>(
        [&] { increment.launch({.threads = {100}, .block = {16}, .split = spec}, x, x); });
  };
  CHECK(says(complaint(parts({{0, 32, 0}, {48, 100, 1}})), "'increment'", "no part has the threads [32, 48)"));
  CHECK(says(complaint(parts({{0, 48, 0}, {32, 100, 1}})), "'increment'", "parts [0, 48) and [32, 100)", "overlap"));
  CHECK(says(complaint(parts({{0, 30, 0}, {30, 100, 1}})), "'increment'", "part [0, 30)", "multiples of 16"));
  CHECK(says(complaint(parts({{0, 100, 2}})), "'increment'", "device 2 does not exist; there are 2"));
  CHECK(says(complaint(on(2)), "'increment'", "device 2 does not exist; there are 2"));
  CHECK(says(complaint(on(-1)), "'increment'", "device -1 does not exist"));
  CHECK(says(complaint(parts({{0, 100, 1}}, 1)), "'increment'", "axis 1", "the launch has 1 axis"));
  increment.launch({.threads = {100}, .block = {16}, .split = parts({{0, 48, 1}, {48, 100, 0}})}, x, x);
  CHECK(x.read() == std::vector<int>(100, 1));
}

TEST_CASE("a part larger than its device's memory is worked on there piece by piece" *
          doctest::skip(support::on_gpu())) {  // whose pages are larger than these arrays
  options settings = quiet("cpu*2");
  settings.device_memory = "16KiB";
  context ctx(settings);
  const kernel increment = support::make_increment(ctx);
  constexpr int n = 20'000;
  auto x = ctx.from<int>({n}, support::counted(n));
  auto y = ctx.zeros<int>({n});
  const std::vector<std::pair<split, std::string>> all{{on(1), "superblock 0"},
                                                       {parts({{0, 100, 0}, {100, n, 1}}), "superblock 1"}};
  for (const auto& [placement, large] : all) {
    const std::string text = increment.explain({.threads = {n}, .split = placement}, y, x);
    CHECK(says(text, "it will spill"));
    const std::string piece = "launch increment " + large;
    int pieces = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
      CHECK(says(text.substr(at, text.find('\n', at) - at), "on device 0.1"));
      ++pieces;
    }
    CHECK(pieces > 2);
    increment.launch({.threads = {n}, .split = placement}, y, x);
    CHECK(y.read().back() == n);
  }
}

TEST_CASE("ranks that split a launch differently are told both splits") {
  for (const bool listed : {true, false}) {
    const auto settings = [](int) { return quiet("cpu"); };
    const auto errors = support::errors_on_ranks(2, settings, [&](context& ctx) {
      const kernel increment = support::make_increment(ctx);
      auto x = ctx.zeros<int>({100});
      const int other = 1 - ctx.rank();
      increment.launch(
          {.threads = {100}, .split = listed ? parts({{0, 50, ctx.rank()}, {50, 100, other}}) : on(ctx.rank())}, x, x);
      ctx.wait();
    });
    REQUIRE(!errors.empty());
    if (listed)
      CHECK(says(errors[0], "the ranks make different calls", "split in parts [0, 50) on 0, [50, 100) on 1",
                 "split in parts [0, 50) on 1, [50, 100) on 0"));
    else
      CHECK(says(errors[0], "the ranks make different calls", "split on device 0", "split on device 1"));
  }
}
