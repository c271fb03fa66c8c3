#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <string>

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/fold_text.h"
#include "tessera/algo/exec/map_text.h"
#include "tessera/algo/exec/scan_text.h"
#include "tessera/algo/function/words.h"
#include "tests/algo/container/support.h"
#include "tests/support/cuda_compiling.h"

using namespace tessera::support;
using ts::algo::op;

namespace outer {
TS_DEVICE(struct pair_of { float a, b; }; enum mode{fast, slow};)
namespace inner {
TS_DEVICE(
    inline float first_of(pair_of p) { return p.a; } template <class T> T twice(T x) { return x + x; })
namespace {
TS_DEVICE(inline float both(pair_of p, int m) { return first_of(p) + (m == fast ? p.b : twice(p.b)); })
}  // namespace

op of_both() { return ts::algo::make_op<pair_of, int>(ts::algo::named_function<both>(), ts::call_site::current()); }
}  // namespace inner
}  // namespace outer

namespace tessera::part_of_tests {
TS_DEVICE(
    struct weight { float w; }; inline float heavier(weight a) { return 2 * a.w; })
}  // namespace tessera::part_of_tests

namespace {

template <class... Args, class F>
op made(const F& f) {
  return ts::algo::make_op<Args...>(f, ts::call_site::current());
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("functions that differ in numbers alone have one text and different states") {
  const auto scaled = [](float a) { return made<float>([a](auto x) { return a * x + 1.0f; }); };
  const op first = scaled(2), second = scaled(1);
  CHECK(first.text == second.text);
  CHECK(first.state != second.state);
  CHECK(first.state.size() == 2 * sizeof(float));
  CHECK(made<double>([](auto x) { return 2.0f * x + 1.0f; }).text != first.text);
}

TEST_CASE("mathematical functions of a float and an integer are computed in double, as in C++") {
  const auto result = [](const op& o) { return o.text->results[0].type; };
  CHECK(result(made<float, int>([](auto x, auto y) { return copysign(x, y); })) == "double");
  CHECK(result(made<int, float>([](auto x, auto y) { return fmod(x, y); })) == "double");
  CHECK(result(made<float>([](auto x) { return pow(x, 2); })) == "double");
  CHECK(result(made<float>([](auto x) { return pow(x, 2.0f); })) == "float");
  CHECK(result(made<int, int>([](auto x, auto y) { return hypot(x, y); })) == "double");
}

TEST_CASE("divisors and distances of shifts are part of the text, where compilers can use them") {
  const op a = made<int>([](auto x) { return x / 3 % 5 << 2; });
  CHECK(a.state.empty());
  CHECK(has(a.text->text, "(int)3LL"));
  CHECK(made<int>([](auto x) { return x / 4 % 5 << 2; }).text != a.text);
}

TEST_CASE("equal subexpressions are computed once, and what no result needs is left out") {
  const op a = made<float, float>([](auto x, auto y) {
    auto unused = sin(y);
    static_cast<void>(unused);
    return sqrt(x) * sqrt(x);
  });
  CHECK(a.text->text.find("sqrt") == a.text->text.rfind("sqrt"));
  CHECK(!has(a.text->text, "sin"));
}

TEST_CASE("the text of a function has the blocks that it needs, in their namespaces and in order") {
  const op both = outer::inner::of_both();
  const std::string text = ts::algo::definitions_of({both.text.get()});
  const std::size_t of_pair = text.find("struct pair_of"), of_first = text.find("first_of(pair_of"),
                    of_both = text.find("both(pair_of");
  CHECK(of_pair < of_first);
  CHECK(of_first < of_both);
  CHECK(of_both != std::string::npos);
  CHECK(has(text, "namespace outer::inner {"));
  CHECK(both.text->results.at(0).type == "float");
  CHECK(both.text->parameters.at(0).type == "outer::pair_of");
}

TEST_CASE("blocks may stand in namespaces of the library, too") {
  const op o = ts::algo::make_op<ts::part_of_tests::weight>(ts::algo::named_function<ts::part_of_tests::heavier>(),
                                                            ts::call_site::current());
  CHECK(has(o.text->blocks, "struct weight"));
}

TEST_CASE("the words of a block are told apart: what it declares, what it uses, which types it defines") {
  const auto words = ts::algo::words_of_block(
      "struct a { int member; }; enum class colour { red }; // comment\n float f(b x) { return g(x, \"text\"); }");
  CHECK(words.types == ts::algo::word_set{"a", "colour"});
  CHECK(words.declared == ts::algo::word_set{"a", "colour", "f", "red"});
  CHECK(words.used.contains("g"));
  CHECK(words.used.contains("member"));
  CHECK(!words.used.contains("comment"));
  CHECK(!words.used.contains("text"));
}

TEST_CASE("names that are qualified, and bases of a type, are no names that a block declares") {
  const auto words = ts::algo::words_of_block(
      "struct a : public other::base<int> { ts::vec<b> all; }; float outer::f(float x) { return tessera::algo::g(x); "
      "}");
  CHECK(words.declared == ts::algo::word_set{"a", "f"});
  CHECK(words.types == ts::algo::word_set{"a"});
  CHECK(words.used == ts::algo::word_set{"a", "all", "b", "base", "f", "other", "outer", "x"});
  CHECK(words.used_of_library == ts::algo::word_set{"algo", "g", "vec"});
}

TEST_CASE("parameters of templates are no names that a block declares") {
  const auto words = ts::algo::words_of_block(
      "template <class A, template <class> class F, int N = limit> struct a { A member; }; template <class B> B f(B "
      "x);");
  CHECK(words.declared == ts::algo::word_set{"a", "f"});
  CHECK(words.used.contains("limit"));
}

TEST_CASE("every kind of operator compiles for GPUs, as map, reduction and scan") {
  if (!can_compile_for_cuda()) return;
  ts::context ctx(quiet("cpu"));
  ts::vector<float> x(10, 1.0f, ctx);
  ts::matrix<float> m(3, 4, ctx);
  cuda_sources sources;
  const auto add_all = [&](const op& function, const std::vector<ts::algo::call_argument>& given, int axes) {
    const ts::algo::call bound = ts::algo::bind_call("map", function, given, ts::call_site::current());
    const ts::algo::call_text text(bound, axes, "a");
    const std::string type = function.text->results[0].type;
    std::vector<ts::algo::array_text> outputs;
    for (std::size_t k = 0; k < function.text->results.size(); ++k)
      outputs.push_back({"y" + std::to_string(k), function.text->results[k].type, 1, axes, false});
    sources.add(ts::algo::map_text(*function.text, text, outputs, axes).text, "map.cu");
    if (axes > 0 || outputs.size() > 1 || type != "float") return;
    const op plus = made<float, float>(ts::plus());
    const float limit = 3;
    const op bounded = made<float, float>([limit](auto a, auto b) { return min(a + b, limit); });
    for (const op* combine : {&plus, &bounded}) {
      const ts::algo::operator_text both{combine, "combine"};
      sources.add(ts::algo::segment_fold_text(*function.text, text, both, type).text, "reduce.cu");
      sources.add(ts::algo::chunk_total_text(*function.text, text, both, type).text, "total.cu");
      for (const bool exclusive : {false, true})
        for (const bool own_carry : {false, true})
          sources.add(ts::algo::chunk_scan_text(*function.text, text, both, type, {exclusive, true, own_carry}).text,
                      "scan.cu");
      sources.add(ts::algo::column_fold_text(both, type).text, "columns.cu");
    }
  };
  const auto elements = ts::algo::input_of(x).argument, matrix = ts::algo::input_of(m).argument;
  const float a = 2;
  add_all(made<float, float>([a](auto u, auto v) { return a * u + sqrt(abs(v)); }), {elements, elements}, 0);
  add_all(made<float>([](auto u) { return ts::tuple(u > 0, ts::select(u < 1, ts::to<int>(u), 7)); }), {elements}, 0);
  add_all(made<float>(TS_FN((a),
                            [=](float u) {
                              for (int k = 0; k < 3; ++k) u *= a;
                              return u;
                            })),
          {elements}, 0);
  add_all(made<float>(TS_FN([](ts::index2 p, float u, ts::mat<float> all) { return u + all(p.row, 0); })),
          {matrix, matrix}, 2);
  add_all(outer::inner::of_both(),
          {ts::algo::input_of(ts::vector<outer::pair_of>(4, ctx)).argument, ts::algo::input_of(1).argument}, 0);
  CHECK(sources.size() >= 20);
  for (const std::string& failure : sources.failures()) FAIL_CHECK(failure);
}
