// Halos and replicas that a distribution promises, in bytes that moved.
#include <stdexcept>

#include "tests/array/on_ranks.h"

using namespace tessera;
using support::make_stencil;
using support::quiet;
using support::require;
using support::says;

namespace {

constexpr std::int64_t element = sizeof(int);

kernel make_total(context& ctx) {
  return ctx.native("total", "int* y, const int* x", "global i => read x, write y[i]",
                    support::everywhere([](native_call& call) {
                      int sum = 0;
                      for (std::int64_t i = 0; i < call.array(1).shape[0]; ++i) sum += call.data<int>(1)[i];
                      for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                        call.data<int>(0)[i] = sum;
                    }));
}

struct loop_result {
  std::vector<int> values;
  std::int64_t between_devices = 0, sent = 0;
};

/// Ten steps of the stencil on 120 elements.
loop_result run_loop(context& ctx, const distribution& placement) {
  constexpr int n = 120;
  const kernel stencil = make_stencil(ctx);
  auto x = ctx.from<int>({n}, support::counted(n), placement), y = ctx.empty<int>({n}, placement);
  for (int step = 0; step < 10; ++step, std::swap(x, y)) stencil.launch({.threads = {n}}, n, y, x);
  ctx.wait();
  const statistics s = ctx.stats();
  return {x.read(), s.device_to_device_bytes, s.sent_bytes};
}

}  // namespace

TEST_CASE("a stencil loop with a halo moves one exchange more, the one that is not read") {
  context plain(quiet("cpu*4")), promised(quiet("cpu*4"));
  const loop_result without = run_loop(plain, blocks(30)), with = run_loop(promised, blocks(30).halo(1));
  CHECK(with.values == without.values);
  CHECK(without.between_devices == 10 * 6 * element);
  CHECK(with.between_devices == 11 * 6 * element);
}

TEST_CASE("between ranks, too, a halo moves one exchange more") {
  support::on_ranks(3, "cpu", [](context& ctx) {
    const loop_result with = run_loop(ctx, blocks(40).halo(1));
    const std::int64_t neighbours = ctx.rank() == 1 ? 2 : 1;
    require(with.sent == 11 * neighbours * element, "ten steps and what the host wrote are sent once");
    const statistics before = ctx.stats();
    const loop_result without = run_loop(ctx, blocks(40));
    require(with.values == without.values, "the results are equal");
    const std::int64_t read = without.sent - before.sent_bytes;
    require(read == 10 * neighbours * element, "ten steps without a halo");
  });
}

TEST_CASE("the halo has been moved before the next launch asks for it") {
  context ctx(quiet("cpu*4"));
  const kernel stencil = make_stencil(ctx);
  const auto x = ctx.from<int>({120}, support::counted(120), blocks(30).halo(1)), y = ctx.empty<int>({120}, blocks(30));
  ctx.wait();
  const std::int64_t written = ctx.stats().device_to_device_bytes;
  CHECK(written == 6 * element);
  stencil.launch({.threads = {120}}, 120, y, x);
  ctx.wait();
  CHECK(ctx.stats().device_to_device_bytes == written);
  CHECK(y.read()[60] == 180);
}

TEST_CASE("a replicated vector is on all devices of all ranks before it is read") {
  support::on_ranks(3, "cpu*2", [](context& ctx) {
    constexpr int n = 60;
    const auto x = ctx.empty<int>({n}, replicated()), y = ctx.empty<int>({n});
    const auto ones = ctx.from<int>({n}, std::vector<int>(n, 1));
    support::make_increment(ctx).launch({.threads = {n}}, x, ones);
    ctx.wait();
    const statistics written = ctx.stats();
    require(written.received_bytes == 40 * element, "what two other ranks wrote has come");
    make_total(ctx).launch({.threads = {n}}, y, x);
    ctx.wait();
    const statistics read = ctx.stats();
    require(read.received_bytes == written.received_bytes, "its reader receives nothing");
    require(read.device_to_device_bytes == written.device_to_device_bytes, "its reader copies nothing");
    require(y.read() == std::vector<int>(n, 2 * n), "the sum is right");
  });
}

TEST_CASE("a slice that is written refreshes the halo it meets, and no more") {
  context ctx(quiet("cpu*2"));
  const auto x = ctx.from<int>({20}, support::counted(20), blocks(10).halo(3));
  const auto ones = ctx.from<int>({20}, std::vector<int>(20, 1));
  ctx.wait();
  const std::int64_t before = ctx.stats().device_to_device_bytes;
  x.slice({{0, 5}}).write(std::vector<int>(5, 7));
  ctx.wait();
  CHECK(ctx.stats().device_to_device_bytes == before);
  x.slice({{6, 9}}).write(std::vector<int>{4, 5, 6});
  ctx.wait();
  CHECK(ctx.stats().device_to_device_bytes == before + 2 * element);
  CHECK(x.read()[8] == 6);
}

TEST_CASE("explain says that copies follow a launch because they were promised") {
  context ctx(quiet("cpu*2"));
  const kernel stencil = make_stencil(ctx);
  const auto x = ctx.zeros<int>({20}, blocks(10)), y = ctx.zeros<int>({20}, blocks(10).halo(1)),
             z = ctx.zeros<int>({20}, replicated());
  CHECK(says(stencil.explain({.threads = {20}}, 20, y, x), "'y'", "as its distribution promises", "copy"));
  CHECK(says(stencil.explain({.threads = {20}}, 20, z, x), "every device gets what is new of 'y'"));
  CHECK(stencil.explain({.threads = {20}}, 20, x, y).find("promises") == std::string::npos);
}

TEST_CASE("a copy that was promised fails with the launch that should have written it") {
  context ctx(quiet("cpu*2"));
  const auto x = ctx.from<int>({20}, support::counted(20), replicated());
  const kernel broken =
      ctx.native("broken", "int* x", "global i => write x[i]", support::everywhere([](native_call& call) {
                   if (call.points().lo[0] == 0) throw std::runtime_error("no luck");
                 }));
  broken.launch({.threads = {20}}, x);
  CHECK_THROWS((void)x.read());
  x.write(support::counted(20));
  CHECK(x.read() == support::counted(20));
}
