// Mistakes, and what the program is told.
#include "tests/algo/container/support.h"

using namespace tessera;
using support::quiet;
using support::says;

namespace {

template <class Call>
std::string message_of(Call call) {
  return support::message_of<argument_error>(call);
}

}  // namespace

TEST_CASE("guards that exclude each other name both lines") {
  context ctx(quiet("cpu*2"));
  ts::vector<int> v(100, ctx);
  const int line = __LINE__ + 1;
  const auto held = v.host(ts::write, 10, 20);
  const std::string first = "bad_input_test.cpp:" + std::to_string(line);
  const int second = __LINE__ + 1;
  const std::string message = message_of([&] { (void)v.host(ts::readwrite, 15, 30); });
  CHECK(says(message, first, "bad_input_test.cpp:" + std::to_string(second), "guard of [15:30]", "holds [10:20]"));
  CHECK(says(message_of([&] { (void)v.host(ts::read, 15, 30); }), first));
  CHECK_NOTHROW((void)v.host(ts::write, 20, 30));
  const auto one = v.host(ts::read, 50, 60), two = v.host(ts::read, 55, 65);
  CHECK(one.size() == 10);
}

TEST_CASE("a launch on what a guard holds names both lines, and may run when the guard has ended") {
  context ctx(quiet("cpu*2"));
  ts::vector<int> v(100, ctx);
  const kernel add = support::make_adder(ctx);
  auto held = v.host(ts::write, 10, 20);
  const int line = __LINE__ + 1;
  const auto launch = [&] { add.launch({.threads = {100}}, 100, v, 1); };
  CHECK(says(message_of(launch), "launch of [0:100]", "bad_input_test.cpp:" + std::to_string(line),
             "bad_input_test.cpp:" + std::to_string(line - 2)));
  CHECK_NOTHROW(add.launch({.threads = {80}}, 80, v.part(20, 100), 1));
  CHECK(says(message_of([&] { (void)v[12].get(); }), "access to an element", "holds [10:20]"));
  CHECK(v[9] == 0);
  CHECK(v[20] == 1);
  std::fill(held.begin(), held.end(), 5);
  held.give_back();
  CHECK_NOTHROW(launch());
  CHECK(v[12] == 6);
  const auto reading = v.host(ts::read, 0, 1);
  CHECK(says(message_of(launch), "launch of [0:100] (readwrite)", "holds [0:1] (read)"));
}

TEST_CASE("a call that is refused leaves its output as it was") {
  ts::context ctx(tessera::support::cut_everywhere("cpu*3"));
  ts::vector<int> in(100, 1, ctx), out(100, 2, ctx);
  const auto twice = ts::map([](auto x) { return 2 * x; });
  const auto sum = ts::map_overlap<1>([](auto c) { return c(-1) + c(1); }, {1});
  tessera::support::add_on_devices(out, 3);
  out[7] = 11;
  SUBCASE("its input is held") {
    const auto held = in.host(ts::write, 0, 5);
    CHECK_THROWS_AS(twice.into(out, in), ts::argument_error);
    CHECK_THROWS_AS(sum.into(out, in), ts::argument_error);
    CHECK_THROWS_AS(ts::inclusive_scan_into(out, in), ts::argument_error);
    CHECK_THROWS_AS(ts::map_pairs_reduce(ts::plus(), ts::plus()).into(out, out, in), ts::argument_error);
  }
  SUBCASE("its input belongs to another context") {
    context other(tessera::support::cut_everywhere("cpu"));
    const ts::vector<int> elsewhere(100, 1, other);
    CHECK_THROWS_AS(twice.into(out, elsewhere), ts::argument_error);
    CHECK_THROWS_AS(sum.into(out, elsewhere), ts::argument_error);
    CHECK_THROWS_AS(ts::inclusive_scan_into(out, elsewhere), ts::argument_error);
  }
  SUBCASE("some elements of its output are held") {
    const auto held = out.host(ts::read, 0, 1);
    CHECK_THROWS_AS(twice.into(out, in), ts::argument_error);
    CHECK_THROWS_AS(sum.into(out, in), ts::argument_error);
  }
  std::vector<int> expected(100, 5);
  expected[7] = 11;
  CHECK(out.to_host() == expected);
}

TEST_CASE("sizes do not change while the host holds elements") {
  context ctx(quiet("cpu*2"));
  ts::vector<int> v(100, ctx);
  const auto held = v.host(ts::read);
  CHECK(says(message_of([&] { v.resize(200); }), "resize", "holds [0:100]"));
  CHECK(says(message_of([&] { v.push_back(2); }), "push_back"));
  CHECK(says(message_of([&] { v.insert(v.begin(), 2); }), "insert"));
  CHECK(says(message_of([&] { v.erase(v.begin()); }), "erase"));
  CHECK(v.size() == 100);
}

