#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tessera/algo/exec/fold_text.h"
#include "tests/algo/container/support.h"
#include "tests/support/cuda_compiling.h"

using namespace tessera::support;

namespace fluid {
TS_DEVICE(
    struct cell { float height, speed; };
    cell flow(ts::index2 p, ts::region2<cell> c, float damping, int element, ts::vec<int> weights) {
      float height = 0;
      for (int i = -1; i <= 1; ++i)
        for (int j = -2; j <= 2; ++j) height += c(i, j).height;
      const cell own = c(0, 0);
      return {height + static_cast<float>(element + weights[0]),
              own.speed * damping + static_cast<float>(100 * p.row + p.col)};
    } float halves(ts::region1<float> c, float element) { return 0.5f * (c(-2) + c(2)) + element; })
}  // namespace fluid

namespace {

const char* const device_lists[] = {"cpu", "cpu*3", "cpu*7"};

std::vector<float> floats(std::int64_t n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k * 37 % 101) * 0.25f - 3;
  return values;
}

std::int64_t clamped(std::int64_t x, std::int64_t n) { return x < 0 ? 0 : x < n ? x : n - 1; }
std::int64_t wrapped(std::int64_t x, std::int64_t n) { return (x % n + n) % n; }
template <class T>
T at(const std::vector<T>& values, std::int64_t k) {
  return values[static_cast<std::size_t>(k)];
}

std::int64_t moved_bytes(const ts::statistics& s) {
  return s.host_to_device_bytes + s.device_to_host_bytes + s.device_to_device_bytes;
}

auto heat() {
  return ts::map_overlap<2>([](auto c) { return 0.25f * (c(-1, 0) + c(1, 0) + c(0, -1) + c(0, 1)); }, {1, 1});
}

}  // namespace

TEST_CASE("a stencil as text takes an index, neighbours of structs, elements, uniform values and whole containers") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    const std::int64_t rows = 23, columns = 17;
    std::vector<fluid::cell> cells;
    for (const float f : floats(rows * columns)) cells.push_back({f, f * 2});
    ts::matrix<fluid::cell> in(rows, columns, cells, ctx), out(rows, columns, ctx);
    std::vector<int> numbers(cells.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    ts::matrix<int> elements(rows, columns, numbers, ctx);
    ts::vector<int> weights(3, 9, ctx);
    ts::map_overlap<2, fluid::flow>({1, 2}).name("flow").into(out, in, 0.5f, elements, weights);
    const std::vector<fluid::cell> got = out.to_host();
    bool equal = true;
    for (std::int64_t i = 0, k = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j, ++k) {
        float height = 0;
        for (int di = -1; di <= 1; ++di)
          for (int dj = -2; dj <= 2; ++dj)
            height += at(cells, clamped(i + di, rows) * columns + clamped(j + dj, columns)).height;
        equal = equal && at(got, k).height == height + static_cast<float>(at(numbers, k) + 9) &&
                at(got, k).speed == at(cells, k).speed * 0.5f + static_cast<float>(100 * i + j);
      }
    CHECK(equal);
    auto padded = ts::map_overlap<2, fluid::flow>({1, 2}).edge(ts::pad(fluid::cell{1, 1}));
    CHECK(padded(in, 0.5f, elements, weights).shape() == in.shape());
  }
}

TEST_CASE("a recorded stencil has several neighbourhoods and results, and a container may be only an element") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    const std::int64_t n = 91;
    const std::vector<float> a = floats(n), b = floats(n + 5);
    ts::vector<float> x(a, ctx), y(b, ctx);
    const float factor = 3;
    auto both =
        ts::map_overlap<1>([](auto u, auto v, auto f) { return ts::tuple(f * u + v(-2), sqrt(abs(u)) > v(1)); }, {2});
    auto [sum, flag] = both.edge(ts::cyclic)(x, y.part(5, n + 5), factor);
    static_assert(std::is_same_v<decltype(flag), ts::vector<bool>>);
    const std::vector<float> sums = sum.to_host();
    const std::vector<bool> flags = flag.to_host();
    for (std::int64_t k = 0; k < n; ++k) {
      CHECK(at(sums, k) == factor * at(a, k) + at(b, 5 + wrapped(k - 2, n)));
      CHECK(at(flags, k) == (std::sqrt(std::abs(at(a, k))) > at(b, 5 + wrapped(k + 1, n))));
    }
  }
}

