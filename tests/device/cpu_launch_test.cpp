#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tessera/device/cpu/cpu_backend.h"

using namespace tessera;
using namespace tessera::device;

namespace {

template <class T>
std::vector<std::byte> value(const T& v) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &v, sizeof(T));
  return bytes;
}

/// Counts the work that failed.
struct failure_counter final : observer {
  bool admit() noexcept override { return true; }
  void failed(std::exception_ptr) noexcept override { ++failures; }
  int failures = 0;
};

template <class T>
T& parameter(const tessera_cpu_launch* l, int i) {
  return *static_cast<T*>(l->params[i]);
}

/// Calls f(x, y, z) for the blocks that this call is to run.
template <class F>
void for_blocks(const tessera_cpu_launch* l, F f) {
  for (unsigned z = l->block_begin[2]; z < l->block_end[2]; ++z)
    for (unsigned y = l->block_begin[1]; y < l->block_end[1]; ++y)
      for (unsigned x = l->block_begin[0]; x < l->block_end[0]; ++x) f(x, y, z);
}

/// Kernel (int* counts): adds one to the count of each block.
void count_blocks(const tessera_cpu_launch* l) {
  int* const counts = parameter<int*>(l, 0);
  for_blocks(l, [&](unsigned x, unsigned y, unsigned z) { ++counts[(z * l->grid_dim[1] + y) * l->grid_dim[0] + x]; });
}

/// Kernel (float* sums, int rows): block x writes plain values to its private sums[row * 4 + x % 4].
void write_sums(const tessera_cpu_launch* l) {
  float* const sums = parameter<float*>(l, 0);
  const int rows = parameter<int>(l, 1);
  for_blocks(l, [&](unsigned x, unsigned, unsigned) {
    for (int row = 0; row < rows; ++row)
      sums[static_cast<unsigned>(row) * 4 + x % 4] += 1.0f / static_cast<float>(x + 1) + static_cast<float>(row);
  });
}

/// Kernel (long* total, long* largest): block x contributes x and x * 7 % 100.
void total_and_largest(const tessera_cpu_launch* l) {
  for_blocks(l, [&](unsigned x, unsigned, unsigned) {
    *parameter<long*>(l, 0) += x;
    *parameter<long*>(l, 1) = std::max<long>(*parameter<long*>(l, 1), x * 7 % 100);
  });
}

/// Kernel (long* total, const bool* broken): block x contributes x, or fails.
void total_or_failure(const tessera_cpu_launch* l) {
  if (*parameter<const bool*>(l, 1)) throw 1;
  for_blocks(l, [&](unsigned x, unsigned, unsigned) { *parameter<long*>(l, 0) += x; });
}

/// Kernel (int* out): reverses the threads of each block through dynamic shared memory, one fiber per thread.
void reverse_in_shared(const tessera_cpu_launch* l) {
  struct state {
    int* out;
    int* room;
    unsigned n, block;
    const tessera_fiber_services* fibers;
  };
  for_blocks(l, [&](unsigned x, unsigned, unsigned) {
    state s{parameter<int*>(l, 0), static_cast<int*>(l->shared), l->block_dim[0], x, l->fibers};
    l->fibers->run(
        s.n,
        [](void* p, unsigned t) {
          auto& self = *static_cast<state*>(p);
          self.room[t] = static_cast<int>(self.block * self.n + t);
          self.fibers->barrier();
          self.out[self.block * self.n + t] = self.room[self.n - 1 - t];
        },
        &s);
  });
}

/// Kernel (std::set<std::thread::id>* seen, std::mutex* guard): notes who ran it; each block takes a millisecond.
void slow_block(const tessera_cpu_launch* l) {
  for_blocks(l, [&](unsigned, unsigned, unsigned) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::lock_guard lock(*parameter<std::mutex*>(l, 1));
    parameter<std::set<std::thread::id>*>(l, 0)->insert(std::this_thread::get_id());
  });
}

