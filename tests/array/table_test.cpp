// Tables of intervals in annotations (rule H16), as a program uses them.
#include <numeric>

#include "tests/array/on_ranks.h"
#include "tests/array/support.h"

using namespace tessera;
using support::counted;
using support::message_of;
using support::on_ranks;
using support::quiet;
using support::require;
using support::says;

namespace {

constexpr const char* product_source = R"(
//@tessera global i => read offsets[i:i+1], columns[rows(i)], values[rows(i)], x, write y[i]
__global__ void product(int n, int* y, const int* offsets, const int* columns, const int* values, const int* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * x[columns[k]];
    y[i] = sum;
}
)";

/// A sparse matrix whose rows are of very different lengths, some of them empty.
struct sparse {
  std::vector<int> offsets{0}, columns, values;
  int rows;

  explicit sparse(int n) : rows(n) {
    for (int r = 0; r < n; ++r) {
      const int length = r % 5 == 0 ? 0 : r < n / 4 ? 9 : r % 4;
      for (int k = 0; k < length; ++k) {
        columns.push_back((r * 7 + k * 13) % n);
        values.push_back(r + k + 1);
      }
      offsets.push_back(static_cast<int>(values.size()));
    }
  }
  [[nodiscard]] std::vector<int> times(const std::vector<int>& x) const {
    std::vector<int> y(static_cast<std::size_t>(rows));
    for (std::size_t r = 0; r < y.size(); ++r)
      for (auto k = static_cast<std::size_t>(offsets[r]); k < static_cast<std::size_t>(offsets[r + 1]); ++k)
        y[r] += values[k] * x[static_cast<std::size_t>(columns[k])];
    return y;
  }
};

/// out[x] = row + 1 for the elements x of each row.
kernel make_numbering(context& ctx, const std::string& annotation, intervals rows) {
  return ctx.native("numbering", "int* out", annotation, support::everywhere([rows](native_call& call) {
                      for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                        for (std::int64_t x = rows[i].lo; x < rows[i].hi; ++x)
                          call.data<int>(0)[x] += static_cast<int>(i) + 1;
                    }));
}

std::vector<int> numbered(std::size_t size, const intervals& rows) {
  std::vector<int> out(size);
  for (std::int64_t i = 0; i < rows.size(); ++i)
    for (std::int64_t x = rows[i].lo; x < rows[i].hi; ++x) out[static_cast<std::size_t>(x)] += static_cast<int>(i) + 1;
  return out;
}

}  // namespace

TEST_CASE("a sparse matrix-vector product that is split by rows moves exactly the values of its rows") {
  constexpr int n = 400, devices = 4;
  const sparse m(n);
  context ctx(quiet("cpu*4"));
  const kernel product = ctx.compile(product_source, "product");
  const auto count = static_cast<std::int64_t>(m.values.size());
  const std::int64_t part = (count + devices - 1) / devices;
  auto offsets = ctx.from<int>({n + 1}, m.offsets, replicated());
  auto columns = ctx.from<int>({count}, m.columns, blocks(part)),
       values = ctx.from<int>({count}, m.values, blocks(part));
  auto x = ctx.from<int>({n}, counted(n), replicated());
  auto y = ctx.zeros<int>({n}, blocks(n / devices));
  ctx.wait();
  const std::int64_t before = ctx.stats().device_to_device_bytes;
  const launch_options how{.threads = {n}, .block = {20}, .tables = {{"rows", intervals(m.offsets)}}};
  product.launch(how, n, y, offsets, columns, values, x);
  CHECK(y.read() == m.times(counted(n)));
  std::int64_t away = 0;  // elements that are at home elsewhere than their row
  for (int r = 0; r < n; ++r)
    for (std::int64_t k = m.offsets[static_cast<std::size_t>(r)]; k < m.offsets[static_cast<std::size_t>(r) + 1]; ++k)
      if (k / part != r / (n / devices)) ++away;
  CHECK(away > 0);
  CHECK(ctx.stats().device_to_device_bytes - before == 2 * away * std::int64_t{sizeof(int)});
  const std::int64_t once = ctx.stats().device_to_device_bytes;
  product.launch(how, n, y, offsets, columns, values, x);
  ctx.wait();
  CHECK(ctx.stats().device_to_device_bytes == once);
}

