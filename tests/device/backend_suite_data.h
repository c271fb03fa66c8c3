#pragma once

#include "tests/device/backend_suite_support.h"

/// The part of the backend suite about memory and its contents.
namespace tessera::device::suite {

TEST_CASE_TEMPLATE_DEFINE("devices have names, cores and memory", World, names_devices) {
  bench<World> t({.cores = 5, .memory = 1 << 20});
  REQUIRE(t.b.devices().size() == World::devices);
  int cores = 0;
  for (std::size_t d = 0; d < World::devices; ++d) {
    CHECK(t.b.devices()[d].name == t.b.name() + ':' + std::to_string(d));
    CHECK(t.b.devices()[d].memory == 1 << 20);
    cores += t.b.devices()[d].cores;
  }
  CHECK(cores == 5);
}

TEST_CASE_TEMPLATE_DEFINE("memory is aligned and running out of it is a value", World, runs_out_of_memory) {
  bench<World> t({.memory = 3 << 20});
  const auto take = [&](std::int64_t bytes) -> std::byte* {
    std::byte* const data = t.b.allocate(0, bytes);
    if (data == nullptr || t.b.back(0, data, 0, bytes)) return data;
    t.b.deallocate(0, data, bytes);
    return nullptr;
  };
  std::vector<std::pair<std::byte*, std::int64_t>> held;
  for (std::int64_t bytes : {0, 1, 255, 256, 257, 5000, 100'000, 262'143, 262'144, 1'000'000}) {
    held.emplace_back(take(bytes), bytes);
    REQUIRE(held.back().first != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(held.back().first) % 256 == 0);
  }
  CHECK(take(3 << 20) == nullptr);
  CHECK(take(std::int64_t{1} << 62) == nullptr);
  for (auto [data, bytes] : held) t.b.deallocate(0, data, bytes);
  std::byte* const all = take(3 << 20);
  CHECK(all != nullptr);
  CHECK(take(1) == nullptr);
  t.b.deallocate(0, all, 3 << 20);
}

TEST_CASE_TEMPLATE_DEFINE("memory that is taken away serves others, and comes back empty", World, takes_pages_back) {
  constexpr std::int64_t bytes = 8 << 20;
  bench<World> t({.memory = bytes});
  std::byte* const first = t.b.allocate(0, bytes);
  std::byte* const second = t.b.allocate(0, bytes);
  REQUIRE(first != nullptr);
  REQUIRE(second != nullptr);
  const std::int64_t page = t.b.page_bytes(0, bytes);
  REQUIRE(page < bytes);
  REQUIRE(t.b.back(0, first, 0, bytes));
  t.b.fill(t.on(0), {{first, {1}}, {bytes}, {std::byte{7}}}).wait();
  CHECK_FALSE(t.b.back(0, second, 0, page));
  t.b.unback(0, first, page, 3 * page);
  CHECK(t.b.back(0, second, bytes - page, bytes));
  CHECK(t.b.back(0, second, 0, page));
  CHECK_FALSE(t.b.back(0, first, page, 2 * page));
  if (World::computes) {
    CHECK(t.template download<std::uint8_t>(0, first, 1).front() == 7);
    CHECK(t.template download<std::uint8_t>(0, first + 3 * page, 1).front() == 7);
  }
  t.b.deallocate(0, first, bytes);
  t.b.deallocate(0, second, bytes);
}

TEST_CASE_TEMPLATE_DEFINE("boxes of one to four axes are copied between any strides", World, copies_boxes) {
  bench<World> t;
  std::mt19937 random(7);
  const auto pick = [&](std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
  };
  for (int round = 0; round < 60; ++round) {
    const int rank = 1 + round % 4;
    const std::int64_t element = std::array{1, 2, 4, 8, 16, 12}[static_cast<std::size_t>(pick(0, 5))];
    extents from_shape = extents::uniform(rank, 0), to_shape = from_shape, count = from_shape, lo = from_shape;
    for (int a = 0; a < rank; ++a) {
      count[a] = pick(0, 6);
      lo[a] = pick(0, 2);
      from_shape[a] = count[a] + lo[a] + pick(0, 2);
      to_shape[a] = count[a] + lo[a] + pick(0, 2);
    }
    const extents from = dense_strides(from_shape, element), to = dense_strides(to_shape, element);
    std::vector<std::uint8_t> source(static_cast<std::size_t>(volume(from_shape) * element));
    std::vector<std::uint8_t> target(static_cast<std::size_t>(volume(to_shape) * element), 0xee);
    for (auto& x : source) x = static_cast<std::uint8_t>(random());
    const int from_device = round, to_device = round / 2;
    std::byte* const s = t.upload(from_device, source);
    std::byte* const d = t.upload(to_device, target);

    t.b.copy(t.on(to_device, queue_kind::copy_in),
             {{d + offset(to, lo), to}, {s + offset(from, lo), from}, count, element})
        .wait();

    for_each_point(count, [&](const extents& x) {
      std::memcpy(&target[static_cast<std::size_t>(offset(to, lo) + offset(to, x))],
                  &source[static_cast<std::size_t>(offset(from, lo) + offset(from, x))],
                  static_cast<std::size_t>(element));
    });
    if (World::computes) CHECK(t.template download<std::uint8_t>(to_device, d, target.size()) == target);
    t.b.deallocate(from_device % World::devices, s, static_cast<std::int64_t>(source.size()));
    t.b.deallocate(to_device % World::devices, d, static_cast<std::int64_t>(target.size()));
  }
}

TEST_CASE_TEMPLATE_DEFINE("a fill sets every element of its box and nothing else", World, fills_boxes) {
  bench<World> t;
  struct triple {
    std::uint8_t a, b, c;
    bool operator==(const triple&) const = default;
  };
  const auto check = [&]<class T>(T outside, T inside) {
    const extents shape{5, 7}, strides = dense_strides(shape, sizeof(T));
    std::vector<T> expected(35, outside);
    std::byte* const data = t.upload(1, expected);
    for (const extents& count : {extents{3, 4}, extents{2, 7}}) {
      const extents lo{2, 7 - count[1]};
      t.b.fill(t.on(1), {{data + offset(strides, lo), strides}, count, bytes_of(inside)}).wait();
      for_each_point(count, [&](const extents& x) {
        expected[static_cast<std::size_t>((x[0] + lo[0]) * 7 + x[1] + lo[1])] = inside;
      });
    }
    if (World::computes) CHECK(t.template download<T>(1, data, expected.size()) == expected);
    t.b.deallocate(1 % World::devices, data, static_cast<std::int64_t>(35 * sizeof(T)));
  };
  check(std::uint8_t{1}, std::uint8_t{200});
  check(std::uint16_t{1}, std::uint16_t{0x1234});
  check(1.0f, 0.0f);
  check(1.0, 2.5);
  check(triple{1, 2, 3}, triple{7, 8, 9});
  check(std::complex<double>{1, 2}, std::complex<double>{3, 4});
}

TEST_CASE_TEMPLATE_DEFINE("a fold combines with each operation or overwrites", World, folds) {
  bench<World> t;
  const extents strides{6 * 4, 4};
  std::vector<std::int32_t> a(24), c(24);
  for (std::size_t i = 0; i < 24; ++i)
    a[i] = static_cast<std::int32_t>(i * 5 % 17), c[i] = static_cast<std::int32_t>(i * 3 % 11);
  for (int code = 0; code < 8; ++code) {
    const bool overwrite = code == 7;
    const auto op = static_cast<reduce_op>(code % 7);
    for (const extents& count : {extents{4, 6}, extents{3, 2}}) {
      std::byte* const target = t.upload(0, a);
      std::byte* const source = t.upload(1, c);
      t.b.fold(t.on(0), {{target, strides}, {source, strides}, count, dtype_of<std::int32_t>(), op, overwrite}).wait();
      std::vector<std::int32_t> expected = a;
      for_each_point(count, [&](const extents& x) {
        const auto i = static_cast<std::size_t>(x[0] * 6 + x[1]);
        if (overwrite)
          expected[i] = c[i];
        else
          combine(op, dtype_of<std::int32_t>(), reinterpret_cast<std::byte*>(&expected[i]),
                  reinterpret_cast<const std::byte*>(&c[i]), 1);
      });
      if (World::computes) CHECK(t.template download<std::int32_t>(0, target, 24) == expected);
      t.b.deallocate(0, target, 96);
      t.b.deallocate(1 % World::devices, source, 96);
    }
  }
}

}  // namespace tessera::device::suite
