#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "tests/algo/container/support.h"

using namespace tessera::support;

TS_DEVICE(long long weighted(ts::index2 p, int a, float b, int factor) {
  return factor * a + static_cast<long long>(b) + 1000 * p.row + p.col;
})

namespace {

const char* const device_lists[] = {"cpu", "cpu*3", "cpu*7"};

std::vector<int> numbers(std::int64_t n, int seed) {
  std::vector<int> values;
  for (std::int64_t k = 0; k < n; ++k) values.push_back(static_cast<int>((k + seed) * 7919 % 1009 - 400));
  return values;
}

}  // namespace

TEST_CASE("a function of all pairs of elements makes a matrix") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    for (const auto& [n, m] : {std::pair{0, 3}, {3, 0}, {1, 1}, {1, 50}, {50, 1}, {37, 1029}, {200, 9}}) {
      const std::vector<int> a = numbers(n, 1), b = numbers(m, 5);
      ts::vector<int> v(a, ctx), w(b, ctx);
      const ts::matrix<int> gap = ts::map_pairs([](auto x, auto y) { return abs(x - y); })(v, w);
      REQUIRE(gap.shape() == ts::extents{n, m});
      const std::vector<int> got = gap.to_host();
      bool equal = true;
      for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) equal = equal && got[i * b.size() + j] == std::abs(a[i] - b[j]);
      CHECK(equal);
    }
  }
}

TEST_CASE("all pairs may have an index and uniform values, and be written into a part of a matrix") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    const std::vector<int> a = numbers(20, 3);
    ts::vector<int> v(a, ctx);
    ts::vector<float> w(std::vector<float>{1, 2, 3, 4, 5}, ctx);
    ts::matrix<long long> out(30, 11, -1, ctx);
    ts::map_pairs<weighted>().name("weights").into(out.box(4, 14, 2, 6), v.begin() + 10, v.end(), w.part(1, 5), 7);
    const std::vector<long long> got = out.to_host();
    bool equal = true;
    for (std::size_t i = 0; i < 30; ++i)
      for (std::size_t j = 0; j < 11; ++j) {
        const bool inside = i >= 4 && i < 14 && j >= 2 && j < 6;
        const long long expected =
            inside ? 7 * a[i + 6] + static_cast<long long>(j) + static_cast<long long>(1000 * (i - 4) + j - 2) : -1;
        equal = equal && got[i * 11 + j] == expected;
      }
    CHECK(equal);
  }
}

TEST_CASE("rows of pairs are combined in the order of reduce_rows, and no matrix is stored") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    for (const auto& [n, m] : {std::pair{0, 3}, {1, 1}, {40, 1}, {13, 129}, {5, 9000}, {300, 7}}) {
      std::vector<float> a, b;
      for (const int k : numbers(n, 1)) a.push_back(static_cast<float>(k) * 0.37f);
      for (const int k : numbers(m, 2)) b.push_back(static_cast<float>(k) * 0.11f);
      ts::vector<float> v(a, ctx), w(b, ctx), out(n, ctx);
      const float c = 0.3f;
      auto product = [c](auto x, auto y) { return x * y + c; };
      const std::vector<float> expected = ts::reduce_rows(ts::map_pairs(product)(v, w), ts::plus()).to_host();
      CHECK(ts::map_pairs_reduce(product, ts::plus())(v, w).to_host() == expected);
      ts::map_pairs_reduce(product, ts::plus()).into(out, v, w);
      CHECK(out.to_host() == expected);
    }
    ts::vector<int> v(4, 1, ctx), nothing(0, ctx);
    CHECK(ts::map_pairs_reduce(ts::plus(), ts::minimum())(v, nothing).to_host() ==
          std::vector<int>(4, std::numeric_limits<int>::max()));
    CHECK_THROWS_AS(
        static_cast<void>(ts::map_pairs_reduce(ts::plus(), [](auto x, auto y) { return x + y; })(v, nothing)),
        ts::argument_error);
  }
}

TEST_CASE("pairs of what is no vector, and outputs of another shape, are refused") {
  ts::context ctx(quiet("cpu*2"));
  ts::vector<int> v(4, 1, ctx), w(3, 1, ctx);
  ts::matrix<int> m(4, 4, ctx), fits(4, 3, ctx);
  auto add = ts::map_pairs(ts::plus());
  CHECK_THROWS_AS(add.into(m, v, w), ts::argument_error);
  CHECK_THROWS_AS(static_cast<void>(add(m, w)), ts::argument_error);
  CHECK_THROWS_AS(static_cast<void>(add(v, 3)), ts::argument_error);
  CHECK_THROWS_AS(ts::map_pairs_reduce(ts::plus(), ts::plus()).into(w, v, w), ts::argument_error);
  CHECK_THROWS_AS(ts::map_pairs_reduce(ts::plus(), ts::plus()).into(v, v, w), ts::argument_error);
  add.into(fits, v, w);
  CHECK(fits(3, 2) == 2);
}

TEST_CASE("a CUDA kernel is called with containers, parts and numbers") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    const ts::kernel scaled = ctx.compile(R"(
//@tessera global i => read x[i], write y[i]
__global__ void scale(long long n, int* y, const int* x, int factor) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
})",
                                          "scale");
    const std::vector<int> a = numbers(700, 2);
    ts::vector<int> x(a, ctx), y(700, 5, ctx);
    x[3] = 77;
    ts::call(scaled, {.threads = {600}}, 600, y.part(100, 700), x.part(0, 600), 3);
    ts::call(scaled, {.threads = {0}}, 0, y, x, 3);
    CHECK(y[99] == 5);
    CHECK(y[103] == 231);
    CHECK(y[699] == 3 * a[599]);
  }
}

TEST_CASE("the launches of task k of a farm run on device k mod p, unless they say otherwise") {
  ts::context ctx(calm("cpu*3"));
  ts::set_default_context(ctx);
  const std::int64_t n = 100'000;
  ts::vector<int> x(n, 1, ctx);
  std::vector<ts::vector<int>> results;
  std::vector<std::string> plans(4);
  for (int k = 0; k < 4; ++k) results.emplace_back(n, 0, ctx);
  int sum = 0;
  const auto task = [&](std::size_t k) {
    return [&, k] {
      const int step = static_cast<int>(k);
      auto add = ts::map([step](auto e) { return e + step; });
      add.into(results[k], x);
      plans[k] = add.explain(results[k], x);
    };
  };
  ts::farm({task(0), task(1), task(2), task(3), [&] { sum = ts::reduce(x).get(); }});
  for (int k = 0; k < 4; ++k) {
    CHECK(results[static_cast<std::size_t>(k)].to_host() == std::vector<int>(static_cast<std::size_t>(n), 1 + k));
    CAPTURE(plans[static_cast<std::size_t>(k)]);
    CHECK(says(plans[static_cast<std::size_t>(k)], "in 1 superblocks",
               "it is to run on device " + std::to_string(k % 3)));
  }
  CHECK(sum == n);
  auto alone = ts::map([](auto e) { return e + 1; });
  CHECK(says(alone.explain(results[0], x), "on device 0", "on device 1", "on device 2"));
}
