#include <doctest/doctest.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>
#include <vector>

#include "tessera/base/event.h"

using namespace tessera;

namespace {

/// Writes its number down when its step is reached.
class noter final : public host_timeline::waiter {
 public:
  noter(std::vector<int>& notes, int number) : notes_(notes), number_(number) {}
  void step_reached() noexcept override { notes_.push_back(number_); }

 private:
  std::vector<int>& notes_;
  int number_;
};

long sleeps_of_this_thread() {
  rusage use{};
  getrusage(RUSAGE_THREAD, &use);
  return use.ru_nvcsw;
}

}  // namespace

TEST_CASE("those who wait for a step are called once, when it is reached, in the order they came") {
  host_timeline line;
  std::vector<int> notes;
  noter a(notes, 1), b(notes, 2), c(notes, 3), d(notes, 4);
  CHECK(line.notify(3, a));
  CHECK(line.notify(1, b));
  CHECK(line.notify(2, c));
  CHECK(line.notify(3, d));
  line.advance(1);
  CHECK(notes == std::vector{2});
  line.advance(3);
  CHECK(notes == std::vector{2, 1, 3, 4});
  line.advance(9);
  CHECK(notes.size() == 4);
  CHECK_FALSE(line.notify(9, b));
  CHECK(line.notify(10, b));
  line.advance(10);
  CHECK(notes.back() == 2);
  CHECK(notes.size() == 5);
}

TEST_CASE("a thread that waits for the last of many steps sleeps through those before it") {
  constexpr std::uint64_t steps = 2000;
  host_timeline line;
  std::thread worker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (std::uint64_t k = 1; k <= steps; ++k) {
      line.advance(k);
      for (const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
           std::chrono::steady_clock::now() < until;) {
      }
    }
  });
  const long before = sleeps_of_this_thread();
  line.wait(steps);
  const long sleeps = sleeps_of_this_thread() - before;
  worker.join();
  CHECK(line.reached(steps));
  CHECK(sleeps < static_cast<long>(steps) / 4);
}
