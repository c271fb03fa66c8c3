// The choice between kinds of devices, from facts and tables alone.
#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <numeric>

using namespace tessera;
using namespace tessera::algo;

namespace {

const std::vector<kind_facts> gpu_and_cpus{{"cuda", {0}, 50e9}, {"cpu", {1, 2}, 10e9}};

call_facts map_of(std::int64_t bytes, kind_set held = 3) {
  return {"map", 7, {{bytes, held, true}, {bytes, 0, false}}};
}

std::string chosen_kind(const tuning_table& table, const call_facts& call) {
  return gpu_and_cpus[fastest_kind(table, call, gpu_and_cpus)].name;
}

}  // namespace

TEST_CASE("without a table small calls go to CPUs and large ones to GPUs") {
  CHECK(chosen_kind({}, map_of(1 << 8)) == "cpu");
  CHECK(chosen_kind({}, map_of(1 << 26)) == "cuda");
}

TEST_CASE("elements that are elsewhere count with the link of the kind") {
  const std::int64_t bytes = 400'000;
  CHECK(chosen_kind({}, map_of(bytes, 3)) == "cuda");
  CHECK(chosen_kind({}, map_of(bytes, 1)) == "cuda");
  CHECK(call_facts(map_of(bytes, 1)).bytes_elsewhere(1) == bytes);  // what is written need not come
  CHECK(call_facts(map_of(bytes, 0)).bytes_elsewhere(0) == bytes);
  CHECK(estimated_seconds({}, map_of(bytes, 2), gpu_and_cpus, 0) -
            estimated_seconds({}, map_of(bytes, 3), gpu_and_cpus, 0) ==
        doctest::Approx(400'000 / 50e9));
  CHECK(chosen_kind({}, map_of(40'000, 1)) == "cuda");
  CHECK(chosen_kind({}, map_of(40'000, 2)) == "cpu");
}

TEST_CASE("what was measured of the function counts before what was measured of its skeleton") {
  tuning_table table;
  table.set({"cuda*1", "map", {{1000, 1e-5}, {1'000'000, 2e-5}}});
  table.set({"cpu*2", "map", {{1000, 1e-6}, {1'000'000, 1e-3}}});
  CHECK(chosen_kind(table, map_of(500)) == "cpu");
  CHECK(chosen_kind(table, map_of(500'000)) == "cuda");
  table.set({"cpu*2", function_row("map", 7), {{1000, 1e-6}, {1'000'000, 1.5e-5}}});
  CHECK(chosen_kind(table, map_of(500'000)) == "cpu");
  table.set({"cpu*2", function_row("map", 8), {{1000, 1}}});
  CHECK(chosen_kind(table, map_of(500'000)) == "cpu");
  table.set({"cpu*3", function_row("map", 7), {{1000, 1}}});  // another number of devices
  CHECK(chosen_kind(table, map_of(500'000)) == "cpu");
}

TEST_CASE("times between points of a table lie on lines, and grow in proportion behind the last") {
  tuning_table table;
  table.set({"cpu*1", "map", {{3000, 6.0}, {1000, 2.0}}});
  CHECK(*table.seconds("cpu*1", "map", 10) == 2.0);
  CHECK(*table.seconds("cpu*1", "map", 2000) == doctest::Approx(4.0));
  CHECK(*table.seconds("cpu*1", "map", 3000) == 6.0);
  CHECK(*table.seconds("cpu*1", "map", 30'000) == doctest::Approx(60.0));
  CHECK_FALSE(table.seconds("cpu*2", "map", 10));
  CHECK_FALSE(table.seconds("cpu*1", "scan", 10));
}

TEST_CASE("a table has a text, and lines that are no rows are left out") {
  tuning_table table;
  table.set({"cpu*1", "map", {{1000, 2.5e-6}, {3000, 6.125e-5}}});
  table.set({"cuda*4", "map 1234", {{1 << 20, 1e-4}}});
  CHECK(tuning_table::parse(table.text()).rows() == table.rows());
  table.set({"cpu*1", "map", {{5, 1.0}}});
  CHECK(table.rows().size() == 2);
  CHECK(table.rows()[0].points == std::vector<tuning_point>{{5, 1.0}});
  CHECK(tuning_table::parse("").rows().empty());
  CHECK(tuning_table::parse("another file\ncpu*1|map|1:1\n").rows().empty());
  const tuning_table some = tuning_table::parse(
      "tessera tuning 1\nno row\ncpu*1|map\ncpu*1|scan|\ncpu*1|a|x:1\ncpu*1|b|1:-1\ncpu*1|c|2:1 1:2\ncpu*1|d|1:2\n");
  REQUIRE(some.rows().size() == 1);
  CHECK(some.rows()[0] == tuning_row{"cpu*1", "d", {{1, 2.0}}});
}

TEST_CASE("devices share blocks in proportion to their weights, in whole blocks and without gaps") {
  using plan::slab;
  CHECK(weighted_slabs(8, 4, {2, 0}, {}) == std::vector<slab>{{0, 16, 2}, {16, 32, 0}});
  CHECK(weighted_slabs(8, 1, {0, 1, 2}, {6, 1, 1}) == std::vector<slab>{{0, 6, 0}, {6, 7, 1}, {7, 8, 2}});
  CHECK(weighted_slabs(1, 128, {3, 4}, {}).back().hi == 128);
  CHECK(weighted_slabs(0, 128, {3, 4}, {}).back() == slab{0, 0, 4});
  for (std::int64_t blocks = 0; blocks < 40; ++blocks) {
    const std::vector<slab> slabs = weighted_slabs(blocks, 3, {0, 1, 2, 3}, {0.1, 5, 0, 2.5});
    std::int64_t end = 0;
    for (const slab& s : slabs) {
      CHECK(s.lo == end);
      CHECK(s.hi >= s.lo);
      end = s.hi;
    }
    CHECK(end == 3 * blocks);
  }
}

TEST_CASE("all devices share a call by their measured speed") {
  tuning_table table;
  table.set({"cuda*1", "map", {{1000, 1.0}}});
  table.set({"cpu*2", "map", {{1000, 4.0}}});
  const device_shares shares = shares_of_all(table, map_of(500), gpu_and_cpus);
  CHECK(shares.devices == std::vector{0, 1, 2});
  CHECK(shares.weights[0] == doctest::Approx(8 * shares.weights[1]));
  CHECK(shares.weights[1] == shares.weights[2]);
}