TEST_CASE("boxes of containers have edges of their own, and nothing outside of the output changes") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    const std::vector<float> a = floats(40 * 30);
    ts::matrix<float> in(40, 30, a, ctx), out(25, 50, -1.0f, ctx);
    for (const ts::edge_mode& mode : {ts::duplicate, ts::cyclic}) {
      heat().edge(mode).into(out.box(3, 20, 11, 31), in.box(20, 37, 5, 25));
      const auto value = [&](std::int64_t i, std::int64_t j) {
        const bool wraps = mode.kind == ts::cyclic.kind;
        return at(
            a, (20 + (wraps ? wrapped(i, 17) : clamped(i, 17))) * 30 + 5 + (wraps ? wrapped(j, 20) : clamped(j, 20)));
      };
      const std::vector<float> got = out.to_host();
      bool equal = true;
      for (std::int64_t i = 0; i < 25; ++i)
        for (std::int64_t j = 0; j < 50; ++j) {
          const std::int64_t y = i - 3, x = j - 11;
          const bool inside = y >= 0 && y < 17 && x >= 0 && x < 20;
          const float expected =
              inside ? 0.25f * (value(y - 1, x) + value(y + 1, x) + value(y, x - 1) + value(y, x + 1)) : -1.0f;
          equal = equal && at(got, i * 50 + j) == expected;
        }
      CHECK(equal);
    }
    // Two parts of one vector that do not meet.
    ts::vector<float> v(floats(100), ctx);
    ts::map_overlap<1>([](auto c) { return c(-1) + c(1); }, {1}).into(v.begin() + 50, v.begin(), v.begin() + 50);
    const std::vector<float> before = floats(100);
    CHECK(v[50] == before[0] + before[1]);
    CHECK(v[99] == before[48] + before[49]);
    CHECK(v[49] == before[49]);
  }
}

TEST_CASE("a stencil of one axis goes along the rows or the columns of a matrix, element inputs in place") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    for (const auto& [rows, columns] : {std::pair{1, 1}, {3, 50}, {50, 3}, {29, 31}}) {
      const std::int64_t n = rows, m = columns;
      const std::vector<float> a = floats(n * m);
      ts::matrix<float> in(n, m, a, ctx);
      for (const bool by_rows : {true, false})
        for (const ts::edge_mode& mode : {ts::duplicate, ts::cyclic}) {
          ts::matrix<float> out(n, m, 1.0f, ctx);
          auto lines = ts::map_overlap<1, fluid::halves>({2}).edge(mode);
          lines.along(by_rows ? ts::rows : ts::columns).into(out, in, out);
          const std::int64_t length = by_rows ? m : n, step = by_rows ? 1 : m;
          const std::vector<float> got = out.to_host();
          bool equal = true;
          for (std::int64_t k = 0; k < n * m; ++k) {
            const std::int64_t position = by_rows ? k % m : k / m, first = k - position * step;
            const auto value = [&](std::int64_t x) {
              return at(a, first + step * (mode.kind == ts::cyclic.kind ? wrapped(x, length) : clamped(x, length)));
            };
            equal = equal && at(got, k) == 0.5f * (value(position - 2) + value(position + 2)) + 1.0f;
          }
          CHECK(equal);
        }
    }
  }
}

