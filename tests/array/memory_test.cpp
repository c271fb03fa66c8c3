// Data that does not fit into the memory of its devices.
#include <fstream>
#include <functional>
#include <future>
#include <numeric>
#include <thread>

#include "tessera/device/host/heap.h"

#include "tests/array/support.h"

using namespace tessera;
using support::quiet;

namespace {

/// GPUs give memory in pages of 2 MiB: there everything is larger.
const std::int64_t scale = support::on_gpu() ? 128 : 1;
constexpr std::int64_t kib = 1024;

/// Budgets in KiB; 0: none is set.
options scarce(const std::string& devices, std::int64_t device_memory, std::int64_t host_memory) {
  options settings = quiet(devices);
  settings.device_memory = device_memory > 0 ? std::to_string(scale * device_memory * kib) : "";
  settings.host_memory = std::to_string(scale * host_memory * kib);
  return settings;
}

kernel make_step(context& ctx) {
  return ctx.compile(R"(
    //@tessera global i => readwrite y[i], read x[i]
    __global__ void step(int n, int* y, const int* x) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] = 3 * y[i] + x[i];
    })",
                     "step");
}

/// Runs some steps of y = 3 y + x over arrays of n elements and checks the result.
void check_steps(context& ctx, std::int64_t n, int steps) {
  n *= scale;
  const kernel step = make_step(ctx);
  std::vector<int> first(static_cast<std::size_t>(n)), second(first.size());
  std::iota(first.begin(), first.end(), 1);
  std::iota(second.begin(), second.end(), -7);
  auto x = ctx.from<int>({n}, first);
  auto y = ctx.from<int>({n}, second);
  for (int k = 0; k < steps; ++k) {
    step.launch({.threads = {n}}, n, y, x);
    for (std::size_t i = 0; i < first.size(); ++i) second[i] = 3 * second[i] + first[i];
    if (k % 2 == 1) std::swap(x, y), std::swap(first, second);
  }
  const std::vector<int> found_x = x.read(), found_y = y.read();
  CHECK(found_x == first);
  CHECK(found_y == second);
}

}  // namespace

