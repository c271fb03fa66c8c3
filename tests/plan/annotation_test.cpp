#include "tessera/plan/annotation/annotation.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "tests/plan/annotation_support.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

const std::vector<parameter_info> stencil{{"n", false, false}, {"output", true, false}, {"input", true, true}};

std::string check_error(std::string_view text, std::span<const parameter_info> parameters = stencil) {
  annotation a = parse_annotation(text);
  return message_of<annotation_error>([&] { check_against(a, parameters); });
}

std::string bind_error(const fake_launch& launch, std::string_view text) {
  return message_of<argument_error>([&] { (void)launch.bind(text); });
}

}  // namespace

TEST_CASE("the stencil declares three points read and one written per thread") {
  annotation a = parse_annotation("global i => read input[i-1:i+1], write output[i]");
  check_against(a, stencil);
  const extents shape{1000};
  const std::array<array_argument, 3> arrays{array_argument{}, {&shape, true}, {&shape, true}};
  const access_pattern p = bind(a, {{}, arrays});
  REQUIRE(p.rules.size() == 2);
  CHECK(p.rules[0].parameter == 2);
  CHECK(p.rules[0].mode == access_mode::read);
  CHECK(p.rules[1].parameter == 1);
  CHECK(p.rules[1].mode == access_mode::write);
  const auto names = name_intervals(p.names, {{1000}, {256}}, {{3}, {4}}, padding::exclude);
  std::vector<box> out;
  evaluate(p.rules[0], names, shape, out);
  evaluate(p.rules[1], names, shape, out);
  CHECK(out == std::vector{box{{767}, {1000}}, box{{768}, {1000}}});
}

TEST_CASE("a mode holds until another is given and its words may name arrays") {
  const fake_launch launch{
      .arrays = {{"a", {4}}, {"b", {4}}, {"write", {4}}, {"c", {4}}}, .constants = {}, .scalars = {}};
  const access_pattern p = launch.bind("read a, b, write, reduce(max) c");
  REQUIRE(p.rules.size() == 4);
  CHECK(p.rules[1].mode == access_mode::read);
  CHECK(p.rules[2].mode == access_mode::read);
  CHECK(p.rules[2].parameter == 2);
  CHECK(p.rules[3].mode == access_mode::reduce);
  CHECK(p.rules[3].op == reduce_op::max);
  CHECK_FALSE(p.single);
}

TEST_CASE("every combining operation is understood") {
  const fake_launch launch{.arrays = {{"a", {4}}}, .constants = {}, .scalars = {}};
  for (const char* op : {"+", "*", "min", "max", "&", "|", "^"}) {
    CHECK(to_string(launch.bind(cat("atomic(", op, ") a")).rules[0].op) == op);
    CHECK(launch.bind(cat("reduce( ", op, " ) a")).rules[0].mode == access_mode::reduce);
  }
}

TEST_CASE("names are bound per axis, with gaps and kinds mixed") {
  const fake_launch launch{.arrays = {{"a", {100, 100, 100}}}, .constants = {{"n", 7}}, .scalars = {}};
  const access_pattern p = launch.bind("global [i < n+1, _], block [_, k], local [_, _, t] => read a[t, k, i]");
  REQUIRE(p.names.size() == 3);
  CHECK(p.names[0] == bound_name{bound_name::kind::global, 0, 8});
  CHECK(p.names[1] == bound_name{bound_name::kind::block, 1, std::nullopt});
  CHECK(p.names[2] == bound_name{bound_name::kind::local, 2, std::nullopt});
}

TEST_CASE("open ends, steps and nested functions are read as written") {
  const fake_launch launch{.arrays = {{"a", {100, 100}}}, .constants = {{"k", 5}}, .scalars = {}};
  const auto all = launch.boxes("global i => read a[2*i:, :min(i+1, k, 50)], a[::2*k, -(-3) : max(i, 4)%3 + 0x10]",
                                {{8}, {4}}, {{1}, {2}});
  CHECK(all[0] == std::vector{box{{8, 0}, {100, 6}}});
  CHECK(all[1] == std::vector{box{{0, 3}, {91, 19}}});
}

TEST_CASE("single, alone or with rules, is never split") {
  const fake_launch launch{.arrays = {{"c_in", {9}}, {"out", {9}}}, .constants = {}, .scalars = {"n"}};
  const access_pattern bare = launch.bind("single");
  CHECK(bare.single);
  CHECK(bare == default_pattern(launch.parameters()));
  REQUIRE(bare.rules.size() == 2);
  CHECK(bare.rules[0].mode == access_mode::read);
  CHECK(bare.rules[1].mode == access_mode::readwrite);
  const access_pattern ruled = launch.bind("single => read c_in[3], write out");
  CHECK(ruled.single);
  CHECK(ruled.rules[0].indices.size() == 1);
}

TEST_CASE("a view holds for later mentions of its array") {
  const fake_launch launch{.arrays = {{"a", {12}}, {"b", {12}}}, .constants = {}, .scalars = {}};
  const access_pattern p = launch.bind("global i => read a as [3, 4][i, :], b[i], readwrite a[:, i], a as [:][i]");
  CHECK(p.rules[0].view == storage_view{{3, 4}, 0});
  CHECK_FALSE(p.rules[1].view.has_value());
  CHECK(p.rules[2].view == storage_view{{3, 4}, 0});
  CHECK_FALSE(p.rules[3].view.has_value());
}

