#include <tessera/front_end.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/nd/support.h"

using namespace tessera;
using support::make_context;

namespace {

std::atomic<bool> is_held;

/// A kernel that ends when it is let go.
kernel make_held_kernel(context& ctx) {
  is_held = true;
  return ctx.native("held", "double* y", "global i => readwrite y[i]", everywhere([](native_call&) {
                      while (is_held) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    }));
}

struct hook_scope {
  explicit hook_scope(wait_hook hook) { set_wait_hook(hook); }
  ~hook_scope() { set_wait_hook(nullptr); }
};

}  // namespace

TEST_CASE("the wait hook ends a look at an array that is being computed, and the array can be looked at later") {
  for (const auto& setting : support::nd_settings) {
    CAPTURE(setting.devices);
    context ctx = make_context(setting, support::room_for_pieces);
    set_default_context(ctx);
    nd::array a = nd::ones<double>({10'000}), b = nd::ones<double>({10'000});
    const kernel held = make_held_kernel(ctx);
    held.launch({.threads = {10'000}}, a);
    const nd::array sum = (a + 1).sum();
    {
      const hook_scope hook([] { throw std::runtime_error("interrupted"); });
      const auto begin = std::chrono::steady_clock::now();
      CHECK_THROWS_WITH(static_cast<void>(sum.item<double>()), "interrupted");
      CHECK_THROWS_WITH(static_cast<void>((a + 2).read<double>()), "interrupted");
      CHECK_THROWS_WITH(nd::fetch({a, sum}), "interrupted");
      CHECK_THROWS_WITH(ctx.wait(), "interrupted");
      CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
    }
    is_held = false;
    CHECK(sum.item<double>() == 20'000);
    CHECK((a + b).sum().item<double>() == 20'000);
    ctx.wait();
  }
}

TEST_CASE("a launch that the wait hook keeps from being submitted can be made again") {
  context ctx = make_context({"cpu*2", 0}, support::room_for_pieces);
  set_default_context(ctx);
  nd::array a = nd::ones<double>({10'000});
  const kernel held = make_held_kernel(ctx);
  held.launch({.threads = {10'000}}, a);
  std::int64_t made = 0;
  {
    const hook_scope hook([] { throw std::runtime_error("interrupted"); });
    // Everything behind the kernel that is held piles up until there is no room.
    const auto pile_up = [&] {
      for (int k = 0; k < 1'000'000; ++k, ++made) {
        a += 1.0;
        nd::eval({a});
      }
    };
    CHECK_THROWS_WITH(pile_up(), "interrupted");
  }
  is_held = false;
  nd::eval({a});
  const double value = a(0).item<double>();
  CHECK((value == static_cast<double>(made) + 1 || value == static_cast<double>(made) + 2));
  CHECK(a.sum().item<double>() == 10'000 * value);
}
