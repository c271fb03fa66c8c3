#include <stdexcept>

#include "tessera/base/text.h"
#include "tessera/device/backend.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"
#include "tests/array/support.h"

using namespace tessera;
using support::message_of;
using support::quiet;
using support::says;

namespace {

/// y[i] = x[i], but the superblock that holds point `bad` throws.
kernel make_failing(context& ctx, std::int64_t bad) {
  return ctx.native("fragile", "int* y, const int* x", "global i => read x[i], write y[i]",
                    support::everywhere([bad](native_call& call) {
                      for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i) {
                        if (i == bad) throw std::runtime_error("the wheel came off");
                        call.data<int>(0)[i] = call.data<int>(1)[i];
                      }
                    }));
}

struct world {
  context ctx{quiet("cpu*4")};
  kernel increment = support::make_increment(ctx);
  array<int> x = ctx.from<int>({100}, support::counted(100), blocks(25));
  array<int> y = ctx.zeros<int>({100}, blocks(25));
};

}  // namespace

TEST_CASE_FIXTURE(world, "a kernel that throws is a device_error that names kernel, superblock and device") {
  make_failing(ctx, 60).launch({.threads = {100}}, y, x);
  const std::string text = message_of<device_error>([&] { (void)y.read(); });
  CHECK(says(text, "kernel 'fragile'", "superblock 2", "device 2", "the wheel came off"));
}

TEST_CASE_FIXTURE(world, "a failure poisons only what depends on it") {
  make_failing(ctx, 60).launch({.threads = {100}}, y, x);
  auto z = ctx.empty<int>({100}, blocks(25));
  increment.launch({.threads = {100}}, z, y);
  increment.launch({.threads = {100}}, x, x);

  CHECK(z.slice({{0, 50}}).read()[49] == 50);
  CHECK(x.read()[99] == 100);
  CHECK(says(message_of<device_error>([&] { (void)z.slice({{50, 51}}).read(); }), "the wheel came off"));
  CHECK(z.slice({{75, 100}}).read()[0] == 76);
}

TEST_CASE_FIXTURE(world, "what is written anew is healed") {
  make_failing(ctx, 10).launch({.threads = {100}}, y, x);
  CHECK_THROWS_AS((void)y.read(), device_error);
  y.slice({{0, 25}}).fill(5);
  CHECK(y.read()[24] == 5);
  increment.launch({.threads = {100}}, y, x);
  CHECK(y.read()[99] == 100);
}

TEST_CASE_FIXTURE(world, "wait throws a failure that was not reported, once") {
  make_failing(ctx, 0).launch({.threads = {100}}, y, x);
  CHECK(says(message_of<device_error>([&] { ctx.wait(); }), "the wheel came off"));
  CHECK_NOTHROW(ctx.wait());
  CHECK_THROWS_AS((void)y.read(), device_error);
}

TEST_CASE_FIXTURE(world, "a failure that was seen by a read is not thrown again by wait") {
  make_failing(ctx, 0).launch({.threads = {100}}, y, x);
  CHECK_THROWS_AS((void)y.read(), device_error);
  CHECK_NOTHROW(ctx.wait());
}

TEST_CASE_FIXTURE(world, "a compile failure that was seen by a read is over, however many superblocks met it") {
  const kernel k =
      ctx.compile("//@tessera global i => write y[i]\n__global__ void broken(int* y) { y[0] = no; }", "broken");
  auto z = ctx.zeros<int>({100}, blocks(25));
  k.launch({.threads = {100}, .block = {25}, .split = blocks(25)}, y);
  increment.launch({.threads = {100}}, z, y);
  CHECK_THROWS_AS((void)y.slice({{75, 100}}).read(), compile_error);
  CHECK_NOTHROW(ctx.wait());
  CHECK_THROWS_AS((void)z.read(), compile_error);
  increment.launch({.threads = {100}}, z, y);
  CHECK_NOTHROW(ctx.wait());
}

TEST_CASE_FIXTURE(world, "an exception that is none of the standard ones is reported too") {
  const kernel k =
      ctx.native("odd", "int* y", "global i => write y[i]", support::everywhere([](native_call&) { throw 42; }));
  k.launch({.threads = {100}}, y);
  CHECK(says(message_of<device_error>([&] { (void)y.read(); }), "kernel 'odd'", "no std::exception"));
}

