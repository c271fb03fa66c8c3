#include "tessera/memory/residency.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <thread>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

using namespace tessera;
using namespace tessera::memory;

namespace {

constexpr std::int64_t kib = 1024;

/// A memory manager over CPU devices whose every instruction is carried out by the test: it writes numbers into what it
/// reserved and compares what it reads with what was written before.
class world final : public listener {
 public:
  world(int devices, std::int64_t memory, std::int64_t host, const file_calls& system = file_calls::of_the_system())
      : backend_(device::make_cpu({.devices = devices, .memory = memory})),
        memory_(locals(devices), {host, "/tmp", std::int64_t{64} << 20, system}) {
    memory_.connect(*this);
  }

  void declare(std::uint64_t id, std::int64_t elements) {
    memory_.declare(array_id(id), {elements}, dtype_of<std::int32_t>());
  }
  void release(std::uint64_t id) { memory_.release(array_id(id)); }
  residency& memory() { return memory_; }

  /// Reserves the boxes, waits, and calls work(address of the first array, ...).
  void use(std::span<const memory::use> uses, const std::function<void()>& work) {
    std::vector<event> waits;
    memory_.reserve(++position_, uses, waits);
    for (const event& e : waits) e.wait();
    work();
    memory_.reserved_for({});
  }
  std::int32_t* data(std::uint64_t id, std::int32_t device) {
    return reinterpret_cast<std::int32_t*>(memory_.address(array_id(id), device));
  }

  [[nodiscard]] int lost_pages() const { return lost_; }

 private:
  std::vector<local_device> locals(int devices) const {
    std::vector<local_device> all;
    for (int d = 0; d < devices; ++d) all.push_back({backend_.get(), d});
    return all;
  }
  void wait_for_issued() override {}
  void lost(array_id, std::int32_t, const std::vector<box>&, const std::exception_ptr&) noexcept override { ++lost_; }
  void moved(const movement&, time_point, time_point) noexcept override {}

  std::atomic<int> lost_{0};
  std::unique_ptr<device::backend> backend_;
  residency memory_;
  std::uint64_t position_ = 0;
};

TEST_CASE("workspace counts as memory of the device until its work has ended") {
  world w(1, 64 * kib, 0);
  w.declare(1, 10 * kib);
  w.declare(2, 4 * kib);
  const box first({0}, {10 * kib}), second({0}, {4 * kib});
  const memory::use write_one{array_id(1), 0, &first, true}, one{array_id(1), 0, &first, false};
  const memory::use two{array_id(2), 0, &second, true};
  w.use({&write_one, 1}, [&] { w.data(1, 0)[7] = 70; });
  CHECK(w.memory().peak_bytes(0) == 40 * kib);
  std::vector<event> waits;
  host_timeline work;
  w.memory().reserve(100, {&two, 1}, waits, {0, 40 * kib});  // the first array has to make way for it
  w.memory().reserved_for({&work, 1});
  CHECK(w.memory().peak_bytes(0) <= 64 * kib);
  CHECK(w.memory().counters().evictions > 0);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    work.advance(1);
  });
  w.use({&one, 1}, [&] {
    CHECK(event{&work, 1}.done());  // there was no room before
    CHECK(w.data(1, 0)[7] == 70);
  });
  later.join();
  CHECK(w.memory().peak_bytes(0) <= 64 * kib);
}

TEST_CASE("workspace of an instruction that fails is free again") {
  world w(1, 64 * kib, 0);
  w.declare(1, 8 * kib);
  const box all({0}, {8 * kib});
  const memory::use one{array_id(1), 0, &all, true};
  for (int k = 1; k < 10; ++k) {
    std::vector<event> waits;
    w.memory().reserve(static_cast<std::uint64_t>(k), {&one, 1}, waits, {0, 30 * kib});
  }
  CHECK(w.memory().peak_bytes(0) == 62 * kib);
  CHECK(w.memory().counters().evictions == 0);
}

