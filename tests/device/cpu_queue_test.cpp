#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/device/backend.h"
#include "tessera/device/host/heap.h"
#include "tessera/device/host/pool.h"

using namespace tessera;
using namespace tessera::device;

namespace {

/// Processor time of the whole process.
std::chrono::microseconds processor_time() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto of = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return of(use.ru_utime) + of(use.ru_stime);
}

/// Observes work that enqueues more work on `target`, until nothing is left to do.
struct enqueuer : observer {
  bool admit() noexcept override { return true; }
  void failed(std::exception_ptr) noexcept override {}

  backend* target = nullptr;
  host_timeline finished;  ///< 1 when nothing is left.
};

/// Asks the system, which answers with an error instead of a signal.
bool readable(const std::byte* p) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const bool ok = write(ends[1], p, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return ok;
}

class foreign_timeline final : public timeline {
 public:
  [[nodiscard]] bool reached(std::uint64_t) const noexcept override { return false; }
  void wait(std::uint64_t) override {}
};

}  // namespace

TEST_CASE("a queue waits for an event of the host without holding a worker") {
  const auto b = make_cpu({.devices = 8});
  host_timeline host;
  const event gate{&host, 1};
  std::atomic<int> ran{0};
  std::vector<event> ends;
  for (int d = 0; d < 8; ++d)
    for (int q = 0; q < queues_per_device; ++q)
      ends.push_back(
          b->native({{d, static_cast<queue_kind>(q)}, {&gate, 1}, nullptr}, [&](native_context&) { ++ran; }));
  // More queues wait than there are workers: other work must still get through.
  const auto other = make_cpu({});
  other->native({}, [](native_context&) {}).wait();
  CHECK(ran == 0);
  host.advance(1);
  for (const event& e : ends) e.wait();
  CHECK(ran == 24);
}

TEST_CASE("an event of another kind of device is refused") {
  const auto b = make_cpu({});
  foreign_timeline line;
  const event e{&line, 1};
  CHECK_FALSE(b->can_wait(e));
  CHECK(b->can_wait({}));
  CHECK_THROWS_AS(b->fill({{}, {&e, 1}, nullptr}, {}), argument_error);
}

TEST_CASE("queues of different backends wait for each other") {
  const auto a = make_cpu({.devices = 2});
  const auto b = make_null({});
  const auto c = make_cpu({});
  int value = 0;
  event e;
  for (int i = 0; i < 300; ++i) {
    e = a->native({{i % 2, queue_kind::compute}, {&e, 1}, nullptr}, [&](native_context&) { value += 1; });
    e = b->fill({{}, {&e, 1}, nullptr}, {});
    e = c->native({{0, queue_kind::copy_in}, {&e, 1}, nullptr}, [&](native_context&) { value *= 1; });
  }
  e.wait();
  CHECK(value == 300);
}

TEST_CASE("an operation may wait for many events") {
  const auto b = make_cpu({.devices = 4});
  std::atomic<int> before{0};
  int seen = -1;
  std::vector<event> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(b->native({{i % 3, queue_kind::compute}, {}, nullptr}, [&](native_context&) { ++before; }));
  b->native({{3, queue_kind::compute}, all, nullptr}, [&](native_context&) { seen = before; }).wait();
  CHECK(seen == 100);
}

TEST_CASE("an observer may enqueue what comes next") {
  struct chain final : enqueuer {
    void ended() noexcept override {
      if (--left > 0)
        target->fill({{left % 2, queue_kind::compute}, {}, this}, {});
      else
        finished.advance(1);
    }
    int left = 1000;
  } watch;
  const auto b = make_cpu({.devices = 2});
  watch.target = b.get();
  b->fill({{0, queue_kind::compute}, {}, &watch}, {});
  watch.finished.wait(1);
  CHECK(watch.left == 0);
}

TEST_CASE("sixty-four devices share the machine's threads") {
  const int threads = worker_pool::instance().threads();
  const auto b = make_cpu({.devices = 64});
  REQUIRE(b->devices().size() == 64);
  std::atomic<int> ran{0};
  std::vector<event> ends;
  for (int round = 0; round < 10; ++round)
    for (int d = 0; d < 64; ++d)
      ends.push_back(b->native({{d, queue_kind::compute}, {}, nullptr}, [&](native_context&) { ++ran; }));
  for (const event& e : ends) e.wait();
  CHECK(ran == 640);
  CHECK(worker_pool::instance().threads() == threads);
}