TEST_CASE_FIXTURE(world,
                  "a native kernel without a function for the device says so" * doctest::skip(support::on_gpu())) {
  CHECK(says(message_of<argument_error>([&] { (void)ctx.native("none", "int* y", "global i => write y[i]", {}); }),
             "'none'", "no function"));
  const kernel k = ctx.native("gpu_only", "int* y", "global i => write y[i]", {{"cuda", [](native_call&) {}}});
  CHECK(says(message_of<argument_error>([&] {
               k.launch({.threads = {100}}, y);
               (void)y.read();
             }),
             "'gpu_only'", "no function for cpu devices"));
}

TEST_CASE_FIXTURE(world, "an error in a kernel's body names the user's file and line") {
  const kernel k = ctx.compile(
      "//@tessera global i => write y[i]\n__global__ void broken(int* y) {\n  y[0] = nothing;\n}\n", "broken");
  k.launch({.threads = {100}}, y);
  const std::string text = message_of<compile_error>([&] { (void)y.read(); });
  CHECK(says(text, "kernel 'broken'", "broken.cu:3", "nothing"));
}

TEST_CASE_FIXTURE(world, "a structure of another size than the kernel's is refused") {
  const kernel k = ctx.compile(
      "struct pair { int a, b; };\n//@tessera global i => write y[i]\n"
      "__global__ void store(pair* y, pair p) { y[blockIdx.x * blockDim.x + threadIdx.x] = p; }\n",
      "store");
  struct triple {
    int a, b, c;
  };
  struct two {
    int a, b;
  };
  auto wide = ctx.zeros<triple>({10});
  k.launch({.threads = {10}, .block = {5}}, wide, two{1, 2});
  CHECK(says(message_of<argument_error>([&] { (void)wide.read(); }), "parameter 'y'", "pair", "8 bytes", "has 12"));
  auto right = ctx.zeros<two>({10});
  k.launch({.threads = {10}, .block = {5}}, right, two{1, 2});
  CHECK(right.read()[9].b == 2);
}

TEST_CASE("an engine that cannot go on answers every later call with the reason") {
  const auto engine = std::make_shared<runtime::engine>(quiet("cpu"));
  runtime::engine& e = *engine;
  const runtime::array_record unknown{engine, array_id(77), {4}, {4}, dtype_of<int>(), nullptr};
  e.fill(unknown, box::whole({4}), std::vector<std::byte>(4), {});  // the planner has never heard of it
  const auto ask_for_ever = [&] {
    while (true) (void)e.stats();
  };
  CHECK_THROWS_AS(ask_for_ever(), std::out_of_range);
  CHECK_THROWS_AS(e.wait_all(), std::out_of_range);
  CHECK_THROWS_AS((void)e.create({{4}, dtype_of<int>(), {}}, {}), std::out_of_range);
  CHECK_THROWS_AS((void)e.stats(), std::out_of_range);
}

TEST_CASE("the check uninitialised names elements that were never written") {
  context ctx(quiet("cpu*2", "uninitialised"));
  const kernel increment = support::make_increment(ctx);
  auto x = ctx.empty<int>({100});
  auto y = ctx.empty<int>({100});
  x.slice({{0, 60}}).fill(1);
  increment.launch({.threads = {60}}, y.slice({{0, 60}}), x.slice({{0, 60}}));
  CHECK(y.slice({{0, 60}}).read() == std::vector<int>(60, 2));

  increment.launch({.threads = {100}}, y, x);
  CHECK(says(message_of<argument_error>([&] { (void)y.read(); }), "[60:100]", "increment"));
  auto z = ctx.empty<int>({10});
  CHECK_THROWS_AS((void)z.read(), argument_error);
}

TEST_CASE("without the check, reading elements that were never written is allowed") {
  context ctx(quiet("cpu*2"));
  CHECK(ctx.empty<int>({10}).read().size() == 10);
}