/// Kernel (unsigned* bins): block x adds one to bins[x % 7]; notes in bins[7] calls that do not own them.
void count_bins(const tessera_cpu_launch* l) {
  unsigned* const bins = parameter<unsigned*>(l, 0);
  for_blocks(l, [&](unsigned x, unsigned, unsigned) { ++bins[x % 7]; });
  if (l->own != 1) ++bins[7];
}

private_result sum_of(float* origin, int rows, int blocks) {
  auto columns = std::make_shared<block_boxes::listing>();
  columns->stride = {1, 0, 0};
  for (std::int64_t b = 0; b < blocks; ++b) columns->ranges.push_back({b % 4, b % 4 + 1});
  block_boxes elements = block_boxes::uniform({{0, 0}, {rows, 4}});
  elements.axes[1].listed = std::move(columns);
  return {0, reinterpret_cast<std::byte*>(origin), {16, 4}, dtype_of<float>(), reduce_op::add, std::move(elements)};
}

std::vector<float> run_sums(int cores, int blocks, int rows, std::int64_t workspace = private_result::unlimited) {
  cpu_backend b({.cores = cores});
  std::vector<float> sums(static_cast<std::size_t>(rows) * 4, 0.5f);
  launch_desc l{.function = b.adopt(write_sums), .grid = {blocks}, .block = {1}, .begin = {0}, .end = {blocks}};
  l.arguments = {value(static_cast<float*>(nullptr)), value(rows)};
  l.results.push_back(sum_of(sums.data(), rows, blocks));
  l.workspace = workspace;
  b.launch({}, l).wait();
  return sums;
}

}  // namespace

TEST_CASE("blocks share the result of their core where they reach it by atomics alone") {
  for (const int cores : {1, 3, 8})
    for (const std::int64_t workspace : {std::int64_t{0}, std::int64_t{100}, private_result::unlimited}) {
      cpu_backend b({.cores = cores});
      std::vector<unsigned> bins(8, 5);
      launch_desc l{.function = b.adopt(count_bins), .grid = {70, 3}, .block = {32}, .begin = {0, 1}, .end = {70, 3}};
      l.arguments = {value(bins.data())};
      l.results = {{0,
                    reinterpret_cast<std::byte*>(bins.data()),
                    {4},
                    dtype_of<unsigned>(),
                    reduce_op::add,
                    block_boxes::uniform({{0}, {8}}),
                    32,
                    true}};
      l.workspace = workspace;
      b.launch({}, l).wait();
      REQUIRE(bins == std::vector<unsigned>{25, 25, 25, 25, 25, 25, 25, 5});
    }
}

TEST_CASE("a launch runs each of its blocks once, however it is split") {
  worker_pool::instance().require(3);
  for (int cores : {1, 2, 3, 7})
    for (const extents& grid : {extents{1000}, extents{3, 5}, extents{2, 3, 11}, extents{1, 1, 4}, extents{200, 200}}) {
      cpu_backend b({.cores = cores});
      extents begin = extents::uniform(grid.rank(), 0);
      begin[0] = grid[0] / 3;
      std::vector<int> counts(static_cast<std::size_t>(box::whole(grid).volume()), 0);
      launch_desc l{.function = b.adopt(count_blocks), .grid = grid, .block = {1024}, .begin = begin, .end = grid};
      l.arguments = {value(counts.data())};
      event e;
      for (int round = 0; round < 3; ++round) e = b.launch({}, l);
      e.wait();
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < counts.size(); ++i)
        wrong += counts[i] != (static_cast<std::int64_t>(i) % grid[0] >= begin[0] ? 3 : 0);
      CHECK(wrong == 0);
    }
}

TEST_CASE("a kernel with few but long threads is split once that is known") {
  worker_pool::instance().require(2);
  cpu_backend b({.cores = 2});
  std::set<std::thread::id> seen;
  std::mutex guard;
  launch_desc l{.function = b.adopt(slow_block), .grid = {8}, .block = {1}, .begin = {0}, .end = {8}};
  l.arguments = {value(&seen), value(&guard)};
  for (int tries = 0; tries < 20 && seen.size() < 2; ++tries) {
    seen.clear();
    b.launch({}, l).wait();
  }
  CHECK(seen.size() == 2);
}