TEST_CASE("a step of a stencil moves the halos and nothing else") {
  const std::int64_t rows = 600, columns = 400, row_bytes = columns * 4;
  for (const int devices : {1, 3}) {
    ts::context ctx(calm("cpu*" + std::to_string(devices)));
    ts::matrix<float> t(rows, columns, 1.0f, ctx), u(rows, columns, 0.0f, ctx);
    auto step = heat();
    const auto moved = [&](const ts::edge_mode& mode) {
      step.edge(mode);
      for (int k = 0; k < 2; ++k) {
        step.into(u, t);
        std::swap(t, u);
      }
      movement during(ctx);
      step.into(u, t);
      std::swap(t, u);
      return moved_bytes(during.moved());
    };
    const std::int64_t borders = devices - 1;
    CHECK(moved(ts::none) == 2 * borders * (row_bytes - 8));  // columns at the edge never change
    CHECK(moved(ts::duplicate) == 2 * borders * row_bytes);
    CHECK(moved(ts::pad(0)) == 2 * borders * row_bytes);
    CHECK(moved(ts::cyclic) == (devices == 1 ? 0 : 2 * borders * row_bytes + 2 * row_bytes));
  }
}

TEST_CASE("a recorded stencil fetches what it looks at, not its radius") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t n = 300'000;
  ts::vector<float> x(n, 1.0f, ctx), y(n, 0.0f, ctx), z(n, 0.0f, ctx);
  auto near = ts::map_overlap<1>([](auto u, auto v) { return u(-1) + v; }, {3});
  auto shift = ts::map([](auto e) { return e + 1; });
  shift.into(x, x);
  shift.into(y, y);
  near.into(z, x, y);
  for (const ts::edge_mode& mode : {ts::duplicate, ts::none}) {
    shift.into(x, x);
    shift.into(y, y);
    const std::string plan = near.edge(mode).explain(z, x, y);
    CAPTURE(plan);
    movement during(ctx);
    near.into(z, x, y);
    CHECK(moved_bytes(during.moved()) == 2 * 2 * 4);
  }
}

TEST_CASE("stencils on impossible arguments are refused with what is wrong") {
  ts::context ctx(quiet("cpu*2"));
  ts::matrix<float> m(8, 9, 1.0f, ctx), other(8, 8, ctx), out(8, 9, ctx);
  ts::vector<float> v(8, 1.0f, ctx);
  ts::matrix<int> numbers(8, 9, ctx);
  const auto refused = [](auto call) { return message_of<ts::argument_error>(call); };
  CHECK(says(refused([&] { heat().into(m, m); }), "map_overlap", "read around each element"));
  CHECK(says(refused([&] { heat().into(m.box(0, 4, 0, 9), m.box(3, 7, 0, 9)); }), "read around"));
  CHECK(says(refused([&] { heat().into(other, m); }), "{8, 8}", "{8, 9}"));
  CHECK(says(refused([&] { heat().into(v, m); }), "{8}"));
  CHECK(says(refused([&] { heat().into(numbers, m); }), "int32", "float"));
  CHECK(says(refused([&] { static_cast<void>(ts::map_overlap<2>([](auto c) { return c(0, 0); }, {1})); }), "radius"));
  CHECK(says(refused([&] { static_cast<void>(ts::map_overlap<1>([](auto c) { return c(0); }, {-1})); }), "negative"));
  CHECK(says(refused([&] {
               ts::map_overlap<2>([](auto c) { return c(2, 0); }, {1, 1}).into(out, m);
             }),
             "looks 2", "radius there is 1"));
  CHECK(says(refused([&] { ts::map_overlap<1>([](auto c) { return c(40000); }, {50000}).into(v, v); }), "32767"));
  CHECK(says(refused([&] { ts::map_overlap<1>([](auto c) { return c(1); }, {1}).into(out, m); }), "1 axes", "2"));
  CHECK(says(refused([&] { ts::map_overlap<1>([](auto c) { return c(1); }, {1}).along(ts::rows).into(v, v); }),
             "matrix"));
  CHECK(says(refused([&] { ts::map<fluid::halves>().into(v, v, v); }), "map_overlap"));
  CHECK(says(refused([&] { ts::map_overlap<1, fluid::halves>({2}).into(v, 3.0f, v); }), "not a number"));
  // Nothing is inside of so wide a radius.
  ts::vector<float> w(v);
  ts::map_overlap<1>([](auto c) { return c + 1; }, {5}).edge(ts::none).into(v, w);
  CHECK(v[4] == 1.0f);
}

