#include <doctest/doctest.h>

#include <algorithm>

#include "tests/fuzz/generate/program.h"
#include "tests/fuzz/generate/shrink.h"
#include "tests/fuzz/kernels/source_entry.h"
#include "tests/fuzz/print/program.h"
#include "tests/fuzz/reference/launch.h"
#include "tests/fuzz/run/execute.h"

namespace tessera::fuzz {
namespace {

launch_op launch_of(kernel k, std::vector<argument_spec> arguments, std::int64_t threads) {
  launch_op l;
  l.definition = std::move(k);
  l.arguments = std::move(arguments);
  l.threads = {threads};
  l.block = {1};
  return l;
}

/// A kernel over one int array with one rule.
kernel one_rule(access mode, index_spec index) {
  kernel k;
  k.names = {{bound::kind::global, 0, std::nullopt}};
  k.parameters.resize(1);
  k.parameters[0].rules = {declares(mode, {std::move(index)})};
  return k;
}

create_op array_of(std::int64_t n) {
  create_op c;
  c.shape = {n};
  return c;
}

argument_spec all_of(std::int64_t n) { return {0, {{0}, {n}}}; }

bool has_atomic(const program& p) {
  return std::any_of(p.operations.begin(), p.operations.end(), [](const operation& o) {
    const auto* l = std::get_if<launch_op>(&o);
    if (l == nullptr) return false;
    return std::any_of(l->definition.parameters.begin(), l->definition.parameters.end(), [](const parameter& q) {
      return std::any_of(q.rules.begin(), q.rules.end(), [](const rule& r) { return r.mode == access::atomic; });
    });
  });
}

}  // namespace

TEST_CASE("two hundred random programs give what the sequential interpreter gives") {
  for (std::uint64_t index = 0; index < 200; ++index) {
    const program p = generate(20'240, index);
    const auto expected = expected_outcomes(p);
    REQUIRE(expected);
    const auto wrong = run_program(p, *expected);
    INFO("program ", index, ": ", wrong ? wrong->message : "");
    CHECK_FALSE(wrong);
  }
}

TEST_CASE("a program is a function of seed and number") {
  const program a = generate(5, 17), b = generate(5, 17), other = generate(5, 18);
  const auto text = [](const program& p) { return as_cpp(p, *expected_outcomes(p), std::nullopt); };
  CHECK(text(a) == text(b));
  CHECK(text(a) != text(other));
}

TEST_CASE("a kernel's arguments are exchanged only where its scalars describe them both ways") {
  const program p = generate(555, 46187);  // once drew two columns of different pitch
  CHECK_FALSE(run_program(p, *expected_outcomes(p)));
}

TEST_CASE("a result that differs from the expected one is reported with operation and element") {
  program p;
  create_op c = array_of(8);
  c.contents = create_op::kind::from;
  p.devices = {2, 1};
  p.operations = {c, read_op{all_of(8), false}};
  auto expected = *expected_outcomes(p);
  CHECK_FALSE(run_program(p, expected));
  expected[1].bytes[5 * sizeof(int)] ^= std::byte{1};
  const auto wrong = run_program(p, expected);
  REQUIRE(wrong);
  CHECK(wrong->operation == 1);
  CHECK(wrong->element == 5);
}

TEST_CASE("a launch whose threads write the same element has no determined result") {
  reference state;
  outcome result;
  REQUIRE(state.apply(array_of(8), result));
  index_expr half = affine(0);
  CHECK(state.apply(launch_of(one_rule(access::write, point(half)), {all_of(8)}, 8), result));
  half.divide = 2;
  CHECK_FALSE(state.apply(launch_of(one_rule(access::write, point(half)), {all_of(8)}, 8), result));
  CHECK(state.apply(launch_of(one_rule(access::atomic, point(half)), {all_of(8)}, 8), result));
}

TEST_CASE("a launch that reads elements never written has no determined result") {
  reference state;
  outcome result;
  create_op c = array_of(8);
  c.contents = create_op::kind::empty;
  REQUIRE(state.apply(c, result));
  const launch_op increment = launch_of(one_rule(access::readwrite, point(affine(0))), {all_of(8)}, 8);
  CHECK_FALSE(state.apply(increment, result));
  CHECK(state.apply(launch_of(one_rule(access::write, point(affine(0))), {all_of(8)}, 8), result));
  CHECK(state.apply(increment, result));
}

TEST_CASE("the interpreter says which splits are in conflict, and Tessera agrees") {
  program p;
  p.devices = {2};
  launch_op pairs = launch_of(one_rule(access::write, point(affine(0, 2))), {all_of(9)}, 5);
  pairs.definition.parameters[0].rules[0].indices[0] = slice(affine(0, 2), affine(0, 2, 1));
  pairs.split_form = launch_op::split::blocks;
  pairs.pieces = {2};
  launch_op neighbours = pairs;
  neighbours.definition = one_rule(access::readwrite, point(affine(0)));
  neighbours.definition.parameters.push_back(neighbours.definition.parameters[0]);
  neighbours.definition.parameters[1].rules = {declares(access::read, {point(affine(0, 1, 5))})};
  neighbours.arguments = {all_of(9), all_of(9)};
  neighbours.threads = {4};
  p.operations = {array_of(9), pairs, neighbours, read_op{all_of(9), false}};
  const auto expected = expected_outcomes(p);
  REQUIRE(expected);
  CHECK_FALSE((*expected)[1].refused[0]);
  CHECK_FALSE((*expected)[2].refused[0]);
  CHECK_FALSE(run_program(p, *expected));

  // Thread 0 reads element 0 and thread 1 element 2, but the first superblock of a strided write declares its hull.
  launch_op strided = launch_of(one_rule(access::write, point(affine(0))), {all_of(9)}, 2);
  strided.definition.parameters[0].rules = {declares(access::write, {slice(affine(0), affine(0, 1, 6), 2)})};
  strided.split_form = launch_op::split::blocks;
  strided.pieces = {1};
  p.operations = {array_of(9), strided, read_op{all_of(9), false}};
  const auto refused = expected_outcomes(p);
  REQUIRE(refused);
  CHECK((*refused)[1].refused[0]);
  CHECK_FALSE(run_program(p, *refused));
}

TEST_CASE("the shrinker leaves only what a failure needs") {
  std::uint64_t index = 0;
  while (!has_atomic(generate(3, index)) || generate(3, index).operations.size() < 20) ++index;
  const program small = shrink(generate(3, index), has_atomic);
  CHECK(has_atomic(small));
  CHECK(small.operations.size() == 2);  // an array and the launch
  CHECK(small.devices == std::vector<int>{1});
  CHECK(expected_outcomes(small));
}

}  // namespace tessera::fuzz