TEST_CASE("an array that will be released soon is waited for, and nothing is evicted for what comes next") {
  world w(1, 64 * kib, 256 * kib);
  const box all({0}, {6 * kib});  // of 64 KiB two fit
  host_timeline work;
  for (const std::uint64_t id : {1, 2, 3, 4, 5}) {
    w.declare(id, 6 * kib);
    const memory::use one{array_id(id), 0, &all, true};
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (id > 2) work.advance(id - 2);
    });
    std::vector<event> waits;
    w.memory().reserve(id, {&one, 1}, waits);
    CHECK((id <= 2 || event{&work, id - 2}.done()));
    w.memory().reserved_for({&work, id});
    w.memory().expect_release(array_id(id), {{&work, id}});
    later.join();
  }
  CHECK(w.memory().counters().evictions == 0);
  CHECK_FALSE(w.memory().wants_announcements());
  CHECK(w.memory().peak_bytes(0) <= 64 * kib);
  w.release(1);  // again, as when the last use of an array is noticed later
  work.advance(5);
}

TEST_CASE("releases to come that are not enough do not keep others from being evicted") {
  world w(1, 64 * kib, 256 * kib);
  const box small({0}, {kib}), large({0}, {12 * kib});
  host_timeline work;
  w.declare(1, kib);
  w.declare(2, 12 * kib);
  w.declare(3, 12 * kib);
  const memory::use one{array_id(1), 0, &small, true}, two{array_id(2), 0, &large, true};
  const memory::use three{array_id(3), 0, &large, true};
  w.use({&one, 1}, [] {});
  w.use({&two, 1}, [] {});
  w.memory().expect_release(array_id(1), {{&work, 1}});  // never
  w.use({&three, 1}, [] {});
  CHECK(w.memory().counters().evictions > 0);
  work.advance(1);
}

TEST_CASE("what leaves devices makes way for messages in host memory") {
  world w(1, 64 * kib, 64 * kib);
  w.declare(1, 12 * kib);
  w.declare(2, 12 * kib);
  const box all({0}, {12 * kib});
  const memory::use write_one{array_id(1), 0, &all, true}, one{array_id(1), 0, &all, false};
  const memory::use two{array_id(2), 0, &all, true};
  const auto message = w.memory().stage(60 * kib);
  w.use({&write_one, 1}, [&] { w.data(1, 0)[5] = 50; });
  w.use({&two, 1}, [&] { w.data(2, 0)[5] = 51; });
  w.use({&one, 1}, [&] { CHECK(w.data(1, 0)[5] == 50); });
  CHECK(w.memory().counters().disk_written_bytes > 0);  // though host memory would hold it but for the message
  CHECK(w.memory().describe().find(cat(60 * kib, " of them for messages")) != std::string::npos);
}

TEST_CASE("host memory that the program has borrowed counts until it is given back") {
  world w(1, 64 * kib, 64 * kib);
  w.declare(1, 12 * kib);
  w.declare(2, 12 * kib);
  const box all({0}, {12 * kib});
  const memory::use write_one{array_id(1), 0, &all, true}, two{array_id(2), 0, &all, true};
  const memory::use read_two{array_id(2), 0, &all, false};
  auto borrowed = w.memory().lend(60 * kib);
  CHECK(w.memory().describe().find(cat(60 * kib, " lent to the program")) != std::string::npos);
  w.use({&write_one, 1}, [&] { w.data(1, 0)[5] = 50; });
  w.use({&two, 1}, [&] { w.data(2, 0)[5] = 51; });
  CHECK(w.memory().counters().disk_written_bytes > 0);
  borrowed.reset();
  CHECK(w.memory().describe().find("lent") == std::string::npos);
  w.use({&write_one, 1}, [&] { w.data(1, 0)[5] = 52; });
  w.use({&read_two, 1}, [&] { CHECK(w.data(2, 0)[5] == 51); });
  CHECK(w.memory().counters().spilled_bytes > w.memory().counters().disk_written_bytes);  // host memory is used again
}

TEST_CASE("the program cannot borrow more host memory than there is for it") {
  const auto backend = device::make_cpu({.devices = 1, .memory = 64 * kib});
  spill_targets below;
  below.lendable = 100;
  below.spill_directory = "/tmp";
  residency memory({{backend.get(), 0}}, below);
  auto first = memory.lend(60);
  CHECK_THROWS_AS((void)memory.lend(41), out_of_memory);
  CHECK_THROWS_AS((void)memory.lend(std::numeric_limits<std::int64_t>::max()), out_of_memory);
  const auto second = memory.lend(40);
  first.reset();
  CHECK(memory.lend(60) != nullptr);
}