TEST_CASE("stencils compute on the device that is asked for, and explain every launch") {
  ts::context ctx(calm("cpu*3"));
  ts::matrix<float> t(300, 400, 1.0f, ctx), u(300, 400, 0.0f, ctx);
  const std::string plan = heat().on(ts::on(1)).explain(u, t);
  CHECK(says(plan, "inside", "edge", "on device 1"));
  heat().on(ts::on(1)).into(u, t);
  CHECK(u(299, 399) == 1.0f);
}

TEST_CASE("the accesses of stencils are those that their annotations declare") {
  for (const ts::edge_mode& mode : {ts::none, ts::duplicate, ts::cyclic, ts::pad(2)}) {
    ts::context ctx(quiet("cpu*3", "access"));
    ts::matrix<float> t(50, 40, 1.0f, ctx), u(50, 40, 1.0f, ctx);
    heat().edge(mode).into(u, t);
    CHECK(u(25, 20) == 1.0f);
    CHECK(u(0, 1) == (mode.kind == ts::pad(2).kind ? 1.25f : 1.0f));
  }
}

TEST_CASE("kernels of stencils and pairs compile for GPUs, inside and at the edges") {
  if (!can_compile_for_cuda()) return;
  ts::context ctx(quiet("cpu"));
  ts::matrix<float> t(50, 40, 1.0f, ctx), u(50, 40, 1.0f, ctx);
  ts::matrix<fluid::cell> cells(9, 9, ctx), flown(9, 9, ctx);
  ts::matrix<int> elements(9, 9, ctx);
  ts::vector<int> weights(3, ctx);
  ts::tensor<double, 4> x({9, 9, 9, 9}, ctx), y({9, 9, 9, 9}, ctx);
  cuda_sources sources;
  const auto add = [&](const ts::algo::stencil_launch& made) {
    const std::vector<ts::algo::kernel_text> texts = made.texts();
    REQUIRE(texts.size() >= 2);
    for (const std::size_t k : {std::size_t{0}, texts.size() - 1}) sources.add(texts[k].text, "stencil.cu");
  };
  heat().prepared(std::tie(u, t), add);
  const float damping = 0.5f;
  ts::map_overlap<2, fluid::flow>({1, 2}).prepared(std::tie(flown, cells, damping, elements, weights), add);
  ts::map_overlap<4>([](auto c) { return c(1, 1, 1, -1); }, {1, 1, 1, 1}).prepared(std::tie(y, x), add);

  const ts::call_site here = ts::call_site::current();
  const ts::algo::op pair = ts::algo::make_op<int, int>([](auto a, auto b) { return a * b + 1; }, here);
  const auto inputs = ts::algo::listed(ts::algo::inputs_of(weights, weights));
  const ts::algo::call pairs = ts::algo::bind_pairs("map_pairs", pair, inputs, here);
  ts::matrix<int> products(3, 3, ctx);
  sources.add(ts::algo::map_launch(pairs, {ts::algo::operand_of(products)}, {}).text().text, "pairs.cu");
  const ts::algo::op plus = ts::algo::make_op<int, int>(ts::plus(), here);
  const ts::algo::call_text flat(pairs, 0, "a");
  sources.add(ts::algo::segment_fold_text(pairs.text(), flat, {&plus, "combine"}, "int").text, "pairs.cu");
  CHECK(sources.size() == 16);
  for (const std::string& failure : sources.failures()) FAIL_CHECK(failure);
}
