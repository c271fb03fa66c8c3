#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/algo/container/support.h"

using namespace tessera::support;

TS_DEVICE(
    struct extremes {
      int least, most;
      long long count;
    };
    extremes joined(extremes a, extremes b) {
      return {a.least < b.least ? a.least : b.least, a.most < b.most ? b.most : a.most, a.count + b.count};
    } extremes single(int x) {
      return {x, x, 1};
    })

namespace {

const char* const device_lists[] = {"cpu", "cpu*3", "cpu*7"};

std::vector<float> floats(std::int64_t n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  std::uint32_t state = 12345;
  for (float& v : values) {
    state = state * 1664525 + 1013904223;
    v = static_cast<float>(state >> 8) / 16777216.0f - 0.3f;
  }
  return values;
}

/// The order of sums that the library promises (exec/fold_text.h), written down once more.
float fold_piece(const float* x, std::int64_t count) {
  std::vector<float> lanes;
  for (std::int64_t i = 0; i < count; ++i)
    if (i < 128)
      lanes.push_back(x[i]);
    else
      lanes[static_cast<std::size_t>(i % 128)] += x[i];
  for (std::size_t half = 64; half > 0; half /= 2)
    for (std::size_t l = 0; l < half && l + half < lanes.size(); ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}
float fold(const std::vector<float>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::int64_t length = 4096;
  while ((n + length - 1) / length > 4096) length *= 2;
  std::vector<float> parts;
  for (std::int64_t first = 0; first < n; first += length) {
    float total = 0;
    for (std::int64_t at = first; at < std::min(n, first + length); at += 4096) {
      const float piece = fold_piece(x.data() + at, std::min<std::int64_t>(4096, n - at));
      total = at == first ? piece : total + piece;
    }
    parts.push_back(total);
  }
  return parts.size() == 1 ? parts[0] : fold_piece(parts.data(), static_cast<std::int64_t>(parts.size()));
}

}  // namespace

TEST_CASE("a sum has the bits of the promised order on any number of devices") {
  for (const char* devices : device_lists) {
    ts::context ctx(quiet(devices));
    for (const std::int64_t n : {1, 5, 127, 128, 129, 4095, 4096, 4097, 100'003}) {
      const std::vector<float> a = floats(n);
      ts::vector<float> x(a, ctx);
      CHECK(ts::reduce(x).get() == fold(a));
      CHECK(ts::reduce(x, ts::maximum()).get() == *std::max_element(a.begin(), a.end()));
      CHECK(ts::reduce<double>(x).get() == doctest::Approx(std::accumulate(a.begin(), a.end(), 0.0)));
    }
  }
}

TEST_CASE("a function is applied while elements are combined, and nothing is stored") {
  for (const char* devices : device_lists) {
    ts::context ctx(quiet(devices));
    const std::int64_t n = 20'011;
    const std::vector<float> a = floats(n), b = floats(n + 7);
    ts::vector<float> x(a, ctx), y(b, ctx);
    std::vector<float> products;
    for (std::size_t k = 0; k < a.size(); ++k) products.push_back(a[k] * b[k]);
    CHECK(ts::map_reduce(ts::multiplies(), ts::plus())(x, y.part(0, n)).get() == fold(products));
    CHECK(ts::map_reduce([](auto u, auto k) { return ts::select(u > 0.5f, k, 0); }, ts::maximum())(
              x, ts::counting(0, 20'011))
              .get() > 0);
    std::vector<int> numbers;
    for (int k = 0; k < 5000; ++k) numbers.push_back(k * 7919 % 5003 - 100);
    ts::vector<int> v(numbers, ctx);
    auto both = ts::map_reduce(ts::algo::named_function<single>(), ts::algo::named_function<joined>());
    const extremes found = both(v).get();
    CHECK(found.least == *std::min_element(numbers.begin(), numbers.end()));
    CHECK(found.most == *std::max_element(numbers.begin(), numbers.end()));
    CHECK(found.count == 5000);
  }
}

TEST_CASE("rows and columns of matrices are combined") {
  for (const char* devices : device_lists) {
    ts::context ctx(quiet(devices));
    for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 300}, {300, 1}, {131, 77}, {5, 4100}, {200, 60}}) {
      std::vector<int> contents;
      for (int k = 0; k < rows * columns; ++k) contents.push_back(k * 31 % 1009);
      ts::matrix<int> m(rows, columns, contents, ctx);
      std::vector<int> by_row(static_cast<std::size_t>(rows)), by_column(static_cast<std::size_t>(columns));
      for (std::size_t k = 0; k < contents.size(); ++k) {
        by_row[k / static_cast<std::size_t>(columns)] += contents[k];
        by_column[k % static_cast<std::size_t>(columns)] += contents[k];
      }
      CHECK(ts::reduce_rows(m).to_host() == by_row);
      CHECK(ts::reduce_columns(m, ts::plus()).to_host() == by_column);
    }
    ts::matrix<int> m(9, 8, 1, ctx);
    CHECK(ts::reduce(m.box(1, 4, 2, 7)).get() == 15);
  }
}

TEST_CASE("a reduction of nothing is the identity, or an error where there is none") {
  ts::context ctx(quiet("cpu*2"));
  ts::vector<int> none(0, ctx);
  CHECK(ts::reduce(none).get() == 0);
  CHECK(ts::reduce(none, ts::minimum()).get() == std::numeric_limits<int>::max());
  CHECK_THROWS_AS(static_cast<void>(ts::reduce(none, [](auto a, auto b) { return a + b; })), ts::argument_error);
}

TEST_CASE("scans keep their order on any number of devices, also in place") {
  for (const char* devices : device_lists) {
    ts::context ctx(quiet(devices));
    for (const std::int64_t n : {0, 1, 15, 4095, 4096, 4097, 20'000}) {
      std::vector<int> contents;
      for (int k = 0; k < n; ++k) contents.push_back(k * 7919 % 1009 - 500);
      ts::vector<int> v(contents, ctx);
      std::vector<int> inclusive(contents.size()), exclusive(contents.size());
      std::inclusive_scan(contents.begin(), contents.end(), inclusive.begin());
      std::exclusive_scan(contents.begin(), contents.end(), exclusive.begin(), 10);
      CHECK(ts::inclusive_scan(v).to_host() == inclusive);
      CHECK(ts::exclusive_scan(v, 10).to_host() == exclusive);
      std::inclusive_scan(contents.begin(), contents.end(), inclusive.begin(),
                          [](int a, int b) { return std::max(a, b); });
      ts::inclusive_scan_into(v, v, ts::maximum());
      CHECK(v.to_host() == inclusive);
    }
  }
}
