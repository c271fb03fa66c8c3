#include "tessera/array/host_memory.h"

#include <limits>
#include <numeric>
#include <thread>

#include "tests/array/support.h"

using namespace tessera;
using support::message_of;
using support::quiet;
using support::says;

TEST_CASE("arrays are written from host memory and read into it") {
  constexpr std::int64_t n = 10'000;
  context ctx(quiet("cpu*2"));
  const host_memory from = ctx.host_memory(n * 4), to = ctx.host_memory(n * 4 + 3);
  CHECK(from.bytes().size() == n * 4);
  CHECK(reinterpret_cast<std::uintptr_t>(from.bytes().data()) % 256 == 0);
  REQUIRE(to.as<int>().size() == n);  // whole elements
  std::iota(from.as<int>().begin(), from.as<int>().end(), 7);
  const auto a = ctx.from<int>({n}, from.as<int>());
  a.read_async(to.as<int>()).wait();
  CHECK(std::equal(from.as<int>().begin(), from.as<int>().end(), to.as<int>().begin()));
}

TEST_CASE("host memory outlives the context's handle, and its copies share it") {
  host_memory kept;
  CHECK(kept.bytes().empty());
  {
    context ctx(quiet("cpu"));
    kept = ctx.host_memory(100);
  }
  host_memory same = kept;
  kept.bytes()[99] = std::byte{5};
  kept = {};
  CHECK(kept.bytes().empty());
  CHECK(same.bytes()[99] == std::byte{5});
  const host_memory moved = std::move(same);
  CHECK(moved.bytes().size() == 100);
  context other(quiet("cpu"));
  kept = other.host_memory(10);
  kept = moved;  // the memory of one context for that of another
  CHECK(kept.bytes()[99] == std::byte{5});
}

TEST_CASE("host memory of no bytes is empty") {
  context ctx(quiet("cpu"));
  const host_memory none = ctx.host_memory(0);
  CHECK(none.bytes().empty());
  CHECK(none.as<double>().empty());
}

TEST_CASE("too much host memory is refused with what there is") {
  context ctx(quiet("cpu"));
  for (const std::int64_t bytes : {std::int64_t{1} << 50, std::numeric_limits<std::int64_t>::max()}) {
    const std::string text = message_of<out_of_memory>([&] { (void)ctx.host_memory(bytes); });
    CHECK(says(text, std::to_string(bytes), "host memory", "in all, and has 0"));
  }
  CHECK(says(message_of<argument_error>([&] { (void)ctx.host_memory(-1); }), "-1 bytes"));
  CHECK(ctx.host_memory(1000).bytes().size() == 1000);  // the others took nothing
}

TEST_CASE("host memory is taken and given back by several threads while arrays leave their devices") {
  options settings = quiet("cpu*2");
  settings.device_memory = support::on_gpu() ? "8MiB" : "64KiB";
  settings.host_memory = support::on_gpu() ? "4MiB" : "32KiB";
  context ctx(settings);
  const std::int64_t n = support::on_gpu() ? 4 << 20 : 32 << 10;
  const auto a = ctx.full<int>({n}, 1), b = ctx.full<int>({n}, 2);
  const kernel add = ctx.compile(R"(
    //@tessera global i => readwrite y[i], read x[i]
    __global__ void add(long long n, int* y, const int* x) {
      long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] += x[i];
    })",
                                 "add");
  std::vector<std::thread> borrowers;
  for (int t = 0; t < 2; ++t)
    borrowers.emplace_back([&] {
      for (int k = 0; k < 200; ++k) ctx.host_memory(1 + k * 100).bytes().back() = std::byte{1};
    });
  for (int k = 0; k < 20; ++k) add.launch({.threads = {n}}, static_cast<long long>(n), a, b);
  for (std::thread& t : borrowers) t.join();
  const std::vector<int> found = a.read();
  CHECK(std::count(found.begin(), found.end(), 41) == n);
}
