#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "tests/array/support.h"

using namespace tessera;
using support::make_stencil;
using support::quiet;
using support::says;

namespace {

/// Lets a kernel run only when it is told to.
class gate {
 public:
  kernel make_kernel(context& ctx) {
    return ctx.native("gated", "int* y", "global i => write y[i]",
                      support::everywhere([opened = opened_](native_call& call) {
                        opened.wait();
                        for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                          call.data<int>(0)[i] = 1;
                      }));
  }
  void open() { promise_.set_value(); }

 private:
  std::promise<void> promise_;
  std::shared_future<void> opened_ = promise_.get_future().share();
};

}  // namespace

TEST_CASE("a 1-D stencil moves one element per border, direction and step, and nothing else") {
  constexpr int devices = 5, steps = 10, n = 1000;
  context ctx(quiet("cpu*5"));
  const kernel stencil = make_stencil(ctx);
  auto x = ctx.from<int>({n}, support::counted(n), blocks(200).halo(1));
  auto y = ctx.empty<int>({n}, blocks(200).halo(1));
  ctx.wait();
  const statistics before = ctx.stats();
  for (int step = 0; step < steps; ++step) {
    stencil.launch({.threads = {n}}, n, y, x);
    std::swap(x, y);
  }
  ctx.wait();
  const statistics after = ctx.stats();
  const std::int64_t borders = devices - 1;
  CHECK(after.device_to_device_bytes - before.device_to_device_bytes ==
        borders * 2 * steps * std::int64_t{sizeof(int)});
  CHECK(after.host_to_device_bytes == before.host_to_device_bytes);
  CHECK(after.device_to_host_bytes == before.device_to_host_bytes);
  CHECK(after.superblocks - before.superblocks == devices * steps);
  CHECK(after.launches - before.launches == steps);
}

TEST_CASE("what a device has already is not moved again") {
  context ctx(quiet("cpu*3"));
  const kernel stencil = make_stencil(ctx);
  auto x = ctx.from<int>({300}, support::counted(300));
  auto y = ctx.empty<int>({300});
  stencil.launch({.threads = {300}}, 300, y, x);
  ctx.wait();
  const std::int64_t once = ctx.stats().device_to_device_bytes;
  CHECK(once == 4 * std::int64_t{sizeof(int)});
  for (int again = 0; again < 3; ++again) stencil.launch({.threads = {300}}, 300, y, x);
  ctx.wait();
  CHECK(ctx.stats().device_to_device_bytes == once);
}

TEST_CASE("a read waits for what it needs, nothing else" * doctest::skip(support::on_gpu())) {
  context ctx(quiet("cpu*2"));
  gate g;
  auto slow = ctx.zeros<int>({10}, on_device(0));
  auto fast = ctx.from<int>({10}, support::counted(10), on_device(1));
  g.make_kernel(ctx).launch({.threads = {10}}, slow);
  std::vector<int> later(10);
  transfer reading = slow.read_async(later);
  CHECK(fast.read() == support::counted(10));
  support::make_increment(ctx).launch({.threads = {10}}, fast, fast);
  CHECK(fast.read()[9] == 10);
  CHECK(!reading.done());
  g.open();
  reading.wait();
  CHECK(later == std::vector<int>(10, 1));
}

TEST_CASE("a launch returns before its work is done" * doctest::skip(support::on_gpu())) {
  context ctx(quiet("cpu"));
  gate g;
  auto y = ctx.zeros<int>({10});
  const kernel gated = g.make_kernel(ctx);
  for (int i = 0; i < 100; ++i) gated.launch({.threads = {10}}, y);
  g.open();
  CHECK(y.read() == std::vector<int>(10, 1));
  CHECK(ctx.stats().launches == 100);
}