TEST_CASE("the product has the same result on any devices and ranks, and with little memory") {
  const sparse m(300);
  const std::vector<int> expected = m.times(counted(300));
  const auto run = [&](context& ctx) {
    const kernel product = ctx.compile(product_source, "product");
    const auto count = static_cast<std::int64_t>(m.values.size());
    auto offsets = ctx.from<int>({301}, m.offsets);
    auto columns = ctx.from<int>({count}, m.columns), values = ctx.from<int>({count}, m.values);
    auto x = ctx.from<int>({300}, counted(300)), y = ctx.zeros<int>({300});
    product.launch({.threads = {300}, .block = {16}, .tables = {{"rows", intervals(m.offsets)}}}, 300, y, offsets,
                   columns, values, x);
    require(y.read() == expected, "the product is wrong");
  };
  for (const char* devices : {"cpu", "cpu*2", "cpu*7"}) {
    context ctx(quiet(devices));
    run(ctx);
  }
  on_ranks(3, "cpu*2", run);
}

TEST_CASE("rows in any order say who writes what") {
  const intervals rows({{60, 90}, {10, 10}, {0, 25}, {40, 60}, {25, 31}, {90, 100}, {31, 40}});
  context ctx(quiet("cpu*3"));
  auto out = ctx.full<int>({100}, 8);
  const kernel store =
      ctx.native("store", "int* out", "global i => write out[rows(i)]", support::everywhere([rows](native_call& call) {
                   for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                     for (std::int64_t x = rows[i].lo; x < rows[i].hi; ++x)
                       call.data<int>(0)[x] = static_cast<int>(i) + 1;
                 }));
  store.launch({.threads = {7}, .block = {1}, .tables = {{"rows", rows}}}, out);
  CHECK(out.read() == numbered(100, rows));
  CHECK(ctx.stats().superblocks == 3);
}

TEST_CASE("rows that overlap can be combined, by private results of blocks and by atomics") {
  const intervals rows({{0, 30}, {20, 50}, {5, 5}, {10, 90}, {85, 100}, {40, 41}});
  for (const char* annotation : {"global i => atomic(+) out[rows(i)]", "block i => reduce(+) out[rows(i)]"}) {
    CAPTURE(annotation);
    context ctx(quiet("cpu*3"));
    auto out = ctx.zeros<int>({100});
    make_numbering(ctx, annotation, rows).launch({.threads = {6}, .block = {1}, .tables = {{"rows", rows}}}, out);
    CHECK(out.read() == numbered(100, rows));
  }
}

TEST_CASE("kernels given as text reduce into the rows of their block") {
  const intervals rows({{0, 4}, {2, 9}, {9, 9}, {0, 9}, {30, 33}});
  context ctx(quiet("cpu*2"));
  const kernel add = ctx.compile(R"(
//@tessera block b => read bounds, reduce(+) out[rows(b)]
__global__ void add(int* out, const int* bounds) {
    for (int x = bounds[2 * blockIdx.x] + threadIdx.x; x < bounds[2 * blockIdx.x + 1]; x += blockDim.x)
        out[x] = blockIdx.x + 1;
}
)",
                                 "add");
  std::vector<int> bounds;
  for (std::int64_t r = 0; r < rows.size(); ++r)
    bounds.insert(bounds.end(), {static_cast<int>(rows[r].lo), static_cast<int>(rows[r].hi)});
  auto ends = ctx.from<int>({10}, bounds);
  auto out = ctx.full<int>({40}, 7);
  add.launch({.grid = {5}, .block = {4}, .tables = {{"rows", rows}}}, out, ends);
  std::vector<int> expected = numbered(40, rows);
  for (std::size_t x = 0; x < expected.size(); ++x)
    if (expected[x] == 0) expected[x] = 7;  // no block declares it
  CHECK(out.read() == expected);
}

