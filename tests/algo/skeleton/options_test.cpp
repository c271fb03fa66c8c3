// What may be said about reductions and scans: where they run, what they are called, and how they are carried out.
#include <numeric>

#include "tests/algo/container/support.h"

using namespace tessera;
using support::cut_everywhere;
using support::message_of;
using support::says;

namespace {

std::vector<int> numbers(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) values[static_cast<std::size_t>(k)] = k * 7919 % 1009;
  return values;
}

/// True if a plan has the launch's name and says that nothing but device 2 computes.
bool is_on_device_2(const std::string& plan) {
  INFO(plan);
  const bool elsewhere = plan.find("on device 0\n") != std::string::npos ||
                         plan.find("on device 1\n") != std::string::npos ||
                         plan.find("on device 3\n") != std::string::npos;
  CHECK(says(plan, "'my step'", "on device 2\n"));
  CHECK_FALSE(elsewhere);
  return says(plan, "'my step'", "on device 2\n") && !elsewhere;
}

}  // namespace

TEST_CASE("reductions run where it is said, under the name that is given, and explain it") {
  context ctx(cut_everywhere("cpu*4"));
  const std::vector<int> values = numbers(10'000);
  const ts::vector<int> x(values, ctx);
  const int total = std::accumulate(values.begin(), values.end(), 0);
  const auto sum = ts::reduce().on({2}).name("my step");
  CHECK(is_on_device_2(sum.explain(x)));
  CHECK(sum(x).get() == total);
  CHECK(sum(x.begin(), x.begin() + 10).get() == std::accumulate(values.begin(), values.begin() + 10, 0));
  CHECK(ts::reduce<long long>(ts::maximum()).on(ts::all)(x).get() == 1008);
  const auto doubled = ts::map_reduce([](auto e) { return e + e; }, ts::plus()).on({2}).name("my step");
  CHECK(is_on_device_2(doubled.explain(x)));
  CHECK(doubled(x).get() == 2 * total);
  const std::string two = sum.explain(x);
  CHECK(two.find("launch of", two.find("launch of") + 1) != std::string::npos);  // of the elements, and of their parts
  CHECK(sum.explain(ts::vector<int>(0, ctx)).empty());
}

TEST_CASE("reductions of rows and columns run where it is said, and explain it") {
  context ctx(cut_everywhere("cpu*4"));
  const ts::matrix<int> m(300, 70, numbers(21'000), ctx);
  const auto rows = ts::reduce_rows().on({2}).name("my step");
  const auto columns = ts::reduce_columns(ts::maximum()).on({2}).name("my step");
  CHECK(is_on_device_2(rows.explain(m)));
  CHECK(is_on_device_2(columns.explain(m)));
  CHECK(rows(m).to_host() == ts::reduce_rows(m).to_host());
  CHECK(columns(m).to_host() == ts::reduce_columns(m, ts::maximum()).to_host());
}

TEST_CASE("scans run where it is said, and explain it") {
  context ctx(cut_everywhere("cpu*4"));
  const ts::vector<int> x(numbers(10'000), ctx);
  const auto running = ts::inclusive_scan().on({2}).name("my step");
  const auto before = ts::exclusive_scan(ts::plus()).on({2}).name("my step");
  CHECK(is_on_device_2(running.explain(x)));
  CHECK(is_on_device_2(before.explain(x)));
  CHECK(running(x).to_host() == ts::inclusive_scan(x).to_host());
  CHECK(before(x, 5).to_host() == ts::exclusive_scan(x, 5).to_host());
  ts::vector<int> out(10'000, ctx);
  running.into(out, x);
  CHECK(out.to_host() == ts::inclusive_scan(x).to_host());
  before.into(out, x, 5);
  CHECK(out.to_host() == ts::exclusive_scan(x, 5).to_host());
}

TEST_CASE("what is explained does not run, and changes nothing") {
  context ctx(cut_everywhere("cpu*2"));
  ts::vector<int> x(numbers(5000), ctx), y(5000, 3, ctx);
  y[7] = 11;
  const auto next = ts::map([](auto e) { return e + 1; });
  CHECK(says(next.explain(y, x), "launch of"));
  CHECK(y[7] == 11);
  CHECK(y[8] == 3);
  ts::matrix<int> m(60, 50, 1, ctx);
  const std::int64_t before = ctx.stats().superblocks;
  CHECK(says(ts::reduce().explain(x), "launch of"));
  CHECK(says(ts::reduce().explain(m.box(2, 9, 3, 7)), "launch of"));  // a copy of the box is told, too
  CHECK(says(ts::inclusive_scan().explain(x), "launch of"));
  CHECK(says(ts::reduce_columns().explain(m), "launch of"));
  CHECK(ctx.stats().superblocks == before);
}

TEST_CASE("devices that are not there are refused with the line of the skeleton") {
  context ctx(cut_everywhere("cpu*2"));
  const ts::vector<int> x(10, 1, ctx);
  const std::string place = __FILE__ + (":" + std::to_string(__LINE__ + 1) + ": ");
  const auto sum = ts::reduce().on({5});
  CHECK(says(message_of<argument_error>([&] { static_cast<void>(sum(x)); }), place));
  CHECK(says(message_of<argument_error>([&] { static_cast<void>(sum.explain(x)); }), place));
  CHECK(says(message_of<argument_error>([&] { static_cast<void>(ts::inclusive_scan().on({5})(x)); }),
             "options_test.cpp:"));
  const auto absent = tessera::support::on_gpu() ? ts::reduce().on(ts::cpu) : ts::reduce().on(ts::cuda);
  CHECK(says(message_of<argument_error>([&] { static_cast<void>(absent(x)); }), "options_test.cpp:"));
}
