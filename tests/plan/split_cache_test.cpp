#include "tessera/plan/split/cache.h"

#include <doctest/doctest.h>

#include "tessera/base/error.h"
#include "tessera/plan/access/codec.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/annotation/binding_cache.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

/// Launches that sum the thousand elements of x, on two devices, with the same bits everywhere.
class sums {
 public:
  [[nodiscard]] launch_shape of(const dtype& type, const std::string& mode) {
    annotation a = parse_annotation("global i => " + mode + " s, read x[i]");
    check_against(a, std::vector<parameter_info>{{"s", true, false}, {"x", true, true}});
    const extents one{1}, many{1000};
    const std::vector<array_argument> arguments{{&one, true}, {&many, true}};
    return {"sum",
            {{1000}, {10}},
            {},
            std::make_shared<const access_pattern>(bind(a, {{}, arguments})),
            {{"s", one, type, cache.partition_for({}, one)}, {"x", many, type, cache.partition_for({}, many)}},
            {{0, 0, box::whole(one)}, {1, 1, box::whole(many)}}};
  }

  split_cache cache{machine_table::uniform(1, 2, {"cpu", std::int64_t{1} << 30}, {.deterministic = true}), node_id(0)};
};

}  // namespace

TEST_CASE("kernels that differ in the type of their elements alone do not share a plan") {
  sums s;
  const auto ints = s.cache.split(s.of(dtype_of<int>(), "reduce(+)"));
  const auto floats = s.cache.split(s.of(dtype_of<float>(), "reduce(+)"));
  CHECK_FALSE(ints->in_order);
  CHECK(floats->in_order);
  (void)s.cache.split(s.of(dtype_of<int>(), "atomic(+)"));
  CHECK_THROWS_AS((void)s.cache.split(s.of(dtype_of<float>(), "atomic(+)")), argument_error);
  const auto pairs = s.cache.split(s.of(dtype::make(scalar_kind::float32, 2), "reduce(+)"));
  const auto doubles = s.cache.split(s.of(dtype_of<double>(), "reduce(+)"));
  CHECK_FALSE(pairs->in_order);
  CHECK(doubles->in_order);
}

TEST_CASE("a launch that is repeated gets the plan that was made for it") {
  sums s;
  const auto first = s.cache.split(s.of(dtype_of<float>(), "reduce(+)"));
  (void)s.cache.split(s.of(dtype_of<int>(), "reduce(+)"));
  CHECK(s.cache.split(s.of(dtype_of<float>(), "reduce(+)")) == first);
}

TEST_CASE("a key that is written from parts is that of the shape, and tells one array from two equal ones") {
  sums s;
  launch_shape shape = s.of(dtype_of<float>(), "reduce(+)");
  split_key whole, parts;
  whole.set(shape);
  parts.begin(shape.name, shape.space, shape.split, nullptr);
  for (std::size_t i = 0; i < 2; ++i) {
    const array_slot& slot = shape.slots[i];
    parts.add_slot(slot.name, slot.shape, slot.type, slot.home.get());
    parts.add_use(shape.uses[i].parameter, shape.uses[i].slot, shape.uses[i].slice);
  }
  parts.end(access_codec::code_of(*shape.accesses), {});
  CHECK(whole.bytes() == parts.bytes());
  const auto plan = s.cache.split(shape);
  CHECK(s.cache.find(parts) == plan);

  shape.slots[0] = shape.slots[1];
  shape.uses[0].slice = shape.uses[1].slice;
  split_key two, one;
  two.set(shape);
  shape.uses[1].slot = 0;
  one.set(shape);
  CHECK(two.bytes() != one.bytes());
  CHECK(s.cache.find(two) == nullptr);
}

TEST_CASE("a binding for an element passed by value is not that for a scalar or an array") {
  annotation a = parse_annotation("global i => write y[i]");
  check_against(a, std::vector<parameter_info>{{"y", true, false}, {"c", false, false}});
  const extents many{100}, one{1};
  binding_cache cache;
  const auto rules = [&](const array_argument& c) {
    const std::vector<array_argument> arguments{{&many, true}, c};
    return cache.bind(a, {{}, arguments})->pattern.rules.size();
  };
  CHECK(rules({}) == 1);
  CHECK(rules({&one, true, false}) == 1);
  CHECK(rules({&one, true, true}) == 2);
}