TEST_CASE("a table that is missing, unknown, too short or beyond the array is an argument_error that says which") {
  context ctx(quiet("cpu*2"));
  auto out = ctx.zeros<int>({100});
  const intervals rows({0, 40, 100});
  const kernel numbering = make_numbering(ctx, "global i => readwrite out[rows(i)]", rows);
  const auto error = [&](const launch_options& how) {
    return message_of<argument_error>([&] { numbering.launch(how, out); });
  };
  CHECK(says(error({.threads = {2}}), "table_test.cpp:", "launch of 'numbering'", "column 27",
             "the launch gives no table `rows`: .tables = {{\"rows\", ts::intervals(...)}}"));
  CHECK(says(error({.threads = {2}, .tables = {{"row", rows}}}), "names no table `row`", "did you mean `rows`?"));
  CHECK(says(error({.threads = {2}, .tables = {{"rows", rows}, {"other", rows}}}), "names no table `other`"));
  CHECK(says(error({.threads = {3}, .tables = {{"rows", rows}}}), "threads ask for rows 0 to 2 of table 'rows'",
             "which has 2"));
  CHECK(says(error({.threads = {2}, .tables = {{"rows", intervals({0, 40, 101})}}}),
             "row 1 of table 'rows' is [40, 101)", "axis 0 of 'out' has only [0, 100)"));
  const kernel plain = ctx.compile("__global__ void plain(int* y) { y[0] = 1; }", "plain");
  CHECK(says(message_of<argument_error>([&] {
               plain.launch({.threads = {1}, .tables = {{"rows", rows}}}, out);
             }),
             "a table `rows` is given in .tables, but the kernel has no annotation"));
  CHECK(out.read() == std::vector<int>(100));
}

TEST_CASE("explain names tables and shows what their rows are") {
  context ctx(quiet("cpu*2"));
  auto out = ctx.zeros<int>({100});
  const intervals rows({0, 20, 40, 100});
  const kernel numbering = make_numbering(ctx, "global i => readwrite out[rows(i)]", rows);
  const std::string text = numbering.explain({.threads = {3}, .block = {1}, .tables = {{"rows", rows}}}, out);
  CHECK(says(text, "table rows: 3 rows of hash 0x", "writes out [0:20]", "writes out [20:100]"));
}

TEST_CASE("ranks that give other tables are told which table differs") {
  const std::vector<std::string> errors = support::errors_on_ranks(
      2, [](int) { return quiet("cpu"); },
      [](context& ctx) {
        const intervals same({0, 30, 60}), rows({0, 30, ctx.rank() == 0 ? 60 : 61});
        const kernel k = ctx.native("two", "int* a, int* b", "global i => readwrite a[equal(i)], b[other(i)]",
                                    support::everywhere([](native_call&) {}));
        auto a = ctx.zeros<int>({100}), b = ctx.zeros<int>({100});
        k.launch({.threads = {2}, .tables = {{"equal", same}, {"other", rows}}}, a, b);
        ctx.wait();
        (void)a.read();
      });
  REQUIRE(!errors.empty());
  CHECK(says(errors.front(), "the ranks make different calls", "launch of 'two'", "table equal: 2 rows of hash 0x",
             "table other: 2 rows of hash 0x"));
  const auto hash_behind = [&](const std::string& name, std::size_t from) {
    const std::size_t at = errors.front().find(name, from);
    REQUIRE(at != std::string::npos);
    return errors.front().substr(at, errors.front().find(',', at) - at);
  };
  const std::size_t second = errors.front().find("it is:");
  CHECK(hash_behind("table equal", 0) == hash_behind("table equal", second));
  CHECK(hash_behind("table other", 0) != hash_behind("table other", second));
}

TEST_CASE("a kernel that touches what is not in its thread's row is named" * doctest::skip(support::on_gpu())) {
  context ctx(quiet("cpu", "access"));  // of two devices either might be the first to find it
  const kernel sum = ctx.compile(R"(
//@tessera global i => read values[rows(i)], write y[i]
__global__ void sum(int n, int* y, const int* values, int beyond) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int s = 0;
    for (int k = 10 * i; k < 10 * (i + 1) + beyond; ++k) s += values[k];
    y[i] = s;
}
)",
                                 "sum");
  auto values = ctx.from<int>({100}, counted(100));
  auto y = ctx.zeros<int>({10});
  const launch_options how{.threads = {10},
                           .block = {2},
                           .tables = {{"rows", intervals(std::vector{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100})}}};
  sum.launch(how, 10, y, values, 0);
  CHECK(y.read()[1] == 145);
  sum.launch(how, 10, y, values, 1);
  CHECK(says(message_of<annotation_error>([&] { (void)y.read(); }), "'sum'", "thread (0) of block (0) reads values[10]",
             "which its annotation does not declare"));
}
