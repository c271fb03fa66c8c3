#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/algo/container/support.h"

using namespace tessera::support;

namespace bodies {
TS_DEVICE(
    struct body { float x, v, m; }; constexpr float softening = 0.5f; float pull(body to, body from) {
      const float d = from.x - to.x;
      return from.m * d / (d * d + softening);
    } body moved(ts::index1, body b, ts::vec<body> all, float dt) {
      float a = 0;
      for (long j = 0; j < all.size(); ++j) a += pull(b, all[j]);
      return {b.x + dt * b.v, b.v + dt * a, b.m};
    })
}  // namespace bodies

TS_DEVICE(
    struct saxpy_functor {
      float a;
      __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
    };
    int sum_of_row(ts::index1 i, ts::row<int> r) {
      int sum = static_cast<int>(i);
      for (long long j = 0; j < r.size(); ++j) sum += r[j];
      return sum;
    } int below(ts::index2 p, int m, ts::mat<int> whole) { return m + (p.row > 0 ? whole(p.row - 1, p.col) : 0); })

namespace {

const char* const device_lists[] = {"cpu", "cpu*3", "cpu*7"};

std::vector<float> floats(std::int64_t n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k % 97) * 0.25f - 3;
  return values;
}

}  // namespace

TEST_CASE("a generic function is applied to every element, whatever the number of devices") {
  for (const char* devices : device_lists) {
    ts::context ctx(quiet(devices));
    for (const std::int64_t n : {0, 1, 2, 6, 7, 8, 1000, 5003}) {
      const std::vector<float> a = floats(n);
      ts::vector<float> x(a, ctx), y(n, 2.0f, ctx);
      const float factor = 1.5f;
      auto axpy = ts::map([factor](auto u, auto v) { return factor * u + v; });
      ts::vector<float> z = axpy(x, y);
      axpy.into(y, x, y);
      CHECK(z.to_host() == y.to_host());
      std::vector<float> expected(a.size());
      for (std::size_t k = 0; k < a.size(); ++k) expected[k] = 1.5f * a[k] + 2.0f;
      CHECK(z.to_host() == expected);
    }
  }
}

TEST_CASE("a function has C++'s conversions, math by argument lookup, select and several results") {
  ts::context ctx(quiet("cpu*3"));
  ts::set_default_context(ctx);
  const std::int64_t n = 777;
  ts::vector<int> i = ts::map([](auto k) { return k * k - 300; })(ts::counting(0, 777));
  ts::vector<short> s(n, short{-3}, ctx);
  static_assert(std::is_same_v<decltype(ts::map([](auto a, auto b) { return a + b; })(s, s)), ts::vector<int>>);
  auto [root, kind] = ts::map([](auto k, auto w, auto x) {
    return ts::tuple(sqrt(abs(k) + 0.5f) / w, ts::select(k % 3 == 0 && k > 0, k >> 2, max(k, -k) + w + to<int>(x)));
  })(i, s, 2.0);
  static_assert(std::is_same_v<decltype(root), ts::vector<float>>);
  static_assert(std::is_same_v<decltype(kind), ts::vector<int>>);
  const std::vector<float> roots = root.to_host();
  const std::vector<int> kinds = kind.to_host();
  for (int k = 0; k < n; ++k) {
    const int v = k * k - 300;
    CHECK(roots[static_cast<std::size_t>(k)] ==
          doctest::Approx(std::sqrt(static_cast<float>(std::abs(v)) + 0.5f) / -3));
    CHECK(kinds[static_cast<std::size_t>(k)] == (v % 3 == 0 && v > 0 ? v >> 2 : std::max(v, -v) - 3 + 2));
  }
}

