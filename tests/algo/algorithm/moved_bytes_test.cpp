// What each mechanism moves between devices, to the byte where docs/reference/algorithms.md says it so.
#include <algorithm>
#include <numeric>

#include "tests/algo/algorithm/support.h"

using namespace tessera::support;

namespace {

using ints = std::vector<int>;
constexpr std::int64_t part = std::int64_t{16} * 16384, n = 3 * part;

/// Three parts of whole chunks.
struct three_parts {
  ts::context ctx{calm("cpu*3")};

  [[nodiscard]] ts::vector<int> make(const ints& values) const {
    ts::vector<int> x(values, ctx);
    x.update_device();
    return x;
  }
  [[nodiscard]] ts::vector<int> counting() const {
    ts::vector<int> x(n, 0, ctx);
    ts::sequence(x);
    return x;
  }
  /// Of the second of two calls: kernels and what is kept for them come with the first one.
  template <class Body>
  std::int64_t between_devices(Body body) {
    body();
    movement during(ctx);
    body();
    return during.moved().device_to_device_bytes;
  }
};

}  // namespace

TEST_CASE("a reduction moves a summary per chunk at most") {
  three_parts on;
  const ts::vector<int> x = on.counting();
  const std::int64_t summaries = (n / 4096 + 3) * 4;
  CHECK(on.between_devices([&] { static_cast<void>(ts::reduce(x, ts::maximum()).get()); }) <= summaries);
  CHECK(on.between_devices([&] { static_cast<void>(ts::count_if(x, [](auto v) { return v > 7; }).get()); }) <=
        2 * summaries);
  CHECK(on.between_devices([&] { static_cast<void>(ts::min_element(x)); }) <= 4 * summaries);
}

TEST_CASE("differences of neighbours move one element over each border") {
  three_parts on;
  const ts::vector<int> x = on.counting();
  ts::vector<int> out(n, 0, on.ctx);
  ts::adjacent_difference(x, out);
  ts::fill(x, 3);
  movement during(on.ctx);
  ts::adjacent_difference(x, out);
  CHECK(during.moved().device_to_device_bytes == 2 * 4);
}

TEST_CASE("what is reversed, rotated or shifted moves where it changes its device") {
  three_parts on;
  const ts::vector<int> x = on.counting();
  ts::vector<int> out(n, 0, on.ctx);
  const auto moved = [&](const auto& call) {
    call();
    ts::fill(x, 3);
    movement during(on.ctx);
    call();
    return during.moved().device_to_device_bytes;
  };
  CHECK(moved([&] { ts::reverse_copy(x, out); }) == 2 * part * 4);
  CHECK(moved([&] { ts::rotate_copy(x, part, out); }) == n * 4);
  CHECK(moved([&] { ts::rotate_copy(x, 100, out); }) == 3 * 100 * 4);
  CHECK(moved([&] { ts::shift_copy(x, 100, out); }) == 2 * 100 * 4);
}

TEST_CASE("runs of equal elements move a key over each border, and reductions of them a summary per chunk") {
  three_parts on;
  ts::vector<int> keys = on.counting();
  ts::transform(keys, keys, [](auto k) { return k / 700; });
  const ts::vector<int> x = on.counting();
  const auto moved = [&](const auto& call) {
    call();
    ts::transform(keys, keys, [](auto k) { return k + 1; });
    movement during(on.ctx);
    call();
    return during.moved().device_to_device_bytes;
  };
  CHECK(moved([&] { static_cast<void>(ts::unique_copy(keys)); }) <= 2 * 4);
  CHECK(moved([&] { static_cast<void>(ts::unique_by_key_copy(keys, x)); }) <= 2 * 4);
  CHECK(moved([&] { static_cast<void>(ts::run_length_encode(keys)); }) <= 2 * 4 + n / 700 / 3);
  CHECK(moved([&] { static_cast<void>(ts::reduce_by_key(keys, x)); }) <= 4 * 4 + n / 4096 * 8 * 3);
}

TEST_CASE("a sort by key moves each key and each value once at most") {
  three_parts on;
  const ints a = numbers_below(n, 1 << 30);
  ts::vector<int> keys = on.make(a);
  ts::vector<double> values(n, 1.0, on.ctx);
  values.update_device();
  on.ctx.wait();
  movement during(on.ctx);
  ts::sort_by_key(keys, values);
  const std::int64_t moved = during.moved().device_to_device_bytes, planned = 3 * 100000;
  CHECK(moved <= n * (4 + 8) * 2 / 3 * 103 / 100 + planned);
  CHECK(moved >= n * (4 + 8) / 2);
}

TEST_CASE("a merge moves what does not lie where it is merged") {
  three_parts on;
  ts::vector<int> low = on.counting(), high = on.counting();
  ts::transform(high, high, [](auto v) { return v + static_cast<int>(n); });
  ts::vector<int> out(2 * n, 0, on.ctx);
  ts::merge(low, high, out);
  ts::fill(low.part(0, 1), 0);
  ts::fill(high.part(0, 1), static_cast<int>(n));
  movement during(on.ctx);
  ts::merge(low, high, out);
  // A third of each range is where it stays: the first device gets two parts of the first range, the last one two of
  // the second, and the middle the others.
  CHECK(during.moved().device_to_device_bytes <= 2 * n * 4 * 2 / 3 + 3 * 100000);
  // Ranges that lie where they are merged: of each, a part of all values.
  ts::vector<int> even = on.counting();
  ts::transform(even, even, [](auto v) { return 2 * v; });
  ts::merge(even, even, out);
  ts::fill(even.part(0, 1), 0);
  movement aligned(on.ctx);
  ts::merge(even, even, out);
  CHECK(aligned.moved().device_to_device_bytes <= n * 4 / 20 + 3 * 100000);
}