TEST_CASE("indices out of range are named") {
  context ctx(quiet("cpu*2"));
  ts::vector<int> v(100, ctx);
  ts::matrix<int> m(3, 4, ctx);
  CHECK(says(message_of([&] { (void)v.at(100); }), "no element 100 among 100"));
  CHECK(says(message_of([&] { v[-1] = 3; }), "no element -1"));
  CHECK(says(message_of([&] { (void)v[100].get(); }), "no element 100"));
  CHECK(says(message_of([&] { (void)m(1, 4).get(); }), "{1, 4}", "{3, 4}"));
  CHECK(says(message_of([&] { m.at(3, 0) = 2; }), "{3, 0}"));
  CHECK(says(message_of([&] { (void)m.row(3); }), "[3:4, 0:4]", "{3, 4}"));
  CHECK(says(message_of([&] { (void)v.part(5, 101); }), "[5:101]", "{100}"));
  CHECK(says(message_of([&] { (void)v.host(ts::read, 8, 7); }), "[8:7]"));
  ts::vector<int> none(ctx);
  CHECK(says(message_of([&] { (void)none.front(); }), "no element 0 among 0"));
  CHECK(says(message_of([&] { none.pop_back(); }), "pop_back"));
}

TEST_CASE("what no machine can hold is refused before anything happens") {
  context ctx(quiet("cpu*2"));
  ts::vector<int> v({1, 2, 3}, ctx);
  constexpr std::int64_t huge = std::int64_t{1} << 60;
  CHECK_THROWS_AS(v.resize(huge), out_of_memory);
  CHECK_THROWS_AS(v.reserve(huge), out_of_memory);
  CHECK_THROWS_AS(v.insert(v.begin(), huge, 3), out_of_memory);
  CHECK_THROWS_AS(ts::vector<int>(huge, ctx), out_of_memory);
  CHECK_THROWS_AS((ts::matrix<int>(huge, huge, ctx)), out_of_memory);
  CHECK_THROWS_AS(v.resize(-1), argument_error);
  CHECK_THROWS_AS((ts::matrix<int>(-1, 2, ctx)), argument_error);
  CHECK(v.to_host() == std::vector{1, 2, 3});
}

TEST_CASE("in check mode an iterator from before a change of size is refused") {
  context ctx(quiet("cpu*2", "uninitialised"));
  ts::vector<int> v(100, 1, ctx);
  const auto before = v.begin();
  const auto part = v.part(0, 10);
  CHECK(*before == 1);
  v.resize(50);
  CHECK(says(message_of([&] { (void)before[3].get(); }), "before a change of its size"));
  CHECK(says(message_of([&] { (void)algo::operand_of(before, v.begin()); }), "before a change of its size"));
  CHECK(says(message_of([&] { (void)part.to_host(); }), "before a change of its size"));
  CHECK(*v.begin() == 1);
}

TEST_CASE("containers of other contexts and shapes are refused") {
  context ctx(quiet("cpu*2")), other(quiet("cpu"));
  ts::vector<int> v(100, ctx), w(100, other);
  CHECK(says(message_of([&] { support::make_adder(ctx).launch({.threads = {100}}, 100, w, 1); }), "another context"));
  CHECK(says(message_of([&] { (void)algo::operand_of(v.begin(), w.end()); }), "different containers"));
  CHECK(says(message_of([&] { (void)algo::operand_of(v.begin() + 5, v.begin()); }), "no range"));
  CHECK(says(message_of([&] { v.from_own(std::vector<int>(99)); }), "99"));
  CHECK(says(message_of([&] { v.from_root(0, std::vector<int>(99)); }), "99"));
  CHECK(says(message_of([&] { v.from_root(1, std::vector<int>(100)); }), "rank 1"));
  CHECK(says(message_of([&] { ts::tensor<int, 3>({2, 3}, ctx); }), "3 axes", "{2, 3}"));
  CHECK(says(message_of([&] { ts::matrix<int>(2, 3, std::vector{1, 2}, ctx); }), "{2, 3}", "2 values"));
  ts::matrix<int> m(10, 10, ctx);
  CHECK(says(message_of([&] { (void)algo::operand_of(m.begin() + 1, m.end()); }), "take a box"));
  CHECK(algo::operand_of(m.begin(), m.end()).part == box({0, 0}, {10, 10}));
}

TEST_CASE("what a guard excludes is refused also where the call has no results") {
  context ctx(quiet("cpu*2"));
  const ts::matrix<int> rows(1, 4, 1, ctx);
  const ts::matrix<int> none(1, 0, 0, ctx);
  const auto first = ts::map(TS_FN([](ts::row<int> line, int x) { return x + line[0]; }));
  {
    const auto held = rows.host(ts::readwrite);
    CHECK(says(message_of([&] { static_cast<void>(first(rows, none)); }), "guard"));
  }
  CHECK(first(rows, none).size() == 0);
}