/// Uses arrays in so many random ways, at the smallest legal budget and with any amount of host memory.
void use_in_any_order(int wanted, const file_calls& system) {
  constexpr int arrays = 6, devices = 2;
  std::mt19937 random(11);
  const auto pick = [&](std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
  };
  int orders = 0;
  for (int round = 0; orders < wanted; ++round) {
    std::vector<std::int64_t> sizes;
    for (int a = 0; a < arrays; ++a) sizes.push_back(pick(1, 4000));
    std::vector<std::int64_t> sorted = sizes;
    std::sort(sorted.rbegin(), sorted.rend());
    const std::int64_t least = 4 * (sorted[0] + sorted[1]);  // the two arrays that one instruction uses
    world w(devices, least, round % 3 == 0 ? 0 : pick(1, 40) * kib, system);
    std::vector<std::vector<std::int32_t>> expected[devices];
    for (auto& on_device : expected)
      for (const std::int64_t n : sizes) on_device.emplace_back(static_cast<std::size_t>(n), -1);
    for (int a = 0; a < arrays; ++a) w.declare(static_cast<std::uint64_t>(a + 1), sizes[static_cast<std::size_t>(a)]);
    for (int k = 0; k < 100; ++k, ++orders) {
      const auto d = static_cast<std::int32_t>(pick(0, devices - 1));
      const auto a = static_cast<std::size_t>(pick(0, arrays - 1)), b = static_cast<std::size_t>(pick(0, arrays - 1));
      const std::int64_t lo = pick(0, sizes[a] - 1), hi = pick(lo + 1, sizes[a]);
      const box written({lo}, {hi}), read = box::whole({sizes[b]});
      std::vector<memory::use> uses{{array_id(a + 1), d, &written, true}, {array_id(b + 1), d, &read, false}};
      if (expected[d][b].front() == -1 && expected[d][b].back() == -1) uses.pop_back();
      w.use(uses, [&] {
        auto& mine = expected[d][a];
        std::int32_t* const to = w.data(a + 1, d);
        if (uses.size() > 1) {
          const std::int32_t* const from = w.data(b + 1, d);
          for (std::size_t i = 0; i < expected[d][b].size(); ++i)
            if (expected[d][b][i] != -1 && from[i] != expected[d][b][i])
              FAIL("element ", i, " of array ", b, " was lost");
        }
        for (std::int64_t i = lo; i < hi; ++i)
          to[i] = mine[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(1000 * k + i);
      });
      for (int m = 0; m < devices; ++m) CHECK(w.memory().peak_bytes(m) <= least);
    }
  }
}

}  // namespace

