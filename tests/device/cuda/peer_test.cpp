// Ways between devices. One GPU is enough: its logical devices stand for two.
#include "tests/device/backend_suite_support.h"

namespace tessera::device {
namespace {

template <bool Peers>
struct two {
  static constexpr int devices = 2;
  static std::unique_ptr<backend> make(const cpu_options& options) {
    return make_cuda({.gpus = {0, 0}, .memory = options.memory, .peers = Peers});
  }
};

constexpr std::int64_t mib = 1 << 20;

/// Copies a box of an array on device 0 to one of another shape on device 1, and checks all of it.
template <class World>
void check_copy(const extents& shape, const extents& lo, const extents& count) {
  suite::bench<World> t({.memory = 512 * mib});
  const extents from = dense_strides(shape, 4);
  std::vector<std::int32_t> values(static_cast<std::size_t>(suite::volume(shape)));
  std::iota(values.begin(), values.end(), 7);
  std::vector<std::int32_t> expected(static_cast<std::size_t>(suite::volume(count)), -1);
  std::byte* const source = t.upload(0, values);
  std::byte* const target = t.upload(1, expected);
  t.b.copy(t.on(1, queue_kind::copy_in),
           {{target, dense_strides(count, 4)}, {source + suite::offset(from, lo), from}, count, 4})
      .wait();
  std::size_t i = 0;
  suite::for_each_point(count, [&](const extents& x) {
    const std::int64_t at = (suite::offset(from, lo) + suite::offset(from, x)) / 4;
    expected[i++] = values[static_cast<std::size_t>(at)];
  });
  CHECK(t.template download<std::int32_t>(1, target, expected.size()) == expected);
}

TEST_CASE_TEMPLATE("boxes of any size and shape arrive, whichever way they take", World, two<true>, two<false>) {
  check_copy<World>({10}, {3}, {1});
  check_copy<World>({3000}, {5}, {2500});
  check_copy<World>({9 << 20}, {1}, {(8 << 20) + 3});                // several blocks
  check_copy<World>({100, 70}, {7, 3}, {50, 33});                    // short rows
  check_copy<World>({2000, 3000}, {10, 100}, {1900, 2800});          // rows, several blocks
  check_copy<World>({37, 311, 1033}, {3, 20, 100}, {30, 250, 900});  // planes
}

TEST_CASE("devices of one GPU are the same, unless the host is wanted between them") {
  const auto direct = make_cuda({.gpus = {0, 0}}), apart = make_cuda({.gpus = {0, 0}, .peers = false});
  CHECK(direct->link(0, 1) == device_link::same);
  CHECK(apart->link(0, 1) == device_link::host);
  CHECK(apart->link(1, 0) == device_link::host);
  CHECK(apart->link(1, 1) == device_link::same);
}

TEST_CASE("copies through the host keep the order of their queues, both ways at once") {
  suite::bench<two<false>> t({.memory = 512 * mib});
  constexpr std::size_t n = 6 << 20;
  std::byte* const a = t.upload(0, std::vector<std::int32_t>(n, 1));
  std::byte* const b = t.upload(1, std::vector<std::int32_t>(n, 2));
  std::byte* const a_copy = t.upload(1, std::vector<std::int32_t>(n, 0));
  std::byte* const b_copy = t.upload(0, std::vector<std::int32_t>(n, 0));
  const extents count{static_cast<std::int64_t>(n)};
  for (int round = 0; round < 20; ++round) {
    const event there = t.b.copy(t.on(1, queue_kind::copy_in), {{a_copy, {4}}, {a, {4}}, count, 4});
    const event back = t.b.copy(t.on(0, queue_kind::copy_in), {{b_copy, {4}}, {b, {4}}, count, 4});
    const std::array<event, 2> both{there, back};
    // a and b change places by way of their copies.
    const event first = t.b.copy({{0, queue_kind::compute}, both, nullptr}, {{a, {4}}, {b_copy, {4}}, count, 4});
    const event second = t.b.copy({{1, queue_kind::compute}, both, nullptr}, {{b, {4}}, {a_copy, {4}}, count, 4});
    first.wait();
    second.wait();
  }
  CHECK(t.download<std::int32_t>(0, a, n) == std::vector<std::int32_t>(n, 1));
  CHECK(t.download<std::int32_t>(1, b, n) == std::vector<std::int32_t>(n, 2));
}

}  // namespace
}  // namespace tessera::device
