#include "tessera/runtime/execute/continuation.h"

#include <doctest/doctest.h>

#include <memory>
#include <thread>

#include "tests/runtime/silent_timeline.h"

using namespace tessera;
using runtime::continuation_list;
using support::silent_timeline;

TEST_CASE("a function whose events have happened runs at once") {
  continuation_list list;
  host_timeline line;
  line.advance(3);
  int runs = 0;
  list.when_all({}, [&] { ++runs; });
  list.when_all({{}, {&line, 3}}, [&] { ++runs; });
  CHECK(runs == 2);
}

TEST_CASE("a function runs on the thread that reaches the last of its events, whichever that is") {
  for (const bool first_is_last : {false, true}) {
    continuation_list list;
    host_timeline a, b;
    std::thread::id ran_on;
    list.when_all({{&a, 2}, {&b, 1}}, [&] { ran_on = std::this_thread::get_id(); });
    (first_is_last ? b : a).advance(first_is_last ? 1 : 2);
    CHECK(ran_on == std::thread::id());
    std::thread last([&] { (first_is_last ? a : b).advance(first_is_last ? 2 : 1); });
    const std::thread::id wanted = last.get_id();
    last.join();
    CHECK(ran_on == wanted);
  }
}

TEST_CASE("a function that waits for a timeline which does not tell runs when it is polled for") {
  continuation_list list;
  silent_timeline silent;
  host_timeline line;
  int runs = 0;
  list.when_all({{&silent, 1}, {&line, 1}}, [&] { ++runs; });
  silent.reach(1);
  list.poll();
  CHECK(runs == 0);
  line.advance(1);
  CHECK(runs == 0);
  list.poll();
  CHECK(runs == 1);
  list.poll();
  CHECK(runs == 1);
}

TEST_CASE("what a function holds is let go when it has run") {
  continuation_list list;
  host_timeline line;
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> left = held;
  list.when_all({{&line, 1}}, [held = std::move(held)] {});
  CHECK(!left.expired());
  line.advance(1);
  CHECK(left.expired());
}

TEST_CASE("finishing waits until every function has run") {
  continuation_list list;
  silent_timeline silent;
  host_timeline line;
  std::atomic<int> runs{0};
  for (int k = 0; k < 10; ++k) {
    list.when_all({{&line, static_cast<std::uint64_t>(k + 1)}}, [&] { ++runs; });
    list.when_all({{&silent, static_cast<std::uint64_t>(k + 1)}}, [&] { ++runs; });
  }
  std::thread other([&] {
    for (std::uint64_t k = 1; k <= 10; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      line.advance(k);
      silent.reach(k);
    }
  });
  list.finish();
  CHECK(runs == 20);
  other.join();
}

TEST_CASE("a list that ends waits for its functions") {
  host_timeline line;
  std::atomic<bool> ran{false};
  std::thread other;
  {
    continuation_list list;
    list.when_all({{&line, 1}}, [&] { ran = true; });
    other = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      line.advance(1);
    });
  }
  CHECK(ran);
  other.join();
}
