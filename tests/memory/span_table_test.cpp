#include "tessera/memory/span_table.h"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace tessera;
using namespace tessera::memory;

namespace {

constexpr std::int64_t kib = 1024;

/// Two CPU devices of 64 KiB with pages of 4 KiB.
struct small_machine {
  std::unique_ptr<device::backend> backend = device::make_cpu({.devices = 2, .memory = 64 * kib});
  span_table spans{{{backend.get(), 0}, {backend.get(), 1}}};

  ~small_machine() {
    std::vector<array_id> ids;
    for (const auto& [id, entry] : spans.arrays()) ids.push_back(id);
    for (const array_id id : ids) release(id);
  }
  void declare(std::uint64_t id, std::int64_t elements) {
    spans.declare(array_id(id), {elements}, dtype_of<std::int32_t>());
  }
  void release(array_id id) {
    auto node = spans.take(id);
    REQUIRE(static_cast<bool>(node));
    spans.free(node.mapped());
  }
  copy_span& span(std::uint64_t id, std::int32_t device) {
    copy_span* const s = spans.span(array_id(id), device);
    REQUIRE(s != nullptr);
    return *s;
  }
};

}  // namespace

TEST_CASE("a copy has addresses before it has memory, one per device") {
  small_machine m;
  m.declare(1, 8 * kib);  // 32 KiB, eight pages
  copy_span& here = m.span(1, 0);
  copy_span& there = m.span(1, 1);
  CHECK(here.page == 4 * kib);
  CHECK(here.missing == 8);
  CHECK(here.data != nullptr);
  CHECK(there.data != nullptr);
  CHECK(here.data != there.data);
  CHECK(m.spans.pool(0).used == 0);
  CHECK(&m.span(1, 0) == &here);
}

TEST_CASE("only the pages of a box get memory, once") {
  small_machine m;
  m.declare(1, 8 * kib);
  copy_span& s = m.span(1, 0);
  const box middle({1500}, {2500});  // bytes 6000 to 10000: pages 1 and 2
  CHECK(m.spans.back(s, middle));
  CHECK(s.missing == 6);
  CHECK(s.backed == std::vector<bool>{false, true, true, false, false, false, false, false});
  CHECK(m.spans.pool(0).used == 8 * kib);
  CHECK(m.spans.back(s, middle));
  CHECK(m.spans.pool(0).used == 8 * kib);
  reinterpret_cast<std::int32_t*>(s.data)[2000] = 7;  // it is memory
  CHECK(m.spans.pool(1).used == 0);
}

TEST_CASE("an array of no more than a page gets its addresses with its memory, and costs its own bytes") {
  small_machine m;
  m.declare(1, 100);
  copy_span& s = m.span(1, 0);
  CHECK(s.data == nullptr);
  CHECK(m.spans.back(s, box({0}, {1})));
  CHECK(s.data != nullptr);
  CHECK(m.spans.pool(0).used == 400);
}

TEST_CASE("what does not fit is refused and what got memory before keeps it") {
  small_machine m;
  m.declare(1, 12 * kib);  // 48 KiB
  m.declare(2, 8 * kib);   // 32 KiB
  CHECK(m.spans.back(m.span(1, 0), box({0}, {12 * kib})));
  CHECK_FALSE(m.spans.back(m.span(2, 0), box({0}, {8 * kib})));
  CHECK(m.spans.pool(0).used == 64 * kib);
  CHECK(m.spans.pool(0).peak == 64 * kib);
  CHECK(m.span(2, 0).missing == 4);
  CHECK(m.spans.back(m.span(2, 1), box({0}, {8 * kib})));
  m.release(array_id(1));
  CHECK(m.spans.pool(0).used == 16 * kib);
  CHECK(m.spans.pool(0).peak == 64 * kib);
}

TEST_CASE("pages of a tracked device begin as its pages are, and lose their memory one by one") {
  small_machine m;
  m.declare(1, 4 * kib);
  copy_span& s = m.span(1, 0);
  CHECK(m.spans.back(s, box({0}, {2 * kib})));
  m.spans.track(0);
  REQUIRE(s.pages.size() == 4);
  CHECK(m.spans.pool(0).resident.size() == 2);
  CHECK(s.pages[1].resident);
  CHECK(s.pages[1].dirty);
  CHECK_FALSE(s.pages[2].resident);
  m.spans.unback(s.pages[0]);
  CHECK(m.spans.pool(0).used == 4 * kib);
  CHECK(m.spans.pool(0).resident == std::vector<tracked_page*>{&s.pages[1]});
  CHECK(m.spans.back_page(s, 0));
  m.spans.pool(0).count(4 * kib);
  m.spans.pool(0).add_resident(s.pages[0]);
  m.release(array_id(1));
  CHECK(m.spans.pool(0).used == 0);
  CHECK(m.spans.pool(0).resident.empty());
}

TEST_CASE("a box of a tracked span names the pages that hold it") {
  small_machine m;
  m.spans.track(0);
  m.declare(1, 4 * kib);
  std::vector<std::int64_t> begins;
  span_table::for_each_page(m.span(1, 0), box({1000}, {3 * kib}), [&](const tracked_page& b, auto, auto) {
    CHECK(b.bytes == 4 * kib);
    begins.push_back(b.begin);
  });
  CHECK(begins == std::vector<std::int64_t>{0, 4 * kib, 8 * kib});
}

TEST_CASE("memory of the caller is an array in the memory of the host alone") {
  small_machine m;
  std::vector<std::int32_t> mine(100);
  auto* const data = reinterpret_cast<std::byte*>(mine.data());
  m.spans.adopt(array_id(1), {100}, dtype_of<std::int32_t>(), data);
  m.declare(2, 100);
  CHECK(m.spans.host_address(array_id(1)) == data);
  CHECK(m.spans.host_address(array_id(2)) == nullptr);
  CHECK(m.spans.format(array_id(1)).bytes == 400);
  CHECK_THROWS_AS((void)m.spans.format(array_id(3)), std::out_of_range);
  CHECK_FALSE(static_cast<bool>(m.spans.take(array_id(3))));
}

TEST_CASE("a thirty-second of a device, or two pages, is small") {
  small_machine m;
  m.declare(1, 512);       // 2 KiB: a 32nd
  m.declare(2, 16 * kib);  // 64 KiB
  CHECK(m.spans.is_small(array_id(1), 0, box({0}, {512})));
  CHECK(m.spans.is_small(array_id(2), 0, box({1000}, {2 * kib})));        // pages 0 and 1
  CHECK_FALSE(m.spans.is_small(array_id(2), 0, box({1000}, {3 * kib})));  // three pages
}
