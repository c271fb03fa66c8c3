// Merges, the first elements of an order, and orders within segments, against the standard library.
#include <algorithm>
#include <functional>
#include <iterator>

#include "tests/algo/algorithm/order/orders.h"

using namespace tessera::support;

namespace {

using ints = std::vector<int>;

}  // namespace

TEST_CASE("merges are stable and take views, parts and iterators") {
  for_each_sorted_size([](ts::context& ctx, std::int64_t n) {
    for (const std::int64_t m : {std::int64_t{0}, std::int64_t{1}, n / 3, 2 * n}) {
      ints a = numbers_below(n, 1000, 5), b = numbers_below(m, 700, 6), expected;
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
      const ts::vector<int> x(a, ctx), y(b, ctx);
      CHECK(ts::merge(x, y).to_host() == expected);
      ts::vector<int> out(n + m + 2, -1, ctx);
      const auto end = ts::merge(x.begin(), x.end(), y.begin(), y.end(), out.begin() + 1);
      CHECK(end - out.begin() == n + m + 1);
      ints framed{-1};
      framed.insert(framed.end(), expected.begin(), expected.end());
      framed.push_back(-1);
      CHECK(out.to_host() == framed);
      const ts::vector<int> xi(ts::views::counting(0, static_cast<int>(n)) | ts::views::transform(ts::identity())),
          yi(ts::views::counting(0, static_cast<int>(m)) | ts::views::transform([](auto k) { return -k - 1; }));
      if (n == 0 || m == 0) continue;
      ts::vector<int> from_x(n, 1, ctx), from_y(m, 2, ctx);
      const auto [keys, sides] = ts::merge_by_key(x, y, from_x, from_y);
      CHECK(keys.to_host() == expected);
      ints expected_sides;
      for (std::size_t i = 0, j = 0; i + j < expected.size();) {
        const bool left = j >= b.size() || (i < a.size() && !(b[j] < a[i]));
        expected_sides.push_back(left ? 1 : 2);
        ++(left ? i : j);
      }
      CHECK(sides.to_host() == expected_sides);
    }
  });
}

TEST_CASE("top_k gives the greatest elements in order, from a sample's bound on") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    ts::context ctx(cut_everywhere(devices));
    for (const std::int64_t n : selected<std::int64_t>({5, 100003}, {0, 5, 4099, 100003}))
      for (const std::int64_t below : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1} << 30})
        for (const std::int64_t count : {0, 1, 100, 5000}) {
          ints a = numbers_below(n, below, 9);
          const ts::vector<int> x(a, ctx);
          const ints least = ts::top_k(x.begin(), x.end(), count, ts::less()).to_host();
          const ints most = ts::top_k(x | ts::views::transform([](auto v) { return v + 1; }), count).to_host();
          std::sort(a.begin(), a.end());
          const auto wanted = static_cast<std::size_t>(std::min(count, n));
          CHECK(least == ints(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(wanted)));
          ints expected(a.rbegin(), a.rbegin() + static_cast<std::ptrdiff_t>(wanted));
          for (int& v : expected) ++v;
          CHECK(most == expected);
        }
  }
}

TEST_CASE("nth_element and segmented_sort") {
  for_each_context([](ts::context& ctx) {
    const ints a = numbers_below(5003, 300, 8);
    ts::vector<int> x(a, ctx), y(a, ctx);
    ts::nth_element(x.begin(), x.begin() + 700, x.end());
    ints sorted = a;
    std::sort(sorted.begin(), sorted.end());
    CHECK(x[700] == sorted[700]);
    const std::vector<std::int64_t> offsets{0, 0, 1, 1200, 1200, 5000, 5003};
    ts::segmented_sort(y, offsets, ts::greater());
    ints expected = a;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
      std::sort(expected.begin() + offsets[s], expected.begin() + offsets[s + 1], std::greater<>());
    CHECK(y.to_host() == expected);
    CHECK_THROWS_WITH_AS(ts::segmented_sort(y, ints{0, 7}), doctest::Contains("do not cover 5003"), ts::argument_error);
  });
}
