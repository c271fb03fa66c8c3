// Calls that cannot be carried out, of functions that are correct by themselves.
#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"

using namespace tessera;
using support::message_of;
using support::quiet;
using support::says;

namespace {
namespace shapes {
constexpr int first_circle = __LINE__ + 1;
TS_DEVICE(struct circle { float radius; };)
}  // namespace shapes
using hidden_circle = shapes::circle;
constexpr int first_circle_line = shapes::first_circle;
}  // namespace
namespace shapes {
constexpr int second_circle = __LINE__ + 1;
TS_DEVICE(struct circle { double radius, x, y; };)
}  // namespace shapes
constexpr int second_circle_line = ::shapes::second_circle;

namespace {

template <class Call>
std::string refused(Call call) {
  return message_of<argument_error>(call);
}

template <class Body>
std::string error_on_ranks(Body body) {
  const std::vector<std::string> errors = support::errors_on_ranks(
      2, [](int) { return quiet("cpu"); }, body);
  return errors.empty() ? "nothing was thrown" : errors.front();
}

}  // namespace

TEST_CASE("two device texts for one name are refused with both places") {
  context ctx(quiet("cpu"));
  ts::vector<hidden_circle> all(10, ctx);
  const auto radius = TS_FN([](hidden_circle c) { return c.radius; });
  const auto place = [](int line) { return "bad_call_test.cpp:" + std::to_string(line); };
  CHECK(says(refused([&] { (void)ts::map(radius)(all); }), "'shapes::circle' has two device texts",
             place(first_circle_line), place(second_circle_line)));
}

TEST_CASE("a captured number that differs between ranks stops the ranks") {
  const std::string message = error_on_ranks([](context& ctx) {
    ts::vector<int> x(5'000, 1, ctx);
    const int own = ctx.rank();
    (void)ts::map([own](auto v) { return v + own; })(x).to_host();
  });
  CHECK(says(message, "the ranks make different calls"));
}

TEST_CASE("a size that differs between ranks stops the ranks") {
  const std::string message = error_on_ranks([](context& ctx) {
    ts::vector<int> x(5'000 + ctx.rank(), 1, ctx);
    (void)ts::map([](auto v) { return v + 1; })(x).to_host();
  });
  CHECK(says(message, "the ranks make different calls"));
}

TEST_CASE("reductions and scans that do not fit are refused with the line of the call") {
  context ctx(quiet("cpu*2"));
  ts::vector<float> none(0, ctx), x(10, 1.0f, ctx), short_output(9, ctx);
  const auto join = [](auto a, auto b) { return a + 2 * b; };
  CHECK(says(refused([&] { (void)ts::reduce(none, join); }), "bad_call_test.cpp:", "of no elements has no value"));
  CHECK(says(refused([&] { ts::inclusive_scan_into(short_output, x); }),
             "bad_call_test.cpp:", "an output of 9 elements for 10"));
  ts::matrix<float> empty_rows(3, 0, ctx);
  CHECK(says(refused([&] { (void)ts::reduce_rows(empty_rows, join); }), "of no elements has no value"));
}

TEST_CASE("pairs and neighbourhoods that do not fit are refused with both shapes") {
  context ctx(quiet("cpu*2"));
  ts::vector<float> x(10, 1.0f, ctx), y(5, 1.0f, ctx);
  ts::matrix<float> m(10, 5, ctx), wrong(5, 10, ctx);
  const auto gap = ts::map_pairs([](auto a, auto b) { return a - b; });
  CHECK(says(refused([&] { gap.into(wrong, x, y); }), "{5, 10}", "{10, 5}"));
  CHECK(says(refused([&] { (void)gap(x, m); }), "takes two vectors"));
  const auto far = ts::map_overlap<2>([](auto c) { return c(0, 2); }, {1, 1});
  CHECK(says(refused([&] { (void)far(m); }), "looks 2 elements away on axis 1", "the radius there is 1"));
  CHECK(says(refused([&] { (void)ts::map_overlap<2>([](auto c) { return c(0, 0); }, {1}); }), "a radius for 1 axes"));
  CHECK(says(refused([&] { (void)ts::map_overlap<1>([](auto c) { return c(0); }, {-1}); }), "-1 is negative"));
  CHECK(says(refused([&] {
               ts::map_overlap<2>([](auto c) { return c(0, 0); }, {1, 1}).into(m, m);
             }),
             "the output is also read around each element"));
}