TEST_CASE("any order of reservations at the smallest legal budget keeps every byte") {
  use_in_any_order(50'000, file_calls::of_the_system());
}

TEST_CASE("contents that change on their way from host memory to the disk are not lost") {
  constexpr std::int64_t page = 1024;  // elements: 4 KiB
  const box all = box::whole({page});
  for (int late = 0; late < 40; ++late) {
    CAPTURE(late);
    file_calls slow = file_calls::of_the_system();
    std::atomic<int> writes{0};
    slow.write = [&, plain = slow.write](int fd, const std::byte* data, std::int64_t bytes, std::int64_t offset) {
      if (writes++ == late) std::this_thread::sleep_for(std::chrono::milliseconds(15));
      return plain(fd, data, bytes, offset);
    };
    world w(1, 16 * kib, 8 * kib, slow);  // four arrays on the device, two in host memory
    std::vector<std::int32_t> expected(9);
    for (std::uint64_t id = 1; id <= 8; ++id) w.declare(id, page);
    std::mt19937 random(static_cast<unsigned>(late));
    for (int k = 0; k < 120; ++k) {
      const std::uint64_t id = 1 + random() % 8;
      const memory::use uses[]{{array_id(id), 0, &all, false}, {array_id(id), 0, &all, true}};
      w.use(uses, [&] {
        if (expected[id] != 0) REQUIRE(w.data(id, 0)[page - 1] == expected[id]);
        std::fill_n(w.data(id, 0), page, expected[id] = k + 1);
      });
    }
  }
}

TEST_CASE("a disk that takes its time changes nothing") {
  file_calls slow = file_calls::of_the_system();
  std::atomic<unsigned> writes{0};
  slow.write = [&, plain = slow.write](int fd, const std::byte* data, std::int64_t bytes, std::int64_t offset) {
    std::this_thread::sleep_for(std::chrono::microseconds(writes++ * 7919 % 3000));
    return plain(fd, data, bytes, offset);
  };
  use_in_any_order(3'000, slow);
}

TEST_CASE("what is wanted at once and never fits is refused with every memory's size") {
  world w(1, 16 * kib, 4 * kib);
  w.declare(1, 3000);
  w.declare(2, 3000);
  const box all = box::whole({3000});
  const std::vector<memory::use> both{{array_id(1), 0, &all, true}, {array_id(2), 0, &all, true}};
  try {
    w.use(both, [] {});
    FAIL("no error");
  } catch (const out_of_memory& e) {
    const std::string text = e.what();
    for (const char* part : {"cpu:0", "16384", "host memory", "disk", "array 1", "array 2"})
      CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  }
  w.use(std::span(both).first(1), [] {});  // the other one is still possible
}

TEST_CASE("a write that fails keeps the data where it is, and a read that fails loses only its page") {
  const file_calls real = file_calls::of_the_system();
  std::atomic<bool> failing{false};
  file_calls system = real;
  system.write = [&](int fd, const std::byte* data, std::int64_t bytes, std::int64_t offset) -> std::int64_t {
    return failing ? -EIO : real.write(fd, data, bytes, offset);
  };
  system.read = [&](int fd, std::byte* data, std::int64_t bytes, std::int64_t offset) -> std::int64_t {
    return failing ? -EIO : real.read(fd, data, bytes, offset);
  };
  world w(1, 16 * kib, 0, system);
  const box all = box::whole({3000});
  for (std::uint64_t id = 1; id <= 3; ++id) w.declare(id, 3000);
  const auto fill = [&](std::uint64_t id) {
    const std::vector<memory::use> one{{array_id(id), 0, &all, true}};
    w.use(one, [&] { std::fill_n(w.data(id, 0), 3000, static_cast<std::int32_t>(id)); });
  };
  const auto holds = [&](std::uint64_t id) {
    bool right = true;
    const std::vector<memory::use> one{{array_id(id), 0, &all, false}};
    w.use(one, [&] {
      for (int i = 0; i < 3000; ++i) right = right && w.data(id, 0)[i] == static_cast<std::int32_t>(id);
    });
    return right;
  };
  fill(1);
  failing = true;
  CHECK_THROWS_AS(fill(2), io_error);  // the first cannot be evicted
  failing = false;
  CHECK(holds(1));
  fill(2);
  CHECK(holds(1));
  CHECK(w.lost_pages() == 0);
  CHECK(holds(2));
  failing = true;
  try {
    (void)holds(1);  // it cannot come back; the second could be evicted because it was written before
  } catch (const io_error&) {
  }
  failing = false;
  CHECK(holds(2));
}

TEST_CASE("what is not wanted any more leaves host memory for the disk when something else could use the room") {
  constexpr std::int64_t page = 1024;  // elements: 4 KiB
  world w(1, 64 * kib, 64 * kib);
  w.declare(1, 16 * page);
  w.declare(2, 24 * page);
  const auto touch_all = [&](std::uint64_t id, std::int64_t pages, std::int32_t add) {
    for (std::int64_t k = 0; k < pages; ++k) {
      const box bounds({k * page}, {(k + 1) * page});
      const std::vector<memory::use> uses{{array_id(id), 0, &bounds, false}, {array_id(id), 0, &bounds, true}};
      w.use(uses, [&] {
        for (std::int64_t i = k * page; i < (k + 1) * page; ++i) {
          std::int32_t& x = w.data(id, 0)[i];
          x = add == 0 ? static_cast<std::int32_t>(i) : x + add;
        }
      });
    }
  };
  touch_all(1, 16, 0);  // in the way from now on
  touch_all(2, 24, 0);
  for (int pass = 0; pass < 10; ++pass) touch_all(2, 24, 1);
  const std::int64_t before = w.memory().counters().disk_read_bytes;
  for (int pass = 0; pass < 4; ++pass) touch_all(2, 24, 1);
  CHECK(w.memory().counters().disk_read_bytes == before);
  bool right = true;
  for (const auto& [id, pages, added] : {std::tuple{1, 16, 0}, std::tuple{2, 24, 14}})
    for (std::int64_t k = 0; k < pages; ++k) {
      const box bounds({k * page}, {(k + 1) * page});
      const memory::use use{array_id(static_cast<std::uint64_t>(id)), 0, &bounds, false};
      w.use({&use, 1}, [&, id = id, added = added] {
        for (std::int64_t i = k * page; i < (k + 1) * page; ++i)
          right = right && w.data(static_cast<std::uint64_t>(id), 0)[i] == i + added;
      });
    }
  CHECK(right);
  CHECK(w.lost_pages() == 0);
}