TEST_CASE("functions and functors of TS_DEVICE blocks, TS_FN lambdas and named operators are operators alike") {
  for (const char* devices : device_lists) {
    ts::context ctx(quiet(devices));
    ts::set_default_context(ctx);
    const std::int64_t n = 53;
    std::vector<bodies::body> start;
    for (int k = 0; k < n; ++k)
      start.push_back({static_cast<float>(k) * 0.5f, 0.25f, 1.0f + static_cast<float>(k % 3)});
    ts::vector<bodies::body> p(start, ctx), q(n, ctx);
    ts::map<bodies::moved>().into(q, p, p, 0.5f);
    const std::vector<bodies::body> got = q.to_host();
    const ts::vec<bodies::body> all{start.data(), n};
    for (std::size_t k = 0; k < start.size(); ++k) {
      const bodies::body expected = bodies::moved({static_cast<long long>(k)}, start[k], all, 0.5f);
      CHECK(got[k].x == expected.x);
      CHECK(got[k].v == expected.v);
    }

    ts::vector<float> x(floats(n), ctx), y(n, 1.0f, ctx);
    CHECK(ts::map(saxpy_functor{3})(x, y).to_host() ==
          ts::map([](auto u, auto v) { return 3.0f * u + v; })(x, y).to_host());
    CHECK(ts::map(ts::multiplies())(x, x).to_host() == ts::map(std::multiplies<>())(x, x).to_host());
    const float limit = 2;
    const int steps = 5;
    auto bounded = TS_FN((limit, steps), [=](float u) {
      for (int k = 0; k < steps && u < limit; ++k) u = u * 2, u += 1;
      return u;
    });
    const std::vector<float> host = x.to_host();
    const std::vector<float> device = ts::map(bounded)(x).to_host();
    for (std::size_t k = 0; k < host.size(); ++k) CHECK(device[k] == bounded(host[k]));
  }
}

TEST_CASE("indices, rows and whole matrices are given to functions that ask for them") {
  for (const char* devices : device_lists) {
    ts::context ctx(quiet(devices));
    std::vector<int> contents(11 * 5);
    std::iota(contents.begin(), contents.end(), 0);
    ts::matrix<int> m(11, 5, contents, ctx), sum(11, 5, ctx);
    ts::map<below>().into(sum, m, m);
    const std::vector<int> got = sum.to_host();
    for (int i = 0; i < 11; ++i)
      for (int j = 0; j < 5; ++j)
        CHECK(got[static_cast<std::size_t>(5 * i + j)] == 5 * i + j + (i > 0 ? 5 * i - 5 + j : 0));
    ts::vector<int> rows(11, ctx);
    ts::map<sum_of_row>().into(rows, m);
    for (int i = 0; i < 11; ++i) CHECK(rows[i] == 25 * i + 10 + i);
    auto escape = TS_FN([](ts::index2 p) { return static_cast<int>(10 * p.row + p.col); });
    ts::map(escape).into(sum);
    CHECK(sum(3, 4) == 34);
  }
}

TEST_CASE("parts of containers are read and written in place, and nothing else changes") {
  for (const char* devices : device_lists) {
    ts::context ctx(quiet(devices));
    std::vector<int> contents(100);
    std::iota(contents.begin(), contents.end(), 0);
    ts::vector<int> v(contents, ctx);
    ts::map([](auto e) { return -e; }).into(v.begin() + 5, v.begin() + 5, v.end() - 10);
    for (int k = 0; k < 100; ++k) CHECK(v[k] == (k >= 5 && k < 90 ? -k : k));

    ts::tensor<int, 4> t({3, 4, 5, 6}, ctx), u({3, 4, 5, 6}, ctx);
    auto count = TS_FN([](ts::index4 p) { return static_cast<int>(p.i * 1000 + p.j * 100 + p.k * 10 + p.l); });
    ts::map(count).into(t);
    const ts::box inner{{1, 0, 2, 1}, {3, 3, 4, 6}};
    ts::map([](auto e) { return e + 1; }).into(u.box(inner), t.box(inner));
    const std::vector<int> got = u.to_host();
    for (std::int64_t i = 0, at = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 4; ++j)
        for (std::int64_t k = 0; k < 5; ++k)
          for (std::int64_t l = 0; l < 6; ++l, ++at) {
            const bool inside = i >= 1 && j < 3 && k >= 2 && k < 4 && l >= 1;
            CHECK(got[static_cast<std::size_t>(at)] == (inside ? i * 1000 + j * 100 + k * 10 + l + 1 : 0));
          }
  }
}

TEST_CASE("a thousand values of a captured number are one kernel") {
  ts::context ctx(quiet("cpu"));
  ts::vector<float> x(1000, 1.0f, ctx), y(1000, 0.0f, ctx);
  for (int k = 0; k < 1000; ++k) {
    const auto a = static_cast<float>(k);
    ts::map([a](auto u, auto v) { return a * u - v; }).into(y, x, y);
  }
  CHECK(ctx.stats().kernels_compiled <= 1);
  CHECK(y[0] == 500.0f);
}
