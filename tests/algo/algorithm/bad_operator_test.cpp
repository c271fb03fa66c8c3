// Operators that are not what a call needs, where programs are checked, and ranges that are none.
#include <functional>
#include <string>

#include "tests/algo/algorithm/support.h"

using namespace tessera::support;
namespace views = ts::views;

TS_DEVICE(struct moves_on { int operator()(int x, int y) const { return 2 * x + y;
}
}
;
struct beats {
  bool operator()(int x, int y) const { return (y - x + 3) % 3 == 1; }
};)

namespace {
  using ints = std::vector<int>;

  struct checked_context {
    ts::context ctx;
    explicit checked_context(const char* devices = "cpu*3")
        : ctx([&] {
            ts::options settings = calm(devices, "unwritten");
            settings.small = 0;
            return settings;
          }()) {}
  };

  /// The message of the `argument_error` that `call` throws.
  template <class Call>
  std::string refusal(Call call) {
    try {
      call();
    } catch (const ts::argument_error& e) {
      return e.what();
    }
    return "accepted";
  }
  bool contains(const std::string& message, const char* text) {
    CAPTURE(message);
    CHECK(message.find(text) != std::string::npos);
    return message.find(text) != std::string::npos;
  }

}  // namespace

TEST_CASE("operators that are not associative are named with the first elements that show it") {
  checked_context on;
  const ts::vector<int> x({0, 0, 0, 0, 0, 5, 1, 2}, on.ctx), keys(8, 1, on.ctx);
  const auto minus = [](auto a, auto b) { return a - b; };
  const auto shown = [&](const auto& call) {
    const std::string message = refusal(call);
    return contains(message, "is not associative: of elements 3 to 5") &&
           contains(message, "from the left and another from the right") && contains(message, "bad_operator_test.cpp");
  };
  CHECK(shown([&] { static_cast<void>(ts::reduce(x, minus)); }));
  CHECK(shown([&] { static_cast<void>(ts::reduce(x.begin(), x.end(), ts::minus())); }));
  CHECK(shown([&] { static_cast<void>(ts::reduce(x | views::transform([](auto v) { return v + 0; }), minus)); }));
  CHECK(shown([&] { static_cast<void>(ts::inclusive_scan(x, ts::host([](int a, int b) { return a - b; }))); }));
  CHECK(shown([&] { ts::exclusive_scan(x, x, 0, TS_FN([](int a, int b) { return a - b; })); }));
  CHECK(shown([&] { ts::transform_inclusive_scan(x, x, ts::identity(), minus); }));
  CHECK(shown([&] { static_cast<void>(ts::inclusive_scan_by_key(keys, x, ts::equal_to(), minus)); }));
  CHECK(shown([&] { static_cast<void>(ts::exclusive_scan_by_key(keys, x, 0, ts::equal_to(), minus)); }));
  CHECK(shown([&] { static_cast<void>(ts::segmented_reduce(x, std::vector<std::int64_t>{0, 8}, 0, minus)); }));
  CHECK(shown([&] { static_cast<void>(ts::reduce_by_key(keys, x, ts::equal_to(), minus)); }));
  const ts::vector<int> ones(4, 1, on.ctx);
  CHECK(contains(refusal([&] { static_cast<void>(ts::reduce(ones, moves_on())); }),
                 "'moves_on' is not associative: of elements 0 to 2"));
}

TEST_CASE("operators are not looked at for associativity without checks, and sums of floats never are") {
  ts::context calmly(calm("cpu"));
  CHECK(ts::reduce(ts::vector<int>({4, 1}, calmly), ts::minus()).get() == 3);
  CHECK(refusal([&] { static_cast<void>(ts::reduce(ts::vector<int>(9, 1, calmly), ts::minus()).get()); }) ==
        "accepted");
  checked_context on;
  const ts::vector<float> x({0.1f, 1e8f, -1e8f, 0.3f}, on.ctx);
  CHECK(refusal([&] { static_cast<void>(ts::reduce(x, [](auto a, auto b) { return a + b; }).get()); }) == "accepted");
  const ts::vector<int> y({3, 1, 2, 9}, on.ctx);
  CHECK(ts::reduce(y, [](auto a, auto b) { return a + b; }).get() == 15);
  CHECK(ts::inclusive_scan(y, ts::maximum()).to_host() == ints{3, 3, 3, 9});
}

TEST_CASE("a comparison by which elements cannot be put in order is named with the place") {
  checked_context on("cpu");
  ts::vector<int> x({0, 1, 2}, on.ctx);  // they stand in order, but the last comes before the first
  CHECK(contains(refusal([&] { ts::sort(x, beats()); }),
                 "'beats' is no strict weak order: by it the elements cannot be put in order, the one at place 0 is "
                 "followed by one that comes before it, at place 2"));
  ts::vector<int> y({1, 1}, on.ctx);
  CHECK(contains(refusal([&] { ts::sort(y, std::less_equal<>()); }),
                 "it says that an element comes before itself, the one that stands at place 0"));
}

TEST_CASE("iterators of two containers are no range") {
  ts::context ctx(quiet("cpu*2"));
  ts::vector<int> x(6, 1, ctx), y(6, 2, ctx);
  const char* const why = "two iterators of different containers are no range of elements";
  CHECK(contains(refusal([&] { ts::sort(x.begin(), y.end()); }), why));
  CHECK(contains(refusal([&] { ts::fill(x.begin(), y.end(), 3); }), why));
  CHECK(contains(refusal([&] { static_cast<void>(ts::reduce(x.begin(), y.end())); }), why));
  CHECK(contains(refusal([&] { ts::copy_if(x.begin(), y.end(), y.begin(), [](auto v) { return v == 1; }); }), why));
  CHECK(contains(refusal([&] { static_cast<void>(ts::lower_bound(x.begin(), y.end(), 1)); }), why));
  CHECK(contains(refusal([&] { ts::inclusive_scan(x.begin(), y.end(), x.begin()); }), why));
  CHECK(x.to_host() == ints(6, 1));
  CHECK(y.to_host() == ints(6, 2));
}

TEST_CASE("results that can never fit are refused before anything runs") {
  ts::context ctx(calm("cpu*2"));
  const auto endless = views::counting(std::int64_t{0}, std::int64_t{1} << 61);
  movement during(ctx);
  CHECK_THROWS_AS(static_cast<void>(ts::copy_if(endless, [](auto v) { return v == 0; })), ts::out_of_memory);
  CHECK_THROWS_AS(static_cast<void>(ts::inclusive_scan(endless)), ts::out_of_memory);
  CHECK_THROWS_AS(static_cast<void>(ts::unique_copy(endless)), ts::out_of_memory);
  CHECK_THROWS_AS(static_cast<void>(ts::gather(endless, endless)), ts::out_of_memory);
  CHECK(during.moved().launches == 0);
}