TEST_CASE("explain tells superblocks, accesses and copies, and runs nothing") {
  context ctx(quiet("cpu*2"));
  const kernel stencil = make_stencil(ctx);
  auto x = ctx.from<int>({100}, support::counted(100), blocks(50));
  auto y = ctx.zeros<int>({100}, blocks(50));
  const std::string text = stencil.explain({.threads = {100}}, 100, y, x);
  CHECK(says(text, "launch of 'stencil'", "in 2 superblocks", "follows the distribution of 'y'",
             "superblock 1: blocks [50:100] on device 1", "reads x [49:100]", "writes y [50:100]", "copy",
             "launch stencil"));
  CHECK(y.read() == std::vector<int>(100, 0));
  CHECK(ctx.stats().launches == 0);
  CHECK(says(stencil.explain({.threads = {0}}, 100, y, x), "nothing to do"));
  CHECK(says(stencil.explain({.threads = {100}, .split = whole()}, 100, y, x), "in 1 superblocks"));
}

TEST_CASE("explain says why a launch is not split") {
  context ctx(quiet("cpu*2"));
  const kernel all = ctx.native("all", "int* y", "global i => readwrite y", support::everywhere([](native_call&) {}));
  auto y = ctx.zeros<int>({100});
  CHECK(says(all.explain({.threads = {100}}, y), "in 1 superblocks", "not split", "y"));
  const kernel plain = ctx.compile("__global__ void plain(int* y) { y[0] = 1; }", "plain");
  CHECK(says(plain.explain({.threads = {100}}, y), "in 1 superblocks", "not split"));
}

TEST_CASE("arguments that name one array see each other's elements") {
  context ctx(quiet("cpu*3"));
  auto a = ctx.from<int>({90}, support::counted(90));
  support::make_increment(ctx).launch({.threads = {30}}, a.slice({{60, 90}}), a.slice({{0, 30}}));
  const std::vector<int> result = a.read();
  CHECK(result[29] == 29);
  CHECK(result[60] == 1);
  CHECK(result[89] == 30);
}

TEST_CASE("calls from several threads count in the order they are made") {
  context ctx(quiet("cpu*3"));
  const kernel increment = support::make_increment(ctx);
  constexpr int threads = 4, times = 50;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int t = 0; t < threads; ++t)
    callers.emplace_back([&, t] {
      auto a = ctx.full<int>({100}, t);
      for (int i = 0; i < times; ++i) increment.launch({.threads = {100}}, a, a);
      if (a.read() != std::vector<int>(100, t + times)) ++wrong;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
  CHECK(ctx.stats().launches == threads * times);
}

TEST_CASE("several contexts work at once, and after one another") {
  context one(quiet("cpu*2")), two(quiet("cpu*3"));
  auto a = one.zeros<int>({100});
  auto b = two.ones<int>({100});
  const kernel in_one = support::make_increment(one), in_two = support::make_increment(two);
  for (int i = 0; i < 20; ++i) {
    in_one.launch({.threads = {100}}, a, a);
    in_two.launch({.threads = {100}}, b, b);
    if (i % 5 == 0) context passing(quiet("cpu"));
  }
  CHECK(a.read() == std::vector<int>(100, 20));
  CHECK(b.read() == std::vector<int>(100, 21));
  CHECK(one.devices().size() == 2);
  CHECK(two.devices().size() == 3);
}

TEST_CASE("rules of section F hold end to end: the same bits for any number of devices") {
  std::vector<int> first;
  for (const char* devices : {"cpu", "cpu*4", "cpu*7"}) {
    context ctx(quiet(devices));
    const kernel stencil = make_stencil(ctx);
    auto x = ctx.from<int>({1001}, support::counted(1001), blocks(64).cyclic());
    auto y = ctx.empty<int>({1001});
    for (int step = 0; step < 6; ++step) {
      stencil.launch({.threads = {1001}}, 1001, y, x);
      std::swap(x, y);
    }
    if (first.empty()) first = x.read();
    CHECK(x.read() == first);
  }
}
