#include "tessera/runtime/stream_check.h"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "tessera/base/error.h"
#include "tests/support/messages.h"

using namespace tessera;
using runtime::stream_check;
using support::says;

namespace {

/// Ranks of one process that make calls; notes between them arrive at once.
class world {
 public:
  explicit world(int ranks) : networks_(comm::make_local_world(ranks, 0)) {
    for (const auto& network : networks_) {
      CHECK(network->open());
      checks_.push_back(std::make_unique<stream_check>(*network));
    }
  }

  stream_check& rank(int r) { return *checks_[static_cast<std::size_t>(r)]; }
  [[nodiscard]] int ranks() const { return static_cast<int>(checks_.size()); }
  /// Every rank ends its stream, on a thread of its own: it waits for the rank before it.
  void end_all() {
    std::vector<std::thread> threads;
    for (const auto& check : checks_) threads.emplace_back([&check] { check->end(); });
    for (std::thread& t : threads) t.join();
  }
  [[nodiscard]] comm::transport& network(int r = 0) { return *networks_[static_cast<std::size_t>(r)]; }
  [[nodiscard]] bool failed() { return network().failed(); }
  [[nodiscard]] std::string reason() { return network().failure().reason; }

 private:
  std::vector<std::shared_ptr<comm::transport>> networks_;
  std::vector<std::unique_ptr<stream_check>> checks_;
};

/// A call that fills `array`, made at line `line`.
plan::task fill(std::uint64_t array, int line = 1) {
  return {task_id(1), {"calls.cpp", line}, plan::fill_task{array_id(array), box::whole({4}), {std::byte{1}}}};
}

}  // namespace

TEST_CASE("ranks that make equal calls are not disturbed, however the calls are spread over time") {
  for (const int ranks : {2, 3, 5}) {
    world w(ranks);
    for (std::uint64_t k = 1; k <= 500; ++k)
      for (int r = 0; r < ranks; ++r) {
        // The line of a call and the number of its task are a rank's own business.
        w.rank(r).made(fill(k, r + 1));
        if ((k + static_cast<std::uint64_t>(r)) % 7 == 0) w.rank(r).flush();
      }
    w.end_all();
    CHECK(!w.failed());
  }
}

TEST_CASE("one rank may be far ahead of the others") {
  world w(3);
  for (const int r : {1, 0, 2})
    for (std::uint64_t k = 1; k <= 6000; ++k) w.rank(r).made(fill(k));
  w.end_all();
  CHECK(!w.failed());
}

TEST_CASE("the first call that differs is named on every rank, with what both ranks made") {
  world w(3);
  for (std::uint64_t k = 1; k <= 200; ++k)
    for (int r = 0; r < 3; ++r) w.rank(r).made(fill(r == 1 && k >= 57 ? k + 1000 : k, static_cast<int>(10 * k)));
  REQUIRE(w.failed());
  CHECK(says(w.reason(), "the ranks make different calls: call 57 of rank "));
  CHECK(says(w.reason(), "an array is filled at calls.cpp:570 (array 57 "));
  CHECK(says(w.reason(), "an array is filled at calls.cpp:570 (array 1057 "));
  for (int r = 0; r < 3; ++r) {
    CHECK(w.network(r).failure().kind == comm::failure_kind::divergence);
    CHECK_THROWS_AS(std::rethrow_exception(runtime::network_failure(w.network(r))), divergence_error);
  }
}

TEST_CASE("a difference is found when a rank is about to wait") {
  world w(2);
  w.rank(0).made(fill(1));
  w.rank(1).made(fill(2));
  CHECK(!w.failed());
  w.rank(0).flush();
  CHECK(says(w.reason(), "call 1 of rank 0"));
}

TEST_CASE("a difference is found after some calls although no rank waits") {
  world w(2);
  for (std::uint64_t k = 1; k <= 100; ++k)
    for (int r = 0; r < 2; ++r) w.rank(r).made(fill(r == 0 && k == 3 ? 9 : k));
  CHECK(says(w.reason(), ": call 3 of rank "));
}

TEST_CASE("calls that concern one rank alone are not compared") {
  world w(2);
  plan::host_read_task here{{array_id(1), box::whole({4}), {plan::host_ranks::kind::here, node_id(0)}, {}, 0, 0}};
  for (int k = 0; k < 100; ++k) {
    w.rank(0).made({task_id(1), {}, plan::drop_task{array_id(7)}});
    w.rank(0).made({task_id(2), {}, plan::fence_task{3}});
    w.rank(0).made({task_id(3), {}, here});
  }
  for (int r = 0; r < 2; ++r) w.rank(r).made(fill(1));
  w.end_all();
  CHECK(!w.failed());
}

TEST_CASE("a rank that goes on when the one before it has ended is told so") {
  SUBCASE("the end is known before the call") {
    world w(2);
    for (int r = 0; r < 2; ++r) w.rank(r).made(fill(1));
    std::thread ending([&] { w.rank(0).end(); });
    while (!w.failed()) {
      // Behind the end there may be no call; until it is known there may.
      w.rank(1).made(fill(2, 22));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ending.join();
    CHECK(says(w.reason(), "call 2 of rank 1 is: an array is filled at calls.cpp:22"));
    CHECK(says(w.reason(), "rank 0 makes no more calls"));
    CHECK(w.network().failure().kind == comm::failure_kind::divergence);
  }
  SUBCASE("the call is made before the end is known") {
    world w(2);
    for (int r = 0; r < 2; ++r) w.rank(r).made(fill(1));
    w.rank(1).made(fill(2));
    w.rank(0).end();
    CHECK(says(w.reason(), "rank 0 makes no more calls"));
  }
}

TEST_CASE("a call too long ago is not described, but counted") {
  world w(2);
  for (std::uint64_t k = 1; k <= 5000; ++k) w.rank(0).made(fill(k));
  w.rank(1).made(fill(9999));
  CHECK(says(w.reason(), "call 1 of rank 0 is: a call too long ago to be named; of rank 1 it is: an array is filled"));
}

TEST_CASE("a stream that ends does not wait for ranks of a job that has failed") {
  world w(3);
  w.network(2).abort("no more paper");
  const auto begin = std::chrono::steady_clock::now();
  w.rank(0).end();
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(1500));
  CHECK(w.reason() == "no more paper");
  CHECK_THROWS_AS(std::rethrow_exception(runtime::network_failure(w.network())), comm_error);
}

TEST_CASE("bytes that are no note of a check are ignored") {
  world w(2);
  w.network(0).post_note(node_id(1), std::vector<std::byte>(3));
  for (int r = 0; r < 2; ++r) w.rank(r).made(fill(1));
  w.end_all();
  CHECK(!w.failed());
}
