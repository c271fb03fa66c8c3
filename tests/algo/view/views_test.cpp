// Views are computed where they are used; each is checked against plain loops, stored and as part of others.
#include <doctest/doctest.h>

#include <tessera/algo.h>

#include <vector>

#include "tests/algo/container/support.h"

using namespace tessera::support;
namespace views = ts::views;

TS_DEVICE(
    struct weighted {
      float w;
      long long n;
    };
    struct scale_by {
      float factor;
      float operator()(float x) const { return factor * x; }
    };)

namespace {

std::vector<int> numbers(std::int64_t n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k * 7919 % 1013) - 500;
  return all;
}

template <class Body>
void for_each_size(Body body) {
  for (const char* devices : {"cpu", "cpu*3"}) {
    ts::context ctx(cut_everywhere(devices));
    for (const std::int64_t n : {0, 1, 2, 5, 4097}) {
      CAPTURE(devices);
      CAPTURE(n);
      body(ctx, n);
    }
  }
}

}  // namespace

TEST_CASE("a transformed view of zipped ranges is one launch") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const std::vector<int> a = numbers(n);
    const ts::vector<int> x(a, ctx), y(n, 3, ctx);
    const int factor = 5;
    const auto view = views::zip(x, y, views::counting(0, static_cast<int>(n))) |
                      views::transform([factor](auto u, auto v, auto i) { return factor * u + v * i; }) |
                      views::transform([](auto u) { return u - 1; });
    std::vector<int> expected(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) expected[k] = 5 * a[k] + 3 * static_cast<int>(k) - 1;
    CHECK(view.to_host() == expected);
  });
}

TEST_CASE("reversed and shifted views take elements at other places") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const std::vector<int> a = numbers(n);
    const ts::vector<int> x(a, ctx);
    const std::vector<int> backwards(a.rbegin(), a.rend());
    CHECK(views::reverse(x).to_host() == backwards);
    CHECK(views::reverse(views::reverse(x)).to_host() == a);
    for (const std::int64_t by : {-5000, -2, -1, 0, 1, 3}) {
      std::vector<int> expected(a.size()), turned(a.size());
      for (std::int64_t k = 0; k < n; ++k)
        if (k + by >= 0 && k + by < n) expected[static_cast<std::size_t>(k)] = a[static_cast<std::size_t>(k + by)];
      CHECK(views::shifted(x, by).to_host() == expected);
      turned.assign(expected.rbegin(), expected.rend());
      CHECK(views::reverse(views::shifted(x, by)).to_host() == turned);
    }
    const auto squares = x | views::transform([](auto u) { return u * u; });
    std::vector<int> expected;
    for (const int u : backwards) expected.push_back(u * u);
    CHECK(views::reverse(squares).to_host() == expected);
    std::vector<int> counted;
    for (std::int64_t k = n; k-- > 0;) counted.push_back(static_cast<int>(k) + 2);
    CHECK(views::reverse(views::counting(2, static_cast<int>(n) + 2)).to_host() == counted);
  });
}

TEST_CASE("what lies beside elements of types with several words is 0, too") {
  ts::context ctx(quiet("cpu"));
  const ts::vector<std::int64_t> x({1, 2, 3}, ctx);
  CHECK(views::shifted(x, 2).to_host() == std::vector<std::int64_t>{3, 0, 0});
  const ts::vector<unsigned char> y({1, 2, 3}, ctx);
  CHECK(views::shifted(y, -1).to_host() == std::vector<unsigned char>{0, 1, 2});
}

TEST_CASE("permuted views and constants") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const std::vector<int> a = numbers(n);
    const ts::vector<int> x(a, ctx);
    const auto places = views::counting(0, static_cast<int>(n)) |
                        views::transform([n](auto i) { return (i * 7 + 3) % static_cast<int>(n); });
    std::vector<int> expected(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) expected[k] = a[(k * 7 + 3) % a.size()];
    CHECK(views::permuted(x, places).to_host() == expected);
    CHECK(views::constant(2.5f, n).to_host() == std::vector<float>(a.size(), 2.5f));
  });
}

TEST_CASE("functors with state, text and functions of the host are functions of views") {
  for_each_size([](ts::context& ctx, std::int64_t n) {
    const ts::vector<float> x(n, 2.0f, ctx);
    const std::size_t count = static_cast<std::size_t>(n);
    const float more = 0.5f;
    const auto text = TS_FN((more), [=](float u) {
      for (int k = 0; k < 3; ++k) u += more;
      return u;
    });
    CHECK((x | views::transform(scale_by{3}) | views::transform(text)).to_host() == std::vector<float>(count, 7.5f));
    const auto on_host =
        x | views::transform(scale_by{3}) | views::transform(ts::host([&](float u) { return u + more; }));
    CHECK((on_host | views::transform(scale_by{2})).to_host() == std::vector<float>(count, 13.0f));
  });
}

TEST_CASE("functions of the host take views without containers into the context of the others") {
  ts::context ctx(quiet("cpu*3"));
  const ts::vector<int> x({5, 6, 7}, ctx);
  const auto doubled = views::counting(0, 3) | views::transform([](auto i) { return 2 * i; });
  const auto sum = ts::host([](int i, int twice, int u) { return i + 10 * twice + 100 * u; });
  CHECK((views::zip(views::counting(0, 3), doubled, x) | views::transform(sum)).to_host() ==
        std::vector<int>{500, 621, 742});
}

TEST_CASE("ranges of different sizes are refused with both sizes") {
  ts::context ctx(quiet("cpu"));
  const ts::vector<int> x(4, 1, ctx), y(5, 1, ctx);
  CHECK_THROWS_WITH_AS(static_cast<void>(views::zip(x, y) | views::transform([](auto a, auto b) { return a + b; })),
                       doctest::Contains("ranges of 4 and 5 elements do not belong together"), ts::argument_error);
}

TEST_CASE("views of no container are used in the context of what they stand beside") {
  ts::options other = calm("cpu*2");
  const ts::context ctx(other);  // not the default one
  const ts::vector<int> x(std::vector<int>{1, 2, 3, 4, 5}, ctx);
  const auto halves = views::counting(0, 5) | views::transform([](auto i) { return i / 2; });
  const auto [keys, sums] = ts::reduce_by_key(halves, x);
  CHECK(keys.to_host() == std::vector<int>{0, 1, 2});
  CHECK(sums.to_host() == std::vector<int>{3, 7, 5});
  ts::vector<int> differences(5, 0, ctx);
  ts::adjacent_difference(halves, differences);
  CHECK(differences.to_host() == std::vector<int>{0, 0, 1, 0, 1});
}