TEST_CASE("a queue with endless work lets the others run") {
  // Feeds its own queue until the late work on the last device has run.
  struct feeder final : enqueuer {
    void ended() noexcept override {
      ++fed;
      if (!*stop)
        target->fill({{device, queue_kind::compute}, {}, this}, {});
      else
        finished.advance(1);
    }
    std::atomic<bool>* stop = nullptr;
    int device = 0;
    int fed = 0;
  };
  std::atomic<bool> stop{false};
  std::array<feeder, 15> feeders;
  const auto b = make_cpu({.devices = 16});
  for (std::size_t d = 0; d < feeders.size(); ++d) {
    feeder& f = feeders[d];
    f.target = b.get();
    f.stop = &stop;
    f.device = static_cast<int>(d);
    b->fill({{f.device, queue_kind::compute}, {}, &f}, {});
  }
  b->native({{15, queue_kind::compute}, {}, nullptr}, [](native_context&) {}).wait();
  stop = true;
  for (feeder& f : feeders) {
    f.finished.wait(1);
    CHECK(f.fed > 0);
  }
}

TEST_CASE("queues that keep each other busy let the others run") {
  // Work on two devices in turn, each made ready by the other, until told to stop.
  struct rally final : enqueuer {
    void ended() noexcept override {
      if (stop->load()) return finished.advance(1);
      side = 1 - side;
      target->fill({{first + side, queue_kind::compute}, {}, this}, {});
    }
    std::atomic<bool>* stop = nullptr;
    int first = 0;
    int side = 0;
  };
  const int threads = worker_pool::instance().threads();
  std::atomic<bool> stop{false};
  std::vector<rally> rallies(static_cast<std::size_t>(threads) + 1);
  const auto b = make_cpu({.devices = 2 * threads + 3});
  for (std::size_t i = 0; i < rallies.size(); ++i) {
    rally& r = rallies[i];
    r.target = b.get();
    r.stop = &stop;
    r.first = 2 * static_cast<int>(i);
    b->fill({{r.first, queue_kind::compute}, {}, &r}, {});
  }
  const event late = b->fill({{2 * threads + 2, queue_kind::compute}, {}, nullptr}, {});
  late.wait();
  stop = true;
  for (rally& r : rallies) r.finished.wait(1);
  CHECK(late.done());
}

TEST_CASE("idle workers use no processor time") {
  const auto b = make_cpu({});
  b->fill({}, {}).wait();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto before = processor_time();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(processor_time() - before < std::chrono::milliseconds(20));
}

TEST_CASE("backends come and go without threads of their own") {
  const int threads = worker_pool::instance().threads();
  for (int i = 0; i < 2000; ++i) {
    const auto b = make_cpu({.devices = 1 + i % 3});
    if (i % 2 == 0) b->fill({}, {});
  }
  CHECK(worker_pool::instance().threads() == threads);
}

TEST_CASE("small blocks are used again and the budget is exact") {
  device_heap heap(7'000);
  std::byte* const a = heap.allocate(4000);
  REQUIRE(a != nullptr);
  std::byte* const b = heap.allocate(3000);
  REQUIRE(b != nullptr);
  CHECK(heap.allocate(1) == nullptr);
  heap.deallocate(a, 4000);
  CHECK(heap.used() == 3000);
  std::byte* const c = heap.allocate(4000);
  CHECK(c != nullptr);
  heap.deallocate(c, 4000);
  heap.deallocate(b, 3000);
  heap.deallocate(nullptr, 0);
  CHECK(heap.used() == 0);
}

TEST_CASE("large blocks are not backed until touched and lie between inaccessible pages") {
  constexpr std::int64_t bytes = std::int64_t{64} << 30;
  device_heap heap(bytes);
  std::byte* const data = heap.allocate(bytes);
  REQUIRE(data != nullptr);
  data[0] = data[bytes - 1] = std::byte{7};
  CHECK(data[bytes / 2] == std::byte{0});
  CHECK(data[bytes - 1] == std::byte{7});
  CHECK(readable(data));
  CHECK_FALSE(readable(data - 1));
  CHECK_FALSE(readable(data + bytes));
  heap.deallocate(data, bytes);
}
