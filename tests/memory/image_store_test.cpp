#include "tessera/memory/spill/image_store.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "tessera/base/error.h"

using namespace tessera;
using namespace tessera::memory;

namespace {

constexpr std::int64_t kib = 1024, page = 4 * kib;

/// One array of sixteen pages on a CPU device that is short of memory, and what is below it.
class world final : public listener {
 public:
  world(std::int64_t host, std::int64_t disk, const file_calls& system = file_calls::of_the_system())
      : images_(spans_, {host, "/tmp", disk, system}, counters) {
    images_.connect(this);
    spans_.track(0);
    spans_.declare(array_id(1), {16 * page}, dtype_of<std::uint8_t>());
  }
  ~world() {
    auto node = spans_.take(array_id(1));
    for (tracked_page& b : node.mapped().copies[0].pages) {
      for (const event& e : b.pending()) e.wait();
      images_.discard(b);
    }
    spans_.free(node.mapped());
  }
  image_store& images() { return images_; }

  /// Page `k` as a page that holds `value` everywhere.
  tracked_page& filled(std::size_t k, int value) {
    tracked_page& b = give_memory(k);
    std::fill_n(b.data(), b.bytes, static_cast<std::byte>(value));
    b.defined = b.dirty = true;
    return b;
  }
  tracked_page& give_memory(std::size_t k) {
    tracked_page& b = spans_.span(array_id(1), 0)->pages[k];
    if (b.resident) return b;
    REQUIRE(spans_.back_page(*b.home, static_cast<std::int64_t>(k)));
    spans_.pool(0).count(b.bytes);
    spans_.pool(0).add_resident(b);
    return b;
  }
  /// Evicts the contents, and frees the memory.
  void evict(tracked_page& b) {
    save(b);
    for (const event& e : b.pending()) e.wait();
    spans_.unback(b);
  }
  void save(tracked_page& b) {
    memory_lock held(mutex_);
    images_.save(b, {.number = 1, .position = 1, .pages = {}, .unclaimed = {}}, held);
  }
  bool returns(std::size_t k, int value) {
    tracked_page& b = give_memory(k);
    {
      memory_lock held(mutex_);
      images_.restore(b, held);
    }
    b.arrival.wait();
    return std::all_of(b.data(), b.data() + b.bytes, [&](std::byte x) { return x == static_cast<std::byte>(value); });
  }

  spill_counters counters;
  std::atomic<int> lost_pages{0}, movements{0};

 private:
  void wait_for_issued() override {}
  void lost(array_id, std::int32_t, const std::vector<box>&, const std::exception_ptr&) noexcept override {
    ++lost_pages;
  }
  void moved(const movement&, time_point, time_point) noexcept override { ++movements; }

  std::unique_ptr<device::backend> backend_ = device::make_cpu({.devices = 1, .memory = 16 * page});
  span_table spans_{{{backend_.get(), 0}}};
  memory_mutex mutex_;
  image_store images_;
};

}  // namespace

TEST_CASE("contents are what they were after they have been in host memory") {
  world w(4 * page, 4 * page);
  w.evict(w.filled(3, 7));
  CHECK(w.images().host().used() == page);
  CHECK(w.returns(3, 7));
  CHECK(w.counters.spilled_bytes == page);
  CHECK(w.counters.reloaded_bytes == page);
  CHECK(w.counters.disk_written_bytes == 0);
  CHECK(w.movements == 2);
  CHECK(w.lost_pages == 0);
}

TEST_CASE("when host memory is full contents go to the disk") {
  world w(2 * page, 4 * page);
  for (std::size_t k = 0; k < 4; ++k) w.evict(w.filled(k, static_cast<int>(k) + 1));
  CHECK(w.images().host().used() == 2 * page);
  CHECK(w.counters.disk_written_bytes == 2 * page);
  for (std::size_t k = 0; k < 4; ++k) CHECK(w.returns(k, static_cast<int>(k) + 1));
  CHECK(w.counters.disk_read_bytes == 2 * page);
}

TEST_CASE("without host memory and disk there is no room, and the contents stay") {
  world w(0, page);
  w.evict(w.filled(0, 1));
  tracked_page& second = w.filled(1, 2);
  CHECK_THROWS_AS(w.save(second), out_of_memory);
  CHECK(second.dirty);
  CHECK(second.resident);
  CHECK(second.below == nullptr);
  CHECK(second.data()[page - 1] == std::byte{2});
  CHECK(w.returns(0, 1));
}

TEST_CASE("an image that is out of date lends its host memory to the next one") {
  world w(page, 4 * page);
  tracked_page& first = w.filled(0, 1);
  w.evict(first);
  CHECK(w.returns(0, 1));
  std::byte* const host = first.below->host;
  w.filled(0, 2);  // the image does not hold that
  tracked_page& second = w.filled(1, 3);
  w.save(second);
  CHECK(second.below->host == host);
  CHECK(first.below == nullptr);
  CHECK(w.images().host().used() == page);
  CHECK(w.counters.disk_written_bytes == 0);
}

TEST_CASE("images of pages that their device holds make way for other host memory") {
  world w(2 * page, 4 * page);
  tracked_page& held = w.filled(0, 1);
  w.evict(held);
  CHECK(w.returns(0, 1));
  w.evict(w.filled(1, 2));
  CHECK_FALSE(w.images().host().has_room(page));
  CHECK(w.images().make_room(page));
  CHECK(held.below == nullptr);
  CHECK(held.dirty);                            // it has to be saved again before it is evicted
  CHECK_FALSE(w.images().make_room(2 * page));  // the other image is the only copy
  CHECK_FALSE(w.images().make_room(100 * page));
  CHECK(w.returns(1, 2));
}

TEST_CASE("messages take host memory that images cannot have") {
  world w(2 * page, 4 * page);
  const auto message = w.images().host().stage(2 * page);
  w.evict(w.filled(0, 1));
  CHECK(w.counters.disk_written_bytes == page);
  CHECK(w.images().describe().find("8192 of 8192 bytes, 8192 of them for messages") != std::string::npos);
  CHECK(w.returns(0, 1));
}

TEST_CASE("contents that cannot be written are known to be so, and contents that cannot be read are told as lost") {
  std::atomic<bool> failing{true};
  const file_calls real = file_calls::of_the_system();
  file_calls system = real;
  system.write = [&](int fd, const std::byte* data, std::int64_t bytes, std::int64_t offset) -> std::int64_t {
    return failing ? -EIO : real.write(fd, data, bytes, offset);
  };
  system.read = [&](int fd, std::byte* data, std::int64_t bytes, std::int64_t offset) -> std::int64_t {
    return failing ? -EIO : real.read(fd, data, bytes, offset);
  };
  world w(0, 4 * page, system);
  tracked_page& b = w.filled(0, 1);
  w.save(b);
  b.below->ready.wait();
  CHECK(b.below->failed);
  CHECK(b.below->reservation == 1);
  failing = false;
  w.images().discard(b);
  b.dirty = true;
  w.evict(b);
  failing = true;
  static_cast<void>(w.returns(0, 1));
  CHECK(w.lost_pages == 1);
}