TEST_CASE("an empty launch does nothing") {
  cpu_backend b({});
  launch_desc l{.function = b.adopt(count_blocks), .grid = {4, 4}, .block = {1}, .begin = {2, 2}, .end = {2, 4}};
  int* none = nullptr;
  l.arguments = {value(none)};
  const event e = b.launch({}, l);
  e.wait();
  CHECK(e.done());
}

TEST_CASE("private results are combined into what the target held") {
  for (int cores : {1, 2, 5}) {
    const std::vector<float> sums = run_sums(cores, 37, 3);
    for (unsigned row = 0; row < 3; ++row)
      for (unsigned k = 0; k < 4; ++k) {
        double expected = 0.5;
        for (unsigned x = k; x < 37; x += 4) expected += 1.0 / (x + 1) + row;
        CHECK(sums[row * 4 + k] == doctest::Approx(expected));
      }
  }
}

TEST_CASE("private results depend on the launch and the cores, not on timing") {
  const std::vector<float> first = run_sums(3, 1000, 2);
  for (int round = 0; round < 20; ++round) CHECK(run_sums(3, 1000, 2) == first);
}

TEST_CASE("a copy does not wait until long launches have ended on all cores") {
  const int cores = worker_pool::instance().threads();
  cpu_backend b({.devices = cores, .cores = cores});
  std::set<std::thread::id> seen;
  std::mutex guard;
  launch_desc l{.function = b.adopt(slow_block), .grid = {100}, .block = {1}, .begin = {0}, .end = {100}};
  l.arguments = {value(&seen), value(&guard)};
  for (const int blocks : {10, 100}) {  // once to know how long it takes
    l.grid = l.end = {blocks};
    std::vector<event> launches;
    for (int d = 0; d < cores; ++d) launches.push_back(b.launch({{d, queue_kind::compute}, {}, nullptr}, l));
    const int from = 7;
    int to = 0;
    const event copied =
        b.copy({{0, queue_kind::copy_out}, {}, nullptr}, {{reinterpret_cast<std::byte*>(&to), {4}},
                                                          {reinterpret_cast<std::byte*>(const_cast<int*>(&from)), {4}},
                                                          {1},
                                                          4});
    copied.wait();
    CHECK(to == 7);
    if (blocks == 100)
      for (const event& e : launches) CHECK_FALSE(e.done());
    for (const event& e : launches) e.wait();
  }
}

TEST_CASE("private results take no more memory than the launch may use, if need be one core at a time") {
  const std::int64_t one = 16 * 500 + 256;  // from the first to the last of 500 rows, and alignment
  const auto alone = run_sums(1, 1000, 500), two = run_sums(2, 1000, 500), four = run_sums(4, 1000, 500);
  REQUIRE(alone != two);
  REQUIRE(two != four);
  CHECK(run_sums(4, 1000, 500, 0) == alone);
  CHECK(run_sums(4, 1000, 500, 2 * one) == alone);
  CHECK(run_sums(4, 1000, 500, 3 * one) == two);
  CHECK(run_sums(4, 1000, 500, 6 * one) == two);
  CHECK(run_sums(4, 1000, 500, 7 * one) == four);
}

TEST_CASE("a launch may have several private results with operations of their own") {
  for (int cores : {1, 2, 4}) {
    cpu_backend b({.cores = cores});
    long total = 1000, largest = -5;
    const block_boxes whole = block_boxes::uniform({{0}, {1}});
    launch_desc l{.function = b.adopt(total_and_largest), .grid = {90}, .block = {1}, .begin = {10}, .end = {60}};
    l.arguments = {value(&total), value(&largest)};
    l.results = {{0, reinterpret_cast<std::byte*>(&total), {8}, dtype_of<long>(), reduce_op::add, whole},
                 {1, reinterpret_cast<std::byte*>(&largest), {8}, dtype_of<long>(), reduce_op::max, whole}};
    b.launch({}, l).wait();
    CHECK(total == 1000 + 59 * 60 / 2 - 9 * 10 / 2);
    CHECK(largest == 99);
  }
}

