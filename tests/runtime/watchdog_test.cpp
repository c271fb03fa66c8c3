#include "tessera/runtime/report/watchdog.h"

#include <doctest/doctest.h>

#include <atomic>

using namespace tessera;
using runtime::watchdog;
using namespace std::chrono_literals;

namespace {

/// Waits until `count` is at least `least`; false if it is not for long.
bool reaches(const std::atomic<int>& count, int least) {
  for (int k = 0; k < 10'000 && count < least; ++k) std::this_thread::sleep_for(1ms);
  return count >= least;
}

}  // namespace

TEST_CASE("work that is pending without progress is reported, once") {
  std::atomic<int> looks{0}, reports{0};
  {
    const watchdog w(
        5ms,
        [&] {
          return ++looks, watchdog::observation{true, 7};
        },
        [&] { ++reports; });
    CHECK(reaches(reports, 1));
    std::this_thread::sleep_for(30ms);
  }
  CHECK(reports == 1);
  CHECK(looks >= 2);
}

TEST_CASE("nothing is reported while there is progress or nothing is pending") {
  std::atomic<int> looks{0}, reports{0};
  bool pending = true, moving = true;
  SUBCASE("progress") { pending = true, moving = true; }
  SUBCASE("nothing pending") { pending = false, moving = false; }
  {
    // Each look comes well before the time is over, unless the machine stops for so long.
    const watchdog w(
        2s,
        [&] {
          return watchdog::observation{pending, static_cast<std::uint64_t>(moving ? ++looks : (++looks, 0))};
        },
        [&] { ++reports; });
    CHECK(reaches(looks, 4));
  }
  CHECK(reports == 0);
}

TEST_CASE("time counts from the last progress") {
  std::atomic<int> looks{0}, reports{0};
  std::chrono::steady_clock::time_point stopped, reported;
  {
    const watchdog w(
        80ms,
        [&] {
          // Progress until the tenth look, and none afterwards.
          if (++looks == 10) stopped = std::chrono::steady_clock::now();
          return watchdog::observation{true, static_cast<std::uint64_t>(looks < 10 ? looks.load() : 10)};
        },
        [&] {
          reported = std::chrono::steady_clock::now();
          ++reports;
        });
    CHECK(reaches(reports, 1));
  }
  CHECK(looks > 10);
  CHECK(reported - stopped >= 80ms);
}

TEST_CASE("a time of zero switches the watchdog off") {
  std::atomic<int> looks{0};
  {
    const watchdog w(
        0ns,
        [&] {
          return ++looks, watchdog::observation{true, 0};
        },
        [] {});
    std::this_thread::sleep_for(20ms);
  }
  CHECK(looks == 0);
}

TEST_CASE("a watchdog ends at once although its time is long") {
  const auto begin = std::chrono::steady_clock::now();
  {
    const watchdog w(
        1h,
        [] {
          return watchdog::observation{true, 0};
        },
        [] {});
  }
  CHECK(std::chrono::steady_clock::now() - begin < 4s);
}
