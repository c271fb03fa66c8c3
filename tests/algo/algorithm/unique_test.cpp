// Segments of equal neighbours: what is kept of each, and what each is combined to, against the standard library.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

using namespace tessera::support;
namespace views = ts::views;

// clang-format off
TS_DEVICE(
struct same_ten {
  bool operator()(int a, int b) const { return a / 10 == b / 10; }
};
struct affine { unsigned a, b; };
struct compose {
  affine operator()(affine f, affine g) const { return {g.a * f.a, g.a * f.b + g.b}; }
};
struct pixel { unsigned char r, g, b; };
struct same_pixel {
  bool operator()(pixel p, pixel q) const { return p.r == q.r && p.g == q.g && p.b == q.b; }
};)
// clang-format on

namespace {
  using ints = std::vector<int>;

  /// Keys that make segments of different lengths: one over all, many, one per element.
  std::vector<ints> keys_of(std::int64_t n) {
    ints long_ones = numbers_below(n, 3), single(static_cast<std::size_t>(n)), two(single.size(), 4);
    for (std::size_t k = 0; k < long_ones.size(); ++k) long_ones[k] += 5 * static_cast<int>(k / 700);
    std::iota(single.begin(), single.end(), -3);
    if (n > 3) two.back() = 5;
    return {numbers_below(n, 2), long_ones, single, ints(single.size(), 7), two};
  }

  template <class Body>
  void for_each_keys(Body body, std::int64_t room = 0) {
    const auto sizes = [&](ts::context& ctx) {
      for (const std::int64_t n : selected<std::int64_t>({0, 1, 3, 4097}, {0, 1, 3, 8, 4095, 4096, 4097, 9001})) {
        CAPTURE(n);
        int which = 0;
        for (const ints& keys : keys_of(n)) {
          CAPTURE(which);
          body(ctx, keys);
          ++which;
        }
      }
    };
    for_each_context(sizes, room);
  }

  template <class K, class V>
  struct reduced_pairs {
    std::vector<K> keys;
    std::vector<V> values;
  };
  template <class K, class V, class Same, class G>
  reduced_pairs<K, V> reduced(const std::vector<K>& keys, const std::vector<V>& values, Same same, G combine) {
    reduced_pairs<K, V> all;
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (k == 0 || !same(keys[k - 1], keys[k]))
        all.keys.push_back(keys[k]), all.values.push_back(values[k]);
      else
        all.values.back() = combine(all.values.back(), values[k]);
    return all;
  }

}  // namespace

TEST_CASE("unique, unique_copy and unique_count keep the first of neighbours") {
  for_each_keys([](ts::context& ctx, const ints& keys) {
    ints expected = keys;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    const auto count = std::ssize(expected), n = std::ssize(keys);
    ts::vector<int> x(keys, ctx), out(n, -9, ctx);
    CHECK(ts::unique_copy(x).to_host() == expected);
    CHECK(ts::unique_count(x).get() == count);
    CHECK(ts::unique_count(x.begin(), x.end(), ts::host([](int a, int b) { return a == b; })).get() == count);
    CHECK(ts::unique_copy(x.begin(), x.end(), out.begin()) - out.begin() == count);
    CHECK(out.part(0, count).to_host() == expected);
    ts::vector<int> y = x;
    const ints turned(expected.rbegin(), expected.rend());
    CHECK(ts::unique_copy(views::reverse(x)).to_host() == turned);
    ints moved(keys.size());
    if (n > 2) std::copy(keys.begin() + 2, keys.end(), moved.begin());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
    CHECK(ts::unique_copy(views::shifted(x, 2)).to_host() == moved);
    std::reverse(moved.begin(), moved.end());
    CHECK(ts::unique_copy(views::reverse(views::shifted(x, 2))).to_host() == moved);
    CHECK(ts::unique(y) == n - count);
    CHECK(y.to_host() == expected);
    const auto end = ts::unique(x.begin(), x.end(), [](auto a, auto b) { return a == b; });
    CHECK(end - x.begin() == count);
    CHECK(x.part(0, count).to_host() == expected);
    ints tens = keys;
    tens.erase(std::unique(tens.begin(), tens.end(), [](int a, int b) { return a / 10 == b / 10; }), tens.end());
    CHECK(ts::unique_copy(ts::vector<int>(keys, ctx), same_ten()).to_host() == tens);
    CHECK(ts::unique_copy(ts::vector<int>(keys, ctx), out, ts::host([](int a, int b) { return a / 10 == b / 10; })) ==
          std::ssize(tens));
    CHECK(out.part(0, std::ssize(tens)).to_host() == tens);
  });
}