TEST_CASE("a launch with private results that fails leaves its target and the queue as they were") {
  failure_counter watch;
  cpu_backend b({.cores = 4});
  long total = 0;
  bool broken = true;
  launch_desc l{.function = b.adopt(total_or_failure), .grid = {90}, .block = {1}, .begin = {0}, .end = {90}};
  l.arguments = {value(&total), value(&broken)};
  l.results = {{0,
                reinterpret_cast<std::byte*>(&total),
                {8},
                dtype_of<long>(),
                reduce_op::add,
                block_boxes::uniform({{0}, {1}})}};
  b.launch({{}, {}, &watch}, l).wait();
  CHECK(watch.failures == 1);
  CHECK(total == 0);
  broken = false;
  b.launch({}, l).wait();
  CHECK(total == 89 * 90 / 2);
}

TEST_CASE("blocks see their own shared memory and fibers") {
  cpu_backend b({.cores = 2});
  constexpr int blocks = 40, threads = 96;
  std::vector<int> out(blocks * threads, -1);
  launch_desc l{.function = b.adopt(reverse_in_shared),
                .grid = {blocks},
                .block = {threads},
                .begin = {0},
                .end = {blocks},
                .shared_bytes = threads * 4};
  l.arguments = {value(out.data())};
  event e;
  for (int round = 0; round < 3; ++round) e = b.launch({}, l);
  e.wait();
  int wrong = 0;
  for (int i = 0; i < blocks * threads; ++i)
    wrong += out[static_cast<std::size_t>(i)] != i / threads * threads + threads - 1 - i % threads;
  CHECK(wrong == 0);
}

TEST_CASE("large copies, fills and folds are right on several cores") {
  cpu_backend b({.cores = 3});
  constexpr std::int64_t n = 3'000'017;
  std::vector<std::int32_t> source(n), target(n, -1);
  for (std::int64_t i = 0; i < n; ++i) source[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i * 7);
  const strided to{reinterpret_cast<std::byte*>(target.data()), {4}};
  const strided from{reinterpret_cast<std::byte*>(source.data()), {4}};
  b.copy({}, {to, from, {n}, 4}).wait();
  CHECK(target == source);
  b.fold({}, {to, from, {n}, dtype_of<std::int32_t>()}).wait();
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += target[i] != 2 * static_cast<int>(i * 7);
  CHECK(wrong == 0);
  b.fill({}, {to, {n}, value(0x01020304)}).wait();
  CHECK(std::count(target.begin(), target.end(), 0x01020304) == n);
}

TEST_CASE("a native function may use all cores of its device") {
  for (int cores : {1, 2, 4}) {
    cpu_backend b({.cores = cores});
    std::vector<std::atomic<int>> hits(10'007);
    int seen_cores = 0;
    b.native({}, [&](native_context& c) {
       seen_cores = c.cores();
       c.parallel_for(static_cast<std::int64_t>(hits.size()),
                      [&](std::int64_t i) { ++hits[static_cast<std::size_t>(i)]; });
       c.parallel_for(0, [&](std::int64_t) { seen_cores = -1; });
     }).wait();
    CHECK(seen_cores == cores);
    CHECK(std::all_of(hits.begin(), hits.end(), [](const auto& h) { return h == 1; }));
  }
}

TEST_CASE("parallel loops may nest and an exception in one leaves it") {
  failure_counter watch;
  cpu_backend b({.cores = 4});
  std::atomic<int> inner{0};
  b.native({{}, {}, &watch}, [&](native_context& c) {
     c.parallel_for(20, [&](std::int64_t i) {
       c.parallel_for(30, [&](std::int64_t) { ++inner; });
       if (i == 7) throw 1;
     });
   }).wait();
  CHECK(inner == 600);
  CHECK(watch.failures == 1);
}
