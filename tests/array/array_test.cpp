#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include "tests/array/support.h"

using namespace tessera;
using support::message_of;
using support::quiet;
using support::says;

TEST_CASE("what is written to an array is read back, whatever its distribution") {
  context ctx(quiet("cpu*3"));
  const std::vector<int> values = support::counted(6 * 35);
  const std::vector<std::shared_ptr<distribution>> all{
      std::make_shared<simple_distribution>(automatic()),  std::make_shared<simple_distribution>(replicated()),
      std::make_shared<simple_distribution>(on_device(2)), std::make_shared<tiled>(rows(1).cyclic()),
      std::make_shared<tiled>(columns(4).halo(2)),         std::make_shared<tiled>(tiles({4, 8}).halo({1, 2}))};
  for (const auto& placement : all) CHECK(ctx.from<int>({6, 35}, values, *placement).read() == values);
}

TEST_CASE("a distribution of the user's own places the parts") {
  struct reversed : distribution {
    [[nodiscard]] plan::layout parts(const extents& shape, int devices) const override {
      return on_device(devices - 1).parts(shape, devices);
    }
  };
  context ctx(quiet("cpu*3"));
  auto a = ctx.from<int>({10}, support::counted(10), reversed());
  CHECK(a.read() == support::counted(10));
  CHECK(ctx.stats().peak_bytes[0] == 0);
  CHECK(ctx.stats().peak_bytes[2] > 0);
}

TEST_CASE("elements may be of any scalar type, complex or structures") {
  struct body {
    double mass;
    std::array<float, 3> place;
  };
  context ctx(quiet("cpu*2"));
  CHECK(ctx.full<std::int8_t>({5}, std::int8_t{-3}).read() == std::vector<std::int8_t>(5, -3));
  CHECK(ctx.full<std::uint64_t>({5}, ~std::uint64_t{0}).read() == std::vector<std::uint64_t>(5, ~std::uint64_t{0}));
  const std::complex<double> z(1.5, -2);
  CHECK(ctx.full<std::complex<double>>({3}, z).read() == std::vector<std::complex<double>>(3, z));
  const body sun{2.0, {1, 2, 3}};
  const std::vector<body> bodies = ctx.full<body>({4}, sun).read();
  CHECK(bodies.size() == 4);
  CHECK(bodies[3].place == sun.place);
}

TEST_CASE("an array of bool is read and written like any other") {
  context ctx(quiet("cpu*2"));
  const std::array<bool, 5> pattern{true, false, true, true, false};
  auto a = ctx.from<bool>({5}, pattern);
  CHECK(a.read() == std::vector<bool>(pattern.begin(), pattern.end()));
  a.fill(true);
  CHECK(a.read() == std::vector<bool>(5, true));
  a.slice({{1, 3}}).fill(false);
  CHECK(a.read() == std::vector<bool>{true, false, false, true, true});
}

TEST_CASE("an array of rank 0 holds one element") {
  context ctx(quiet("cpu*3"));
  auto a = ctx.full<double>({}, 2.5);
  CHECK(a.rank() == 0);
  CHECK(a.size() == 1);
  CHECK(a.read() == std::vector<double>{2.5});
  a.write(std::vector<double>{7});
  CHECK(a.read() == std::vector<double>{7});
}

TEST_CASE("arrays without elements are legal and do nothing") {
  context ctx(quiet("cpu*3"));
  auto a = ctx.zeros<int>({0});
  auto b = ctx.from<int>({4, 0, 3}, {});
  auto c = ctx.empty<int>({0}, blocks(10).halo(1));
  CHECK(a.read().empty());
  CHECK(b.size() == 0);
  CHECK(b.empty());
  a.fill(3);
  a.write({});
  auto k = support::make_increment(ctx);
  k.launch({.threads = {0}}, a, c);
  k.launch({.threads = {5}}, a, c);
  ctx.wait();
  CHECK(ctx.stats().superblocks <= 3);
}

TEST_CASE("a slice of a slice is a box of the base array") {
  context ctx(quiet("cpu*3"));
  auto a = ctx.from<int>({10, 10}, support::counted(100), rows(3));
  const auto inner = a.slice({{2, 8}, {1, 9}}).slice({{1, 3}, {2, 5}});
  CHECK(inner.shape() == extents{2, 3});
  CHECK(inner.read() == std::vector<int>{33, 34, 35, 43, 44, 45});
  inner.write(std::vector<int>{-1, -2, -3, -4, -5, -6});
  CHECK(a.slice({{3, 5}}).slice({{0, 2}, {3, 6}}).read() == std::vector<int>{-1, -2, -3, -4, -5, -6});
  CHECK(a.slice({{3, 4}, {2, 3}}).read() == std::vector<int>{32});
  CHECK(a.slice({{5, 5}}).read().empty());
}

