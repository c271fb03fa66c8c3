// Functions of the program that run on the host, through the launches of the other ones.
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"

using namespace tessera;
using support::cut_everywhere;
using support::message_of;
using support::on_ranks;
using support::require;
using support::says;

namespace {

/// Without device text.
struct sample {
  int key;
  double value;
  bool operator==(const sample&) const = default;
};

double cube(double x) { return x * x * x; }

ts::vector<float> fractions(std::int64_t n, context& ctx) {
  std::vector<float> all(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = 1.0f / static_cast<float>(k % 977 + 1);
  return ts::vector<float>(all, ctx);
}

/// A program of skeletons with functions of either form.
template <class Negate, class Add>
std::vector<float> program(context& ctx, const Negate& negate, const Add& add) {
  ts::vector<float> x = fractions(20'000, ctx);
  ts::matrix<float> m(130, 70, 0.3f, ctx);
  std::vector<float> all{ts::reduce(x, add).get(), ts::map_reduce(negate, add)(x).get()};
  const auto append = [&](const std::vector<float>& more) { all.insert(all.end(), more.begin(), more.end()); };
  append(ts::map(negate)(x).to_host());
  append(ts::map(negate)(m.box(3, 60, 5, 66)).to_host());
  append(ts::map(add)(x, x).to_host());
  append(ts::inclusive_scan(x, add).to_host());
  append(ts::exclusive_scan(x, 0.5f, add).to_host());
  append(ts::reduce_rows(m, add).to_host());
  append(ts::reduce_columns(m, add).to_host());
  append(ts::map_pairs(add)(x.part(0, 60), x.part(60, 100)).to_host());
  append(ts::map_pairs_reduce(add, add)(x.part(0, 60), x.part(60, 5000)).to_host());
  return all;
}

}  // namespace

TEST_CASE("functions on the host give the bits of recorded ones in all skeletons, on any number of devices") {
  if (support::on_gpu()) return;  // sums of GPUs have an order of their own
  const auto negate = [](auto v) { return -v; };
  const auto add = [](auto a, auto b) { return a + b; };
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(cut_everywhere(devices));
    CHECK(program(ctx, ts::host(negate), ts::host(add)) == program(ctx, negate, add));
  }
}

TEST_CASE("functions on the host stand beside others in one reduction") {
  context ctx(cut_everywhere("cpu*2"));
  ts::vector<int> x(5'000, 3, ctx);
  const int factor = 2;
  CHECK(ts::map_reduce(ts::host([](int v) { return v + 1; }), ts::plus())(x).get() == 20'000);
  CHECK(
      ts::map_reduce([factor](auto v) { return factor * v; }, ts::host([](int a, int b) { return a + b; }))(x).get() ==
      30'000);
  CHECK(ts::reduce<double>(x, ts::host([](double a, double b) { return a + b; })).get() == 15'000.0);
}

TEST_CASE("a function on the host takes what functions as text take: indices, whole containers, rows, numbers") {
  context ctx(cut_everywhere("cpu*3"));
  ts::vector<int> x(300, 2, ctx);
  std::vector<int> start(300);
  std::iota(start.begin(), start.end(), 0);
  const ts::vector<int> numbers(start, ctx);
  ts::matrix<int> m(300, 4, 5, ctx);
  const auto f = ts::host([](ts::index1 i, int v, ts::vec<int> all, ts::row<int> r, double scale) {
    return v * static_cast<double>(i) + all[299 - i] + static_cast<double>(r.size()) * r[1] + scale;
  });
  const std::vector<double> result = ts::map(f)(x, numbers, m, 0.5).to_host();
  for (int i = 0; i < 300; ++i) CHECK(result[static_cast<std::size_t>(i)] == 2 * i + (299 - i) + 20 + 0.5);
  ts::matrix<int> places(20, 30, ctx);
  ts::map(ts::host([](ts::index2 p, ts::mat<int> w) {
    return static_cast<int>(100 * p.row + p.col) + w(2, 3);
  })).into(places, m);
  CHECK(places(7, 11) == 716);
  ts::tensor<int, 3> cells({4, 5, 6}, 0, ctx);
  ts::map(ts::host([](ts::index3 p) { return static_cast<int>(100 * p.i + 10 * p.j + p.k); })).into(cells);
  CHECK(cells(3, 4, 5) == 345);
  CHECK(ts::map(ts::host([](auto k) { return 2 * k; }))(ts::counting(10, 20)).to_host()[3] == 26);
  auto [sum, gap] = ts::map(ts::host([](int a, int b) { return ts::tuple(a + b, a - b); }))(x, numbers);
  CHECK(sum[17] == 19);
  CHECK(gap[17] == -15);
  CHECK(ts::map(ts::host(&cube))(x)[5] == 8.0);
  ts::map(f).into(ts::vector<double>(ctx), ts::vector<int>(ctx), numbers, ts::matrix<int>(0, 4, ctx), 1.0);
}

TEST_CASE("a function on the host may capture anything, and elements need no device text") {
  context ctx(cut_everywhere("cpu*2"));
  const std::map<int, std::string> names{{1, "one"}, {3, "three"}};
  std::atomic<int> calls{0};
  ts::vector<sample> s(100, sample{3, 0.5}, ctx);
  s[7] = sample{1, 2.5};
  ts::vector<int> lengths(100, ctx);
  auto look_up = ts::host([&names, &calls](const sample& e) {
    ++calls;
    return static_cast<int>(names.at(e.key).size());
  });
  ts::map(look_up).into(lengths, s);
  CHECK(lengths[7] == 3);
  CHECK(lengths[8] == 5);
  CHECK(calls == 100);
  const auto larger = ts::host([](const sample& a, const sample& b) { return a.value < b.value ? b : a; });
  CHECK(ts::reduce(s, larger).get() == sample{1, 2.5});
  const auto failing = ts::host([&names](int k) { return static_cast<int>(names.at(k).size()); });
  CHECK_THROWS(ts::map(failing)(ts::vector<int>(10, 2, ctx)).to_host());
}

TEST_CASE("a function on the host is one kernel, however often it is called") {
  context ctx(cut_everywhere("cpu*2"));
  ts::vector<int> x(1'000, 1, ctx), y(10, 1, ctx);
  int step = 1;
  const auto add = ts::map(ts::host([&step](int v) { return v + step; }));
  add.into(x, x);
  add.into(y, y);
  ctx.wait();
  step = 10;
  add.into(x, x);
  CHECK(x[999] == 12);
  CHECK(y[9] == 2);
}

TEST_CASE("a value that the host does not have yet is refused as an argument of a function on the host") {
  context ctx(cut_everywhere("cpu*2"));
  ts::vector<int> x(100, 1, ctx);
  const ts::value<int> sum = ts::reduce(x);
  const auto add = ts::map(ts::host([](int a, int b) { return a + b; }));
  CHECK(says(message_of<argument_error>([&] { (void)add(x, sum); }), "host_test.cpp:", "pass get() of the value"));
  CHECK(add(x, sum.get())[4] == 101);
}

TEST_CASE("functions on the host run on ranks, each on its own elements") {
  on_ranks(3, "cpu*2", [](context& ctx) {
    ts::vector<int> x(5'000, 2, ctx);
    const auto square = ts::host([](int v) { return v * v; });
    require(ts::map_reduce(square, ts::host([](int a, int b) { return a + b; }))(x).get() == 20'000, "a wrong sum");
    require(ts::inclusive_scan(ts::map(square)(x), ts::host([](int a, int b) { return a + b; }))[4'999] == 20'000,
            "a wrong scan");
  });
}

TEST_CASE("a function on the host is given up with the program's values and the context") {
  const auto token = std::make_shared<int>(3);
  {
    context ctx(support::quiet("cpu*2"));
    const auto times = ts::host([token](int x) { return x * *token; });
    const auto sum = ts::host([token](int a, int b) { return a + b; });
    ts::vector<int> v(1000, 1, ctx), w = ts::map(times)(v);
    CHECK(ts::map_reduce(times, sum)(w).get() == 9000);
    CHECK(ts::vector<int>(ts::inclusive_scan(w, sum))[999] == 3000);
    CHECK(token.use_count() > 1);
  }
  CHECK(token.use_count() == 1);
}