TEST_CASE("one extent of a view may be left to the array's size") {
  const fake_launch launch{.arrays = {{"a", {35}}, {"b", {6, 5}}}, .constants = {}, .scalars = {}};
  const auto shape = [&](std::string_view text) { return launch.bind(text).rules[0].view.value().shape; };
  CHECK(shape("read a as [:, 10][1, 2], none b") == extents{4, 10});
  CHECK(shape("read a as [:, 10] at 10 [1, 2], none b") == extents{3, 10});
  CHECK(shape("read a as [:, 10] at 99, none b") == extents{0, 10});
  CHECK(shape("read b as [2, :, 5], none a") == extents{2, 3, 5});
  CHECK_FALSE(launch.bind("read b as [:, 5][0, 0], none a").rules[0].view.has_value());
  CHECK(says(bind_error(launch, "read a as [2, :], none b"), "35 elements do not divide into 2 parts"));
}

TEST_CASE("a null array drops its rules") {
  annotation a = parse_annotation("global i => read input[i], write output[i]");
  check_against(a, stencil);
  const extents shape{10};
  const std::array<array_argument, 3> arrays{array_argument{}, {&shape, true}, {}};
  const access_pattern p = bind(a, {{}, arrays});
  REQUIRE(p.rules.size() == 1);
  CHECK(p.rules[0].parameter == 1);
}

TEST_CASE("constants are published once each with their source") {
  annotation a = parse_annotation("global i < n, m = blockDim.y*T => read input[i*m + gridDim.z*T], write output[i]");
  check_against(a, stencil);
  REQUIRE(a.constants().size() == 4);
  CHECK(a.constants()[0].name == "n");
  CHECK(a.constants()[0].from == constant_slot::source::parameter);
  CHECK(a.constants()[0].index == 0);
  CHECK(a.constants()[1].name == "blockDim.y");
  CHECK(a.constants()[1].from == constant_slot::source::block_dim);
  CHECK(a.constants()[1].index == 1);
  CHECK(a.constants()[2].from == constant_slot::source::launch);
  CHECK(a.constants()[3].from == constant_slot::source::grid_dim);
}

TEST_CASE("an annotation must fit the kernel's signature") {
  CHECK(says(check_error("read inptu, write output"), "no array `inptu`; did you mean `input`?"));
  CHECK(says(check_error("read zzzzzzzz, write output"), "it has `output`, `input`"));
  CHECK(says(check_error("read input"), "no rule names the array `output`; expected one, or `none output`"));
  CHECK(says(check_error("read output, write input"), "`input` points to const"));
  CHECK(says(check_error("none output, atomic(+) input"), "contradicts `atomic`"));
  CHECK(says(check_error("read n, input, output"), "`n` is a scalar"));
  CHECK(says(check_error("global i => read input[i+output], write output"), "`output` is an array"));
  CHECK(says(check_error("read input, none output, write output"), "`none` for `output` contradicts"));
  CHECK(says(check_error("read input, reduce(+) output, reduce(*) output"),
             "two different ways: `reduce(+)` and `reduce(*)`"));
}

TEST_CASE("what a launch gives must suit the annotation") {
  fake_launch launch{.arrays = {{"a", {10}}, {"b", {4, 5}}}, .constants = {{"z", 0}}, .scalars = {"z"}};
  CHECK(says(bind_error(launch, "global i => read a[T*i], none b"), ".let = {{\"T\", ...}}"));
  CHECK(
      says(bind_error(launch, "global i => read a[i/z], none b"), "in `i/z`: the right side of `/` must be positive"));
  CHECK(says(bind_error(launch, "global i => read a[0:9:z], none b"), "step of a slice must be positive, not 0"));
  CHECK(says(bind_error(launch, "read b[0], none a"), "1 index for `b`, which has 2 axes; `b as [:]`"));
  CHECK(says(bind_error(launch, "read a as [2, 5][0], none b"), "1 index for `a`, which has 2 axes in this view"));
  CHECK(says(bind_error(launch, "read a as [0-1], none b"), "extent of a view cannot be -1"));
  CHECK(says(bind_error(launch, "read a as [5] at z-1, none b"), "a view cannot begin at -1"));
  launch.constants["z"] = std::numeric_limits<std::int64_t>::max();
  CHECK(says(bind_error(launch, "global i => read a[i+z*2], none b"), "in `i+z*2`: constant overflows 64 bits"));
  CHECK(says(bind_error(launch, "read a as [z, z], none b"), "element count overflows"));
  CHECK(says(bind_error(launch, "read a as [z] at z, none b"), "end overflows"));
}

TEST_CASE("a slice with gaps cannot be reshaped") {
  annotation a = parse_annotation("read input as [:, 2], none output");
  check_against(a, stencil);
  const extents shape{4, 5};
  const std::array<array_argument, 3> arrays{array_argument{}, {&shape, true}, {&shape, false}};
  CHECK_THROWS_AS((void)bind(a, {{}, arrays}), argument_error);
}

TEST_CASE("an annotation is not bound before it was checked") {
  CHECK_THROWS_AS((void)bind(parse_annotation("read a"), {}), argument_error);
}