TEST_CASE("a slice outside its array is refused with both ranges") {
  context ctx(quiet("cpu"));
  auto a = ctx.zeros<int>({10, 4});
  CHECK(says(message_of<argument_error>([&] { (void)a.slice({{0, 11}}); }), "slice 0:11 of axis 0", "outside 0:10"));
  CHECK(says(message_of<argument_error>([&] { (void)a.slice({{0, 1}, {-1, 2}}); }), "slice -1:2 of axis 1", "0:4"));
  CHECK(says(message_of<argument_error>([&] { (void)a.slice({{3, 2}}); }), "slice 3:2"));
  CHECK(says(message_of<argument_error>([&] { (void)a.slice({{0, 1}, {0, 1}, {0, 1}}); }), "3 axes", "array of 2"));
  CHECK_THROWS_AS((void)a.slice({{2, 6}}).slice({{0, 5}}), argument_error);
}

TEST_CASE("negative and overflowing sizes are refused by name") {
  context ctx(quiet("cpu"));
  CHECK(says(message_of<argument_error>([&] { (void)ctx.zeros<int>({5, -1}); }), "negative extent", "{5, -1}"));
  const std::int64_t big = std::int64_t{1} << 40;
  CHECK(says(message_of<argument_error>([&] {
               (void)ctx.empty<int>({big, big});
             }),
             "size of an array in bytes", "overflows 64 bits"));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS_AS((void)ctx.empty<double>({most}), argument_error);
  CHECK(says(message_of<argument_error>([&] { (void)ctx.empty<char>({1, 1, 1, 1, 1, 1, 1, 1, 1}); }), "9", "8"));
}

TEST_CASE("distributions that make no sense are refused") {
  context ctx(quiet("cpu*2"));
  CHECK(says(message_of<argument_error>([&] { (void)ctx.zeros<int>({5}, blocks(0)); }), "positive extents", "{0}"));
  CHECK(says(message_of<argument_error>([&] { (void)ctx.zeros<int>({5}, blocks(-4)); }), "positive extents", "{-4}"));
  CHECK(says(message_of<argument_error>([&] { (void)blocks(4).halo(-1); }), "halo is negative"));
  CHECK(says(message_of<argument_error>([&] { (void)ctx.zeros<int>({5}, on_device(2)); }), "device 2", "there are 2"));
  CHECK(says(message_of<argument_error>([&] {
               (void)ctx.zeros<int>({5}, tiles({2, 2}));
             }),
             "distribution of 2 axes", "array of 1"));
}

TEST_CASE("a span of another length is refused with both lengths") {
  context ctx(quiet("cpu"));
  auto a = ctx.zeros<int>({2, 3});
  std::vector<int> wrong(5);
  CHECK(says(message_of<argument_error>([&] { a.write(wrong); }), "6 elements", "{2, 3}", "with 5"));
  CHECK(says(message_of<argument_error>([&] { (void)a.read_async(wrong); }), "read", "6 elements", "with 5"));
  CHECK_THROWS_AS((void)ctx.from<int>({7}, wrong), argument_error);
}

TEST_CASE("a handle without an array is refused") {
  array<int> nothing;
  CHECK(nothing.empty());
  CHECK(says(message_of<argument_error>([&] { (void)nothing.slice({{0, 1}}); }), "not created"));
  CHECK(says(message_of<argument_error>([&] { nothing.fill(1); }), "not created"));
  std::vector<int> one(1);
  CHECK_THROWS_AS(nothing.write(one), argument_error);
}

TEST_CASE("zeros and fill cost nothing until they are read") {
  context ctx(quiet("cpu*2"));
  auto a = ctx.zeros<double>({1 << 20});
  auto b = ctx.full<double>({1 << 20}, 3.0);
  b.fill(4.0);
  ctx.wait();
  CHECK(ctx.stats().copies == 0);
  CHECK(ctx.stats().peak_bytes == std::vector<std::int64_t>{0, 0});

  CHECK(b.slice({{5, 6}}).read() == std::vector<double>{4.0});
  CHECK(a.read() == std::vector<double>(1 << 20, 0.0));
  CHECK(ctx.stats().device_to_device_bytes == 0);
}

