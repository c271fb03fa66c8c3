#include "tessera/device/cpu/fiber/fiber.h"

#include <doctest/doctest.h>

#include <functional>
#include <thread>
#include <vector>

using namespace tessera::device;

namespace {

const tessera_fiber_services& fibers = fiber_services();

void run(unsigned threads, const std::function<void(unsigned)>& body) {
  auto* const state = const_cast<void*>(static_cast<const void*>(&body));
  fibers.run(
      threads, [](void* f, unsigned t) { (*static_cast<const std::function<void(unsigned)>*>(f))(t); }, state);
}

/// Sums `values` as kernels do: a tree with a barrier after each level.
long tree_sum(std::vector<long> values) {
  const auto n = static_cast<unsigned>(values.size());
  run(n, [&](unsigned t) {
    for (unsigned half = n / 2; half > 0; half /= 2) {
      if (t < half) values[t] += values[t + half];
      fibers.barrier();
    }
  });
  return values[0];
}

}  // namespace

TEST_CASE("every fiber runs once") {
  for (unsigned threads : {0u, 1u, 2u, 31u, 32u, 33u, 100u, 1024u}) {
    std::vector<int> ran(threads, 0);
    run(threads, [&](unsigned t) { ++ran[t]; });
    CHECK(ran == std::vector<int>(threads, 1));
  }
}

TEST_CASE("no thread passes a barrier before all have arrived") {
  for (unsigned threads : {1u, 2u, 33u, 256u, 1024u}) {
    std::vector<int> arrivals(8, 0);
    int violations = 0;
    run(threads, [&](unsigned) {
      for (int& count : arrivals) {
        ++count;
        fibers.barrier();
        if (count != static_cast<int>(threads)) ++violations;
      }
    });
    CHECK(violations == 0);
  }
}

TEST_CASE("a tree reduction gives the sum") {
  for (unsigned n : {2u, 64u, 1024u}) {
    std::vector<long> values(n);
    for (unsigned i = 0; i < n; ++i) values[i] = i + 1;
    CHECK(tree_sum(values) == static_cast<long>(n) * (n + 1) / 2);
  }
}

TEST_CASE("fibers that have ended do not hold up a barrier") {
  constexpr unsigned threads = 200;
  int arrived = 0, wrong = 0;
  run(threads, [&](unsigned t) {
    if (t % 3 == 0) return;
    ++arrived;
    fibers.barrier();
    if (arrived != 133) ++wrong;
    if (t % 3 == 1) return;
    fibers.barrier();
    ++arrived;
  });
  CHECK(wrong == 0);
  CHECK(arrived == 133 + 66);
}

TEST_CASE("a warp barrier joins one warp only") {
  constexpr unsigned threads = 80;
  std::vector<unsigned> order;
  std::vector<int> arrivals(3, 0);
  int wrong = 0;
  run(threads, [&](unsigned t) {
    const unsigned warp = t / 32;
    for (int round = 1; round <= 4; ++round) {
      ++arrivals[warp];
      fibers.warp_barrier();
      if (arrivals[warp] < round * static_cast<int>(warp == 2 ? 16 : 32)) ++wrong;
      fibers.warp_barrier();
    }
    order.push_back(warp);
  });
  CHECK(wrong == 0);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("warps with different numbers of warp barriers meet at the block barrier") {
  constexpr unsigned threads = 96;
  std::vector<int> shuffled(threads, 0);
  int before = 0, wrong = 0;
  run(threads, [&](unsigned t) {
    for (unsigned k = 0; k < t / 32; ++k) {
      shuffled[t] += 1;
      fibers.warp_barrier();
      if (shuffled[t ^ 1] < static_cast<int>(k) + 1) ++wrong;
    }
    if (t == 40) return;
    ++before;
    fibers.barrier();
    if (before != 95) ++wrong;
  });
  CHECK(wrong == 0);
}

TEST_CASE("lanes at the block barrier do not hold up the rest of their warp") {
  int wrong = 0, half = 0, all = 0;
  run(64, [&](unsigned t) {
    if (t % 2 == 0) {
      ++half;
      fibers.warp_barrier();
      if (half < 16) ++wrong;
    }
    ++all;
    fibers.barrier();
    if (all != 64) ++wrong;
  });
  CHECK(wrong == 0);
}

TEST_CASE("locals survive barriers") {
  std::vector<double> out(512);
  run(512, [&](unsigned t) {
    double x = t, y = 1;
    volatile char room[2000];
    for (int i = 0; i < 20; ++i) {
      room[(t * 31 + static_cast<unsigned>(i)) % 2000] = static_cast<char>(i);
      fibers.barrier();
      y += x + room[(t * 31 + static_cast<unsigned>(i)) % 2000];
    }
    out[t] = y;
  });
  int wrong = 0;
  for (unsigned t = 0; t < 512; ++t) wrong += out[t] != 1 + 20.0 * t + 190;
  CHECK(wrong == 0);
}

TEST_CASE("fibers that end without returning may be run again any number of times") {
  // Under the thread sanitizer a fiber's record of its calls has room for 65536 frames that never return.
  int ran = 0;
  for (int block = 0; block < 100'000; ++block) run(1, [&](unsigned) { ++ran; });
  CHECK(ran == 100'000);
}

TEST_CASE("barriers outside of a block do nothing") {
  fibers.barrier();
  fibers.warp_barrier();
  CHECK(tree_sum({1, 2}) == 3);
}

TEST_CASE("every OS thread has fibers of its own") {
  std::vector<long> sums(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sums.size(); ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) sums[i] += tree_sum(std::vector<long>(128, static_cast<long>(i)));
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < sums.size(); ++i) CHECK(sums[i] == static_cast<long>(i) * 128 * 20);
}
