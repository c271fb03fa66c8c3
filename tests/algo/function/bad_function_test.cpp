#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <string>

#include "tests/algo/container/support.h"

using namespace tessera::support;

struct without_text {
  float a;
  float operator()(float x) const { return a * x; }
};
struct unknown_element {
  int a, b, c;
};

TS_DEVICE(struct functor_of_two { float operator()(float x, int k) const { return x * (float)k;
}
}
;
struct known_element {
  float a;
};
float first(ts::index1, known_element e) { return e.a; }
int whole_count(ts::index1, ts::vec<int> all) { return (int)all.size(); }
int at_two(ts::index2 p) { return (int)p.row; })

namespace {
  /// The message of the argument_error that `call` throws.
  template <class Call>
  std::string message(Call call) {
    try {
      call();
    } catch (const ts::argument_error& e) {
      return e.what();
    }
    return "nothing was thrown";
  }

#define CHECK_MESSAGE_HAS(call, part)                                   \
  {                                                                     \
    const std::string text = message([&] { static_cast<void>(call); }); \
    INFO(text);                                                         \
    CHECK(text.find(part) != std::string::npos);                        \
  }

}  // namespace

TEST_CASE("functions that do not fit their arguments are refused with the place of the call") {
  ts::context ctx(quiet("cpu*2"));
  ts::set_default_context(ctx);
  ts::vector<float> x(10, 1.0f, ctx), y(11, 1.0f, ctx);
  ts::vector<int> i(10, 1, ctx);
  ts::matrix<int> m(2, 5, ctx);
  const auto negated = ts::map([](auto e) { return -e; });
  CHECK_MESSAGE_HAS(ts::map(without_text{2})(x), "'without_text' has no device text: put it in TS_DEVICE(...)");
  CHECK_MESSAGE_HAS(ts::map(without_text{2})(x), "bad_function_test.cpp:");
  CHECK_MESSAGE_HAS(ts::reduce(ts::vector<unknown_element>(3, ctx), ts::minimum()),
                    "'unknown_element' has no device text");
  CHECK_MESSAGE_HAS(ts::map(functor_of_two{})(x), "takes 2 arguments, but 1 are given");
  CHECK_MESSAGE_HAS(ts::map<first>()(x), "argument 1 of 'first' is of type known_element, but elements of type float");
  CHECK_MESSAGE_HAS(ts::map<whole_count>().into(i, 3), "takes a whole container, not a number");
  CHECK_MESSAGE_HAS(ts::map<whole_count>().into(i, m), "takes a container of 1 axes, not one of the shape {2, 5}");
  CHECK_MESSAGE_HAS(ts::map<at_two>().into(i), "takes an index of 2 axes, but the elements have 1");
  CHECK_MESSAGE_HAS(ts::map(ts::plus())(x, y), "elements of the shapes {10} and {11} do not belong together");
  CHECK_MESSAGE_HAS(negated.into(y, x), "an output of the shape {11} for elements of the shape {10}");
  CHECK_MESSAGE_HAS(negated.into(i, x), "output 1 holds int32, but");
  CHECK_MESSAGE_HAS(ts::map<whole_count>().into(i, i), "the output is also read as a whole");
  CHECK_MESSAGE_HAS(negated.into(x.part(1, 6), x.part(0, 5)), "the output is also an input at other elements");
  CHECK_MESSAGE_HAS(ts::map([](auto e) { return ts::tuple(e, e); }).into(x, x, y), "elements of the shape");
  ts::context other(quiet("cpu"));
  ts::vector<float> foreign(10, 1.0f, other);
  CHECK_MESSAGE_HAS(ts::map(ts::plus()).into(x, x, foreign), "belongs to another context");
}

TEST_CASE("a function of more than 256 operations is refused with a hint") {
  ts::context ctx(quiet("cpu"));
  ts::vector<float> x(10, 1.0f, ctx);
  const auto long_sum = ts::map([](auto e) {
    auto sum = e;
    for (int k = 0; k < 300; ++k) sum = sum * e + 1.0f;
    return sum;
  });
  CHECK_MESSAGE_HAS(long_sum(x), "more than 256 operations; write it as text, with TS_FN");
}

TEST_CASE("text that is C++ but no device code is an error that names the file and the line") {
  ts::context ctx(quiet("cpu"));
  ts::vector<float> x(10, 1.0f, ctx);
  const std::string place = "bad_function_test.cpp:" + std::to_string(__LINE__ + 1);
  const auto printing = TS_FN([](float v) { return v + static_cast<float>(std::string("abc").size()); });
  ts::vector<float> y = ts::map(printing)(x);
  try {
    static_cast<void>(y.to_host());
    FAIL("nothing was thrown");
  } catch (const ts::compile_error& e) {
    INFO(e.what());
    CHECK(std::string(e.what()).find(place) != std::string::npos);
  }
}

TEST_CASE("empty containers and containers with fewer elements than devices are legal everywhere") {
  ts::context ctx(quiet("cpu*5"));
  for (const std::int64_t n : {0, 1, 3}) {
    ts::vector<int> v(n, 2, ctx);
    CHECK(ts::map([](auto e) { return e * e; })(v).size() == n);
    CHECK(ts::reduce(v).get() == 2 * n);
    CHECK(ts::inclusive_scan(v).size() == n);
    ts::matrix<int> m(n, 0, ctx);
    CHECK(ts::reduce_rows(m).to_host() == std::vector<int>(static_cast<std::size_t>(n), 0));
  }
}