TEST_CASE("unique_by_key keeps the value beside the first of equal keys") {
  for_each_keys(
      [](ts::context& ctx, const ints& keys) {
        const auto n = std::ssize(keys);
        const ints values = numbers_below(n, 1000, 3);
        const auto first = [](int a, int) { return a; };
        const auto expected = reduced(keys, values, std::equal_to<>(), first);
        const auto count = std::ssize(expected.keys);
        ts::vector<int> k(keys, ctx), v(values, ctx);
        const auto [a, b] = ts::unique_by_key_copy(k, v | views::transform([](auto u) { return u + 1; }));
        CHECK(a.to_host() == expected.keys);
        ints more = expected.values;
        for (int& u : more) ++u;
        CHECK(b.to_host() == more);
        ts::vector<int> keys_out(n, 0, ctx);
        ts::vector<double> values_out(n, 0, ctx);
        const auto ends = ts::unique_by_key_copy(k.begin(), k.end(), v.begin(), keys_out.begin(), values_out.begin());
        CHECK(ends.first - keys_out.begin() == count);
        CHECK(ends.second - values_out.begin() == count);
        CHECK(values_out.part(0, count).to_host() ==
              std::vector<double>(expected.values.begin(), expected.values.end()));
        ts::vector<int> k2 = k, v2 = v;
        const auto behind = ts::unique_by_key(k.begin(), k.end(), v.begin());
        CHECK(behind.first - k.begin() == count);
        CHECK(v.part(0, count).to_host() == expected.values);
        CHECK(ts::unique_by_key(k2, v2, std::equal_to<>()) == n - count);
        CHECK(k2.to_host() == expected.keys);
        CHECK(v2.to_host() == expected.values);
      },
      1 << 18);
}

TEST_CASE("reduce_by_key combines the values of each segment in order") {
  for_each_keys(
      [](ts::context& ctx, const ints& keys) {
        const auto n = std::ssize(keys);
        const ints values = numbers_below(n, 1000, 3);
        const auto sums = reduced(keys, values, std::equal_to<>(), std::plus<>());
        const auto count = std::ssize(sums.keys);
        const ts::vector<int> k(keys, ctx), v(values, ctx);
        const auto [a, b] = ts::reduce_by_key(k, v);
        CHECK(a.to_host() == sums.keys);
        CHECK(b.to_host() == sums.values);
        ts::vector<int> keys_out(n, 0, ctx);
        ts::vector<long long> values_out(n, 0, ctx);
        const auto most = reduced(
            keys, values, [](int x, int y) { return x / 10 == y / 10; }, [](int x, int y) { return std::max(x, y); });
        const auto ends = ts::reduce_by_key(k.begin(), k.end(), v.begin(), keys_out.begin(), values_out.begin(),
                                            same_ten(), ts::maximum());
        CHECK(ends.first - keys_out.begin() == std::ssize(most.keys));
        CHECK(keys_out.part(0, std::ssize(most.keys)).to_host() == most.keys);
        CHECK(values_out.part(0, ends.second - values_out.begin()).to_host() ==
              std::vector<long long>(most.values.begin(), most.values.end()));
        const auto on_host = ts::host([](int x, int y) { return x + y; });
        const auto like = ts::host([](int x, int y) { return x == y; });
        CHECK(ts::reduce_by_key(k, v, keys_out, values_out, like, on_host) == std::pair(count, count));
        CHECK(keys_out.part(0, count).to_host() == sums.keys);
        CHECK(values_out.part(0, count).to_host() == std::vector<long long>(sums.values.begin(), sums.values.end()));
        std::vector<affine> maps;
        for (const int u : values) maps.push_back({static_cast<unsigned>(2 * u + 1), static_cast<unsigned>(u)});
        const auto chains = reduced(keys, maps, std::equal_to<>(), [](affine f, affine g) {
          return affine{g.a * f.a, g.a * f.b + g.b};
        });
        const auto made = ts::reduce_by_key(k, ts::vector<affine>(maps, ctx), compose());
        const std::vector<affine> got = made.second.to_host();
        REQUIRE(got.size() == chains.values.size());
        CHECK(std::equal(got.begin(), got.end(), chains.values.begin(),
                         [](affine f, affine g) { return f.a == g.a && f.b == g.b; }));
      },
      1 << 18);
}