TEST_CASE("arrays, kernels and transfers may outlive their context") {
  array<int> a;
  kernel k;
  transfer reading;
  std::vector<int> result(100);
  {
    context ctx(quiet("cpu*2"));
    a = ctx.from<int>({100}, support::counted(100));
    k = support::make_increment(ctx);
    auto b = ctx.empty<int>({100});
    k.launch({.threads = {100}}, b, a);
    reading = b.read_async(result);
  }
  reading.wait();
  CHECK(result[99] == 100);
  CHECK(a.read() == support::counted(100));
  k.launch({.threads = {50}}, a.slice({{0, 50}}), a.slice({{50, 100}}));
  CHECK(a.slice({{49, 51}}).read() == std::vector<int>{100, 50});
}

TEST_CASE("a transfer that is not waited for still ends before its memory may go") {
  context ctx(quiet("cpu*2"));
  auto a = ctx.from<int>({1000}, support::counted(1000));
  std::vector<int> to(1000);
  { const transfer dropped = a.read_async(to); }
  CHECK(to == support::counted(1000));
  transfer done;
  done.wait();
  CHECK(done.done());
}

TEST_CASE("a large result is the same whether it comes in pieces or into memory of the program") {
  if (std::getenv("TEST_MEMORY") != nullptr) return;  // minutes, through a disk
  constexpr int columns = 1 << 20, rows = 9;          // 36 MiB; a piece is four rows
  context ctx(quiet("cpu*3"));
  const std::vector<int> values = support::counted(rows * columns);
  for (const extents& shape : {extents{rows, columns}, extents{1, rows, columns}, extents{rows * columns}}) {
    const auto a = ctx.from<int>(shape, values, tiles(extents::uniform(shape.rank(), 1'000'000)));
    CHECK(a.read() == values);
    const std::vector<std::byte> bytes = a.read_bytes();
    CHECK(std::equal(bytes.begin(), bytes.end(), std::as_bytes(std::span(values)).begin()));
  }
  const auto a = ctx.from<int>({rows, columns}, values);
  const std::vector<int> inner = a.slice({{0, rows}, {7, columns}}).read();
  CHECK(inner.size() == std::size_t{rows} * (columns - 7));
  CHECK(inner.front() == 7);
  CHECK(inner[static_cast<std::size_t>(columns - 7)] == columns + 7);
  CHECK(inner.back() == values.back());
}

TEST_CASE("a large result that cannot be computed is an error, not a part of the result") {
  if (std::getenv("TEST_MEMORY") != nullptr) return;
  context ctx(quiet("cpu*2"));
  const auto a = ctx.full<int>({9 << 20}, 1);
  const kernel broken =
      ctx.native("broken", "int* y", "global i => write y[i]",
                 support::everywhere([](native_call&) { throw argument_error("this kernel never works"); }));
  broken.launch({.threads = {1000}}, a.slice({{8 << 20, 9 << 20}}));
  CHECK(says(message_of<argument_error>([&] { (void)a.read(); }), "this kernel never works"));
}

TEST_CASE("what no thread adds to keeps its bits, a negative zero too") {
  context ctx(quiet("cpu*3"));
  const kernel nothing =
      ctx.native("nothing", "float* y", "global i => atomic(+) y", support::everywhere([](native_call&) {}));
  auto y = ctx.full<float>({5}, -0.0f);
  nothing.launch({.threads = {100}, .block = {1}, .split = blocks(10)}, y);
  for (const float v : y.read()) CHECK(std::signbit(v));
}

TEST_CASE("two large arrays of one kernel do not lie at the same place of a page") {
  if (std::getenv("TEST_MEMORY") != nullptr || support::on_gpu()) return;
  options settings = quiet("cpu*2");
  settings.device_memory = "3GiB";
  context ctx(settings);
  constexpr int n = 1 << 20;
  std::vector<std::atomic<std::uintptr_t>> places(2);
  const kernel copy =
      ctx.native("copy", "int* y, const int* x", "global i => read x[i-1:i+1], write y[i]",
                 support::everywhere([&](native_call& call) {
                   for (int k = 0; k < 2; ++k)
                     places[static_cast<std::size_t>(k)] = reinterpret_cast<std::uintptr_t>(call.data<int>(k)) % 4096;
                   for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                     call.data<int>(0)[i] = call.data<int>(1)[i] + (i > 0 ? call.data<int>(1)[i - 1] : 0);
                 }));
  const auto x = ctx.from<int>({n}, support::counted(n)), y = ctx.zeros<int>({n});
  copy.launch({.threads = {n}}, y, x);
  const std::vector<int> found = y.read();
  CHECK(places[0] != places[1]);
  CHECK(places[0] % 256 == 0);
  for (int i = 1; i < n; i += 4097) CHECK(found[static_cast<std::size_t>(i)] == 2 * i - 1);
  CHECK(y.slice({{n - 3, n}}).read() == std::vector<int>{2 * n - 7, 2 * n - 5, 2 * n - 3});
}