TEST_CASE("the check unwritten names the first element that was promised and not written") {
  context ctx(quiet("cpu*2", "unwritten"));
  const kernel lazy = ctx.native("lazy", "int* y", "global i => write y[i]", support::everywhere([](native_call& call) {
                                   for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                                     if (i != 37) call.data<int>(0)[i] = 1;
                                 }));
  auto y = ctx.zeros<int>({100});
  lazy.launch({.threads = {100}}, y);
  CHECK(says(message_of<argument_error>([&] { (void)y.read(); }), "{37}", "'lazy'", "not written", "readwrite"));
  support::make_increment(ctx).launch({.threads = {100}}, y, ctx.zeros<int>({100}));
  CHECK(y.read() == std::vector<int>(100, 1));
}

TEST_CASE("the check guards says how far outside of which array a kernel wrote") {
  context ctx(quiet("cpu*2", "guards"));
  const auto stray = [&](const std::string& name, int at) {
    return ctx.compile(cat("//@tessera single => readwrite y\n__global__ void ", name, "(int* y) { y[", at, "] = 1; }"),
                       name);
  };
  auto y = ctx.zeros<int>({100});
  support::make_increment(ctx).launch({.threads = {100}}, y, ctx.zeros<int>({100}));
  CHECK(y.read() == std::vector<int>(100, 1));
  if (device::make_cpu({})->guard_bytes(0, 400) == 0) return;  // under a sanitizer, which finds it itself
  stray("inside", 99).launch({.threads = {1}}, y);
  CHECK(y.read().size() == 100);
  auto z = ctx.zeros<int>({100});
  stray("behind", 102).launch({.threads = {1}}, z);
  CHECK(says(message_of<argument_error>([&] { (void)z.read(); }), "8 bytes behind the last element", "'behind'"));
  auto u = ctx.zeros<int>({100});
  stray("before", -1).launch({.threads = {1}}, u);
  CHECK(says(message_of<argument_error>([&] { (void)u.read(); }), "4 bytes before the first element", "'before'"));
  CHECK(y.read().size() == 100);
}

TEST_CASE("of many launches that are not waited for, a check names the one that is wrong, whatever shape it writes") {
  context ctx(quiet("cpu", "guards,unwritten"));
  const kernel row =
      ctx.native("row", "int last, int* y", "global [j, i] => write y[i,j]", support::everywhere([](native_call& call) {
                   const native_array& y = call.array(1);
                   for (std::int64_t i = call.points().lo[1]; i < std::min(call.points().hi[1], y.shape[0]); ++i)
                     for (std::int64_t j = call.points().lo[0]; j < std::min(call.points().hi[0], y.shape[1]); ++j)
                       if (i * y.shape[1] + j != call.scalar<int>(0))
                         *reinterpret_cast<int*>(y.data + i * y.strides[0] + j * y.strides[1]) = 1;
                 }));
  std::vector<array<int>> all;
  for (int k = 0; k < 40; ++k) {
    all.push_back(ctx.zeros<int>({5, 7}));
    row.launch({.threads = {7, 5}}, k == 23 ? 4 * 7 + 2 : -1, all.back());
    row.launch({.threads = {3, 2}}, -1, all.back().slice({{1, 3}, {2, 5}}));
  }
  for (int k = 0; k < 40; ++k) {
    const auto read = [&] { (void)all[static_cast<std::size_t>(k)].read(); };
    if (k == 23)
      CHECK(says(message_of<argument_error>(read), "{4, 2}", "'row'", "not written"));
    else
      CHECK_NOTHROW(read());
  }
}

TEST_CASE("what can never fit is refused by the launch, with what it uses and what there is") {
  options settings = quiet("cpu*2");
  settings.device_memory = "2MiB";
  context ctx(settings);
  const kernel whole = ctx.native("whole", "int* y, const int* x", "single => write y, read x",
                                  support::everywhere([](native_call&) {}));
  auto x = ctx.zeros<int>({1 << 20});
  auto y = ctx.empty<int>({1 << 20});
  const std::string text = message_of<out_of_memory>([&] { whole.launch({.threads = {1 << 20}}, y, x); });
  CHECK(says(text, "'whole'", "never fits", "one piece", "2097152", "4194304 bytes of 'y'", "4194304 bytes of 'x'"));
}