TEST_CASE("run_length_encode gives each value and how often it stands there") {
  for_each_keys(
      [](ts::context& ctx, const ints& keys) {
        const auto n = std::ssize(keys);
        const auto expected =
            reduced(keys, std::vector<std::int64_t>(keys.size(), 1), std::equal_to<>(), std::plus<>());
        const ts::vector<int> x(keys, ctx);
        const auto [values, lengths] = ts::run_length_encode(x);
        CHECK(values.to_host() == expected.keys);
        CHECK(lengths.to_host() == expected.values);
        ts::vector<int> values_out(n, 0, ctx), lengths_out(n, 0, ctx);
        const auto ends =
            ts::run_length_encode(x.begin(), x.end(), values_out.begin(), lengths_out.begin(), std::equal_to<>());
        CHECK(ends.first - values_out.begin() == std::ssize(expected.keys));
        CHECK(lengths_out.part(0, ends.second - lengths_out.begin()).to_host() ==
              ints(expected.values.begin(), expected.values.end()));
        CHECK(values_out.part(0, ends.second - lengths_out.begin()).to_host() == expected.keys);
      },
      1 << 18);
}

TEST_CASE("segments of structs, of views, and keys that are equal but not the same") {
  for (const std::string& devices : selected<std::string>({"cpu", "cpu*3"}, {"cpu", "cpu*3", "cpu*7"})) {
    ts::context ctx(calm(devices));
    const std::int64_t n = 5003;
    const ints a = numbers_below(n, 2);
    std::vector<pixel> pixels;
    for (const int v : a) pixels.push_back({static_cast<unsigned char>(v), 1, 2});
    const std::vector<pixel> few = ts::unique_copy(ts::vector<pixel>(pixels, ctx), same_pixel()).to_host();
    ints expected = a;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    CHECK(
        std::equal(few.begin(), few.end(), expected.begin(), expected.end(), [](pixel p, int v) { return p.r == v; }));
    const auto thirds = views::counting(0, static_cast<int>(n)) | views::transform([](auto i) { return i / 3; });
    const auto [keys, sums] = ts::reduce_by_key(thirds, views::constant(2, n));
    CHECK(keys.size() == 1668);
    CHECK(sums.size() == 1668);
    const std::vector<float> zeros{0.0f, -0.0f, -0.0f, 1.0f, -0.0f, 0.0f};
    const auto signs = ts::reduce_by_key(ts::vector<float>(zeros, ctx), ts::vector<int>(6, 1, ctx));
    const std::vector<float> firsts = signs.first.to_host();
    REQUIRE(firsts.size() == 3);
    CHECK_FALSE(std::signbit(firsts[0]));
    CHECK(std::signbit(firsts[2]));
    CHECK(signs.second.to_host() == ints{3, 1, 2});
  }
}

TEST_CASE("sums of floats by key have the same bits on any devices and ranks, and rest where the keys are") {
  const std::int64_t n = 40'000;
  ints keys = numbers_below(n, 3);
  std::vector<float> values;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    keys[k] = static_cast<int>(k / 9000);
    values.push_back(static_cast<float>(k * 7919 % 1013) / 7);
  }
  std::vector<float> first;
  const auto sums = [&](ts::context& ctx) {
    return ts::reduce_by_key(ts::vector<int>(keys, ctx), ts::vector<float>(values, ctx)).second.to_host();
  };
  for (const std::string& devices : selected<std::string>({"cpu", "cpu*3"}, {"cpu", "cpu*3", "cpu*7"})) {
    ts::context ctx(calm(devices));
    if (first.empty()) first = sums(ctx);
    CHECK(sums(ctx) == first);
  }
  for (const int ranks : {2, 3})
    for (const std::string& e : errors_on_ranks(
             ranks, [](int) { return calm("cpu"); },
             [&](ts::context& ctx) { require(sums(ctx) == first, "a rank has other bits"); }))
      FAIL_CHECK(e);
}

TEST_CASE("ranges of keys and values of different sizes are refused") {
  ts::context ctx(quiet("cpu"));
  ts::vector<int> x(6, 1, ctx), y(5, 1, ctx);
  CHECK_THROWS_WITH_AS(static_cast<void>(ts::reduce_by_key(x, y)), doctest::Contains("ranges of 6 and 5 elements"),
                       ts::argument_error);
  CHECK_THROWS_WITH_AS(static_cast<void>(ts::unique_by_key(x, y)), doctest::Contains("ranges of 6 and 5 elements"),
                       ts::argument_error);
}