TEST_CASE("data four times the memory of its devices is worked on through host memory") {
  for (const char* devices : {"cpu*1", "cpu*3"}) {
    context ctx(scarce(devices, 256, 64 * 1024));
    check_steps(ctx, 400'000, 5);
    const statistics s = ctx.stats();
    CHECK(s.evictions > 0);
    CHECK(s.reloaded_bytes > 0);
    CHECK(s.disk_written_bytes == 0);
    for (const std::int64_t peak : s.peak_bytes) CHECK(peak <= scale * 256 * kib);
  }
}

TEST_CASE("data that neither devices nor host memory hold is worked on through the disk") {
  for (const char* devices : {"cpu*1", "cpu*3"}) {
    context ctx(scarce(devices, 256, 128));
    check_steps(ctx, 400'000, 5);
    const statistics s = ctx.stats();
    CHECK(s.disk_written_bytes > 0);
    CHECK(s.disk_read_bytes > 0);
  }
}

TEST_CASE("a single CPU device has the host's budget and spills to the disk") {
  if (support::on_gpu()) return;
  context ctx(scarce("cpu", 0, 1024));
  check_steps(ctx, 600'000, 4);
  const statistics s = ctx.stats();
  CHECK(s.peak_bytes.front() <= 1 << 20);
  CHECK(s.disk_written_bytes == s.spilled_bytes);
  CHECK(s.disk_read_bytes > 0);
}

TEST_CASE("many small arrays take turns in a memory that holds few of them") {
  if (support::on_gpu()) return;  // its small arrays share pages, which are never given back
  context ctx(scarce("cpu*2", 16, 8));
  const kernel increment = support::make_increment(ctx);
  std::vector<array<int>> all;
  for (int k = 0; k < 40; ++k) all.push_back(ctx.full<int>({300}, k));
  for (int round = 0; round < 3; ++round)
    for (std::size_t k = 0; k + 1 < all.size(); ++k) increment.launch({.threads = {300}}, all[k + 1], all[k]);
  for (int k = 0; k < 40; ++k) CHECK(all[static_cast<std::size_t>(k)].read() == std::vector<int>(300, k));
}

TEST_CASE("explain says when a launch will spill") {
  context ctx(scarce("cpu*1", 256, 64 * 1024));
  const kernel step = make_step(ctx);
  const std::int64_t n = 400'000 * scale;
  auto x = ctx.zeros<int>({n});
  auto y = ctx.zeros<int>({n});
  const std::string plan = step.explain({.threads = {n}}, n, y, x);
  CHECK(support::says(plan, "pieces", "spill"));
  if (!support::on_gpu()) CHECK(support::says(plan, "on CPU devices as loop: no barriers"));
  auto small = ctx.zeros<int>({1000});
  CHECK(step.explain({.threads = {1000}}, 1000, small, small).find("spill") == std::string::npos);
}

TEST_CASE("whichever request for memory fails, the result is right or the error has a name") {
  if (support::on_gpu()) return;
  const auto sums = [](context& ctx) {
    const kernel sum = ctx.native("sum", "const int* x, int* y", "global i => read x[i], atomic(+) y",
                                  {{"cpu", [](native_call& call) {
                                      for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                                        call.data<int>(1)[0] += call.data<int>(0)[i];
                                    }}});
    auto x = ctx.full<int>({20'000}, 3);
    auto y = ctx.full<int>({1}, 5);
    sum.launch({.threads = {20'000}}, x, y);
    const std::vector<int> found = y.read();
    CHECK(found.front() == 60'005);
  };
  const auto chain = [](context& ctx) {
    const kernel increment = support::make_increment(ctx);
    std::vector<array<int>> all;
    for (int k = 0; k < 12; ++k) all.push_back(ctx.full<int>({300}, k));
    for (std::size_t k = 0; k + 1 < all.size(); ++k) increment.launch({.threads = {300}}, all[k + 1], all[k]);
    const std::vector<int> found = all.back().read();
    CHECK(found == std::vector<int>(300, 11));
  };
  const auto steps = [](context& ctx) { check_steps(ctx, 40'000, 2); };
  for (const std::function<void(context&)>& program :
       std::initializer_list<std::function<void(context&)>>{sums, chain, steps}) {
    int refused = 0;
    for (std::int64_t n = 1;; ++n) {
      REQUIRE(n < 5000);
      context ctx(scarce("cpu*2", 64, 32));
      device::fail_one_allocation(n);
      try {
        program(ctx);
      } catch (const out_of_memory&) {
        ++refused;
      }
      const bool reached = device::fail_one_allocation(0) <= 0;
      if (!reached) break;  // the program asks for less than n times
    }
    MESSAGE(refused, " runs ended with an error");
  }
}

TEST_CASE("work that finds no memory does not make a wait forget what its queue still does") {
  if (support::on_gpu()) return;
  context ctx(quiet("cpu*1"));
  std::promise<void> gate;
  const kernel gated = ctx.native("gated", "int* y", "single => write y",
                                  {{"cpu", [open = gate.get_future().share()](native_call&) { open.wait(); }}});
  const kernel increment = support::make_increment(ctx);
  auto first = ctx.zeros<int>({10});
  auto x = ctx.zeros<int>({4'000'000}), y = ctx.zeros<int>({4'000'000});
  gated.launch({.threads = {1}}, first);
  while (ctx.stats().superblocks == 0) std::this_thread::yield();
  device::fail_one_allocation(1);
  increment.launch({.threads = {4'000'000}}, y, x);
  auto waiting = std::async(std::launch::async, [&] { ctx.wait(); });
  CHECK(waiting.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout);
  gate.set_value();
  CHECK_THROWS_AS(waiting.get(), out_of_memory);
}

TEST_CASE("a kernel that does not compile fails alone in the middle of a run without memory") {
  context ctx(scarce("cpu*2", 256, 128));
  const kernel broken = ctx.compile(R"(
    //@tessera global i => readwrite y[i]
    __global__ void broken(int n, int* y) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] = no_such_name;
    })",
                                    "broken");
  const std::int64_t n = 300'000 * scale;
  const kernel step = make_step(ctx);
  const auto x = ctx.full<int>({n}, 1), y = ctx.full<int>({n}, 2), lost = ctx.full<int>({n}, 3);
  step.launch({.threads = {n}}, n, y, x);
  step.launch({.threads = {n}}, n, lost, x);
  broken.launch({.threads = {n}}, n, lost);
  step.launch({.threads = {n}}, n, lost, y);
  for (int k = 0; k < 3; ++k) step.launch({.threads = {n}}, n, y, x);
  CHECK(y.read() == std::vector<int>(static_cast<std::size_t>(n), 27 * 7 + 13));
  CHECK(support::says(support::message_of<compile_error>([&] { static_cast<void>(lost.read()); }), "no_such_name"));
  CHECK(x.read() == std::vector<int>(static_cast<std::size_t>(n), 1));
  CHECK(ctx.stats().evictions > 0);
}

TEST_CASE("an exception in a native kernel loses only what it writes in the middle of a run without memory") {
  context ctx(scarce("cpu*2", 256, 128));
  const native_kernel throws = [](native_call& call) {
    if (call.points().lo[0] > 0) throw std::runtime_error("no more ink");
  };
  const kernel broken =
      ctx.native("broken", "int* y", "global i => readwrite y[i]", {{"cpu", throws}, {"cuda", throws}});
  const std::int64_t n = 300'000 * scale;
  const kernel step = make_step(ctx);
  const auto x = ctx.full<int>({n}, 1), y = ctx.full<int>({n}, 2), lost = ctx.full<int>({n}, 3);
  step.launch({.threads = {n}}, n, lost, x);
  broken.launch({.threads = {n}}, lost);
  step.launch({.threads = {n}}, n, lost, y);
  for (int k = 0; k < 3; ++k) step.launch({.threads = {n}}, n, y, x);
  CHECK(y.read() == std::vector<int>(static_cast<std::size_t>(n), 27 * 2 + 13));
  try {
    static_cast<void>(lost.read());
    FAIL("no error");
  } catch (const std::exception& e) {
    CHECK(support::says(e.what(), "no more ink", "broken"));
  }
  CHECK(x.read() == std::vector<int>(static_cast<std::size_t>(n), 1));
  CHECK(ctx.stats().evictions > 0);
}
