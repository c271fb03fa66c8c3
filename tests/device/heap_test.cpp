#include "tessera/device/host/heap.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

#include "tessera/device/host/sanitizer.h"
#include "tessera/device/host/touch.h"

using tessera::device::device_heap;

namespace {

constexpr std::int64_t mib = 1 << 20;

}  // namespace

TEST_CASE("memory that was freed is taken again by the next allocation of its size, with what stood there") {
  if (tessera::device::address_sanitizer) return;
  device_heap heap(512 * mib);
  for (const std::int64_t bytes : {mib, 3 * mib, 40 * mib}) {
    std::byte* const first = heap.allocate(bytes);
    REQUIRE(first != nullptr);
    REQUIRE(heap.back(first, 0, bytes));
    std::memset(first, 7, static_cast<std::size_t>(bytes));
    heap.deallocate(first, bytes);
    CHECK(heap.used() == 0);
    std::byte* const second = heap.allocate(bytes);
    CHECK(second == first);
    REQUIRE(heap.back(second, 0, bytes));
    CHECK(heap.used() == bytes);
    CHECK(second[bytes - 1] == std::byte{7});
    std::byte* const other = heap.allocate(bytes + 8192);
    CHECK(other != first);
    heap.deallocate(other, bytes + 8192);
    heap.deallocate(second, bytes);
  }
  CHECK(heap.used() == 0);
}

TEST_CASE("memory that is kept is given up when room is wanted") {
  device_heap heap(64 * mib);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::byte*> small;
    for (int i = 0; i < 8; ++i) {
      small.push_back(heap.allocate(mib));
      REQUIRE(small.back() != nullptr);
      std::memset(small.back(), round, mib);
    }
    for (std::byte* p : small) heap.deallocate(p, mib);
    std::byte* const all = heap.allocate(64 * mib);
    REQUIRE(all != nullptr);
    CHECK(heap.back(all, 0, 64 * mib));
    CHECK(heap.used() == 64 * mib);
    CHECK(heap.allocate(mib) == nullptr);
    heap.deallocate(all, 64 * mib);
  }
}

TEST_CASE("pages of a span that was kept count when they are backed, and not before") {
  device_heap heap(512 * mib);
  const std::int64_t bytes = 24 * mib, page = heap.page_bytes(bytes);
  std::byte* span = heap.allocate(bytes);
  REQUIRE(heap.back(span, 0, bytes));
  heap.deallocate(span, bytes);
  span = heap.allocate(bytes);
  CHECK(heap.used() == 0);
  REQUIRE(heap.back(span, page, 2 * page));
  CHECK(heap.used() == page);
  heap.unback(span, page, 2 * page);
  CHECK(heap.used() == 0);
  REQUIRE(heap.back(span, 0, bytes));
  std::memset(span, 1, static_cast<std::size_t>(bytes));
  CHECK(heap.used() == bytes);
  heap.deallocate(span, bytes);
  CHECK(heap.used() == 0);
}

TEST_CASE("random allocations never exceed the budget, nor share memory") {
  device_heap heap(32 * mib);
  std::mt19937 random(3);
  struct block {
    std::byte* data;
    std::int64_t bytes;
    unsigned char mark;
  };
  std::vector<block> live;
  for (int step = 0; step < 3000; ++step) {
    if (live.size() > 6 || (!live.empty() && random() % 2 == 0)) {
      const std::size_t i = random() % live.size();
      const block b = live[i];
      bool intact = true;
      for (std::int64_t at = 0; at < b.bytes; at += 4096) intact = intact && b.data[at] == std::byte{b.mark};
      REQUIRE(intact);
      heap.deallocate(b.data, b.bytes);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    constexpr std::int64_t sizes[] = {1000, 300 << 10, 600 << 10, mib, 3 * mib, 5 * mib, 9 * mib};
    const std::int64_t bytes = sizes[random() % 7];
    std::byte* const data = heap.allocate(bytes);
    if (data == nullptr) continue;
    if (!heap.back(data, 0, bytes)) {
      heap.deallocate(data, bytes);
      continue;
    }
    CHECK(heap.used() <= heap.budget());
    const auto mark = static_cast<unsigned char>(random());
    std::memset(data, mark, static_cast<std::size_t>(bytes));
    live.push_back({data, bytes, mark});
  }
  for (const block& b : live) heap.deallocate(b.data, b.bytes);
  CHECK(heap.used() == 0);
}

TEST_CASE("touching pages leaves their contents, and bytes that are no whole page, alone") {
  std::vector<std::byte> memory(9 * mib + 123, std::byte{5});
  const std::span<std::byte> inner = std::span(memory).subspan(1, memory.size() - 2);
  tessera::device::ask_for_huge_pages(inner);
  tessera::device::touch_pages(inner);
  tessera::device::touch_pages(inner.first(10));
  tessera::device::touch_pages({});
  CHECK(memory == std::vector<std::byte>(memory.size(), std::byte{5}));
}
