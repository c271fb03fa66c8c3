// Calls return at once, and wait for what they need alone, while a kernel is held back.
#include <chrono>
#include <future>
#include <numeric>

#include "tests/algo/container/support.h"

using namespace tessera;
using support::calm;
using support::gate;

namespace {

/// Containers of a device's own.
container_options on_device_of(context& ctx, int device) { return {ctx, on_device(device).parts({}, 2)}; }

}  // namespace

TEST_CASE("calls on other containers end while a kernel is held back" * doctest::skip(support::on_gpu())) {
  context ctx(calm("cpu*2"));
  gate g;
  ts::vector<int> held(10, 0, on_device_of(ctx, 1)), behind(10, 0, on_device_of(ctx, 1));
  ts::vector<int> x(10, 5, on_device_of(ctx, 0)), y(10, 0, on_device_of(ctx, 0));  // where single values are kept, too
  const auto next = ts::map([](auto e) { return e + 1; });
  next.into(y, x);  // compiles
  CHECK(y[0] == 6);

  g.make_kernel(ctx).launch({.threads = {10}}, held);
  next.into(behind, held);  // returns at once, and runs behind the kernel
  std::future<int> late = std::async(std::launch::async, [&] { return behind[3].get(); });
  next.into(y, y);
  next.into(x, y);
  CHECK(x[9] == 8);
  CHECK(ts::reduce(x).get() == 80);
  CHECK(ts::inclusive_scan(x)[9] == 80);
  const std::vector<int> all = x.to_host();
  CHECK(std::accumulate(all.begin(), all.end(), 0) == 80);
  CHECK(late.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout);  // the gate was closed

  g.open();
  CHECK(late.get() == 2);
  CHECK(held[3] == 1);
}

TEST_CASE("a farm's tasks go on while one of them is held back" * doctest::skip(support::on_gpu())) {
  context ctx(calm("cpu*2"));
  gate g;
  ts::vector<int> held(10, 0, on_device_of(ctx, 0)), x(10, 5, on_device_of(ctx, 1));
  const auto next = ts::map([](auto e) { return e + 1; });
  ts::farm({[&] { g.make_kernel(ctx).launch({.threads = {10}}, held); }, [&] { next.into(x, x); }}, ctx);
  CHECK(x[9] == 6);
  g.open();
  CHECK(held[9] == 1);
}
