#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/device/host/worker_team.h"

using namespace tessera::device;

namespace {

/// Remembers that a helper ended a round, and why.
class end_note final : public worker_team::successor {
 public:
  void team_ended(std::exception_ptr reason) noexcept override {
    reason_ = std::move(reason);
    ended_.store(true, std::memory_order_release);
  }
  std::exception_ptr wait() {
    while (!ended_.exchange(false, std::memory_order_acq_rel)) std::this_thread::yield();
    return std::exchange(reason_, nullptr);
  }

 private:
  std::exception_ptr reason_;
  std::atomic<bool> ended_{false};
};

}  // namespace

TEST_CASE("a team does every part of every round once and its epilogue behind them") {
  worker_pool::instance().require(4);
  end_note note;
  const worker_team::handle team = worker_team::make(4, note);
  for (int round = 0; round < 3000; ++round) {
    const int parts = 1 + round % 9;
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(parts));
    int after = 0;
    const auto part = [&](std::int64_t p) { done[static_cast<std::size_t>(p)].fetch_add(1); };
    const auto epilogue = [&] {
      for (const std::atomic<int>& d : done) after += d.load();
    };
    if (!team->run(parts, part, epilogue)) CHECK(note.wait() == nullptr);
    REQUIRE(after == parts);
    for (const std::atomic<int>& d : done) REQUIRE(d.load() == 1);
  }
}

TEST_CASE("a part that throws ends its round, not the team") {
  end_note note;
  const worker_team::handle team = worker_team::make(3, note);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> done{0};
    bool epilogue = false;
    std::exception_ptr reason;
    const auto part = [&](std::int64_t p) {
      done.fetch_add(1);
      if (p == 5 && round % 2 == 0) throw tessera::argument_error("part 5");
    };
    try {
      if (!team->run(8, part, [&] { epilogue = true; })) reason = note.wait();
    } catch (const tessera::argument_error&) {
      reason = std::current_exception();
    }
    CHECK(done.load() == 8);
    CHECK(epilogue == (round % 2 != 0));
    CHECK((reason != nullptr) == (round % 2 == 0));
  }
}
