#include "tessera/plan/split/slabs.h"

#include <doctest/doctest.h>

#include <random>

#include "tessera/base/error.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/distribution.h"
#include "tessera/plan/split/cache.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

const char* const elementwise = "global [i, j] => write y[j, i], read x[j, i]";

/// A launch over the elements of y and x in blocks of 8 by 4 threads; x axis along rows.
launch_shape launch_of(const extents& shape, const partition_ptr& home, const split_spec& split = {},
                       const std::string& text = elementwise) {
  annotation a = parse_annotation(text);
  check_against(a, std::vector<parameter_info>{{"y", true, false}, {"x", true, true}});
  const std::vector<array_argument> arguments{{&shape, true}, {&shape, true}};
  return {"kernel",
          {{shape[1], shape[0]}, {8, 4}},
          split,
          std::make_shared<const access_pattern>(bind(a, {{}, arguments})),
          {{"y", shape, dtype_of<float>(), home}, {"x", shape, dtype_of<float>(), home}},
          {{0, 0, box::whole(shape)}, {1, 1, box::whole(shape)}}};
}

layout listed(std::vector<placed_box> parts) {
  layout home;
  home.form = layout::kind::listed;
  home.parts = std::move(parts);
  return home;
}

split_spec in_slabs(std::vector<slab> slabs, int axis = split_spec::slowest_axis) {
  split_spec split;
  split.form = split_spec::kind::slabs;
  split.slabs = std::move(slabs);
  split.axis = axis;
  return split;
}

split_spec on_device(int device) {
  split_spec split;
  split.form = split_spec::kind::on_device;
  split.device = device;
  return split;
}

/// What the launch of 100 by 60 threads (x by y) throws on four devices with these slabs.
std::string complaint(const split_spec& split, const std::string& text = elementwise) {
  const auto home = make_partition({}, {60, 100}, 4);
  try {
    (void)split_launch(launch_of({60, 100}, home, split, text), machine_table::uniform(1, 4), node_id(0));
  } catch (const argument_error& e) {
    return e.what();
  }
  return "no error";
}

/// The granules and device of every superblock along `axis`.
std::vector<slab> placed(const split_plan& plan, int axis) {
  std::vector<slab> result;
  for (std::int64_t s = 0; s < plan.grid->size(); ++s) {
    const box part = plan.grid->part(s);
    result.push_back({part.lo[axis], part.hi[axis], (*plan.devices)[static_cast<std::size_t>(s)]});
  }
  return result;
}

}  // namespace

TEST_CASE("a launch is cut where its listed parts end and runs on their devices") {
  const auto home = make_partition({}, {60, 100}, 4);
  const auto split = [&](const split_spec& spec) {
    return split_launch(launch_of({60, 100}, home, spec), machine_table::uniform(2, 2), node_id(0));
  };
  const auto rows = split(in_slabs({{48, 60, 1}, {0, 4, 3}, {4, 4, 2}, {4, 48, 1}}));
  CHECK(placed(*rows, 1) == std::vector<slab>{{0, 1, 3}, {1, 12, 1}, {12, 15, 1}});
  const auto columns = split(in_slabs({{0, 96, 0}, {96, 100, 3}}, 0));
  CHECK(placed(*columns, 0) == std::vector<slab>{{0, 12, 0}, {12, 13, 3}});
  REQUIRE(rows->notes.size() == 1);
  CHECK(rows->notes[0] == "split by hand in parts [48, 60) on 1, [0, 4) on 3, [4, 4) on 2, [4, 48) on 1");
}

TEST_CASE("parts lie along the last axis that has more than one thread") {
  const auto home = make_partition({}, {1, 100}, 2);
  const auto plan = split_launch(launch_of({1, 100}, home, in_slabs({{0, 40, 1}, {40, 100, 0}})),
                                 machine_table::uniform(1, 2), node_id(0));
  CHECK(placed(*plan, 0) == std::vector<slab>{{0, 5, 1}, {5, 13, 0}});
}

TEST_CASE("listed parts that do not make a launch are refused with the first place that is wrong") {
  CHECK(complaint(in_slabs({{0, 8, 0}, {16, 60, 1}})) ==
        "launch of 'kernel': no part has the threads [8, 16) of axis 1; parts must cover all 60");
  CHECK(complaint(in_slabs({{0, 8, 0}, {8, 56, 1}})) ==
        "launch of 'kernel': no part has the threads [56, 60) of axis 1; parts must cover all 60");
  CHECK(complaint(in_slabs({})) ==
        "launch of 'kernel': no part has the threads [0, 60) of axis 1; parts must cover all 60");
  CHECK(complaint(in_slabs({{20, 60, 0}, {40, 60, 3}, {0, 24, 1}})) ==
        "launch of 'kernel': parts [0, 24) and [20, 60) of axis 1 overlap at [20, 24)");
  CHECK(complaint(in_slabs({{0, 10, 0}, {10, 60, 1}})) ==
        "launch of 'kernel': part [0, 10) of axis 1 cuts a thread block: it must begin and end at multiples of 4 "
        "threads, or at the end of the launch, 60");
  CHECK(complaint(in_slabs({{0, 64, 0}})) ==
        "launch of 'kernel': part [0, 64) does not lie within the 60 threads of axis 1");
  CHECK(complaint(in_slabs({{8, 4, 0}, {0, 60, 0}})) ==
        "launch of 'kernel': part [8, 4) does not lie within the 60 threads of axis 1");
  CHECK(complaint(in_slabs({{0, 60, 4}})) == "launch of 'kernel': device 4 does not exist; there are 4");
  CHECK(complaint(in_slabs({{0, 60, 0}, {60, 60, -1}})) == "launch of 'kernel': device -1 does not exist; there are 4");
  CHECK(complaint(in_slabs({{0, 60, 0}}, 2)) ==
        "launch of 'kernel': parts along axis 2, but the launch has 2 axes; x is axis 0");
  CHECK(complaint(on_device(7)) == "launch of 'kernel': device 7 does not exist; there are 4");
}

TEST_CASE("listed parts that write the same element, or cut a kernel that is one piece, are refused") {
  const std::string pairs = "global [i, j] => write y[j/8, i], read x[j, i]";
  CHECK(complaint(in_slabs({{0, 32, 0}, {32, 60, 1}}), pairs) == "no error");
  CHECK(complaint(in_slabs({{0, 28, 0}, {28, 60, 1}}), pairs).find("cannot be split like this: superblocks 0") !=
        std::string::npos);
  const std::string single = "single => write y, read x";
  CHECK(complaint(in_slabs({{0, 32, 0}, {32, 60, 1}}), single).find("cannot be split into 2 superblocks") !=
        std::string::npos);
  CHECK(complaint(in_slabs({{0, 0, 3}, {0, 60, 1}}), single) == "no error");
}

TEST_CASE("a launch that is to run on one device is one superblock there") {
  for (const char* text : {elementwise, "single => write y, read x"}) {
    const auto home = make_partition({}, {60, 100}, 4);
    const auto plan =
        split_launch(launch_of({60, 100}, home, on_device(2), text), machine_table::uniform(2, 2), node_id(1));
    CHECK(placed(*plan, 1) == std::vector<slab>{{0, 15, 2}});
    REQUIRE(plan->local.size() == 1);
    CHECK(plan->local[0].device == 0);
    CHECK(plan->notes == std::vector<std::string>{"not split: it is to run on device 2"});
  }
}

TEST_CASE("sums with the same bits everywhere are cut alike and placed as the user says") {
  const std::string sums = "global [i, j] => reduce(+) y, read x[j, i]";
  const auto home = make_partition({}, {60, 100}, 4);
  const auto machine = machine_table::uniform(1, 4, {"cpu", std::int64_t{1} << 30}, {.deterministic = true});
  const auto split = [&](const split_spec& spec) {
    return split_launch(launch_of({60, 100}, home, spec, sums), machine, node_id(0));
  };
  const auto plain = split({}), slabs = split(in_slabs({{0, 20, 3}, {20, 60, 1}})), all = split(on_device(2));
  REQUIRE(plain->grid->size() > 15);
  for (std::int64_t s = 0; s < plain->grid->size(); ++s) {
    REQUIRE(slabs->grid->part(s) == plain->grid->part(s));
    REQUIRE(all->grid->part(s) == plain->grid->part(s));
    CHECK((*slabs->devices)[static_cast<std::size_t>(s)] == (plain->grid->part(s).hi[1] <= 5 ? 3 : 1));
    CHECK((*all->devices)[static_cast<std::size_t>(s)] == 2);
  }
}

TEST_CASE("launches that differ in their parts or device alone do not share a plan, equal ones do") {
  split_cache cache(machine_table::uniform(1, 4), node_id(0));
  const auto plan = [&](const split_spec& spec) {
    return cache.split(launch_of({60, 100}, cache.partition_for({}, {60, 100}), spec));
  };
  const std::vector<split_spec> all{{},
                                    in_slabs({{0, 60, 0}}),
                                    in_slabs({{0, 60, 1}}),
                                    in_slabs({{0, 8, 1}, {8, 60, 1}}),
                                    in_slabs({{0, 100, 1}}, 0),
                                    on_device(0),
                                    on_device(1)};
  for (const split_spec& a : all)
    for (const split_spec& b : all) CHECK((plan(a) == plan(b)) == (a == b));
}

TEST_CASE("arrays that are listed alike share a partition, others do not") {
  split_cache cache(machine_table::uniform(1, 4), node_id(0));
  const auto upper = [](int device) { return listed({{box({0, 0}, {30, 100}), device, 0}}); };
  const auto first = cache.partition_for(upper(1), {60, 100});
  CHECK(cache.partition_for(upper(1), {60, 100}) == first);
  CHECK(cache.partition_for(upper(2), {60, 100}) != first);
  CHECK(cache.partition_for(upper(1), {90, 100}) != first);
}

TEST_CASE("listed slabs are cut where their device changes, and along no other axis") {
  std::mt19937 random(5);
  const auto pick = [&](std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
  };
  for (int round = 0; round < 500; ++round) {
    const int rank = static_cast<int>(pick(1, 3)), axis = static_cast<int>(pick(0, rank - 1));
    extents shape = extents::uniform(rank, 1);
    for (int k = 0; k < rank; ++k) shape[k] = pick(1, 9);
    std::vector<placed_box> slabs;
    for (std::int64_t n = pick(0, 6); n > 0; --n) {
      placed_box s{box::whole(shape), static_cast<int>(pick(0, 2)), n};
      s.bounds.lo[axis] = pick(0, shape[axis]);
      s.bounds.hi[axis] = pick(s.bounds.lo[axis], shape[axis]);
      slabs.push_back(s);
    }
    const auto parts = make_partition(listed(slabs), shape, 3);
    const auto device_at = [&](std::int64_t index) {
      box one = box::whole(extents::uniform(rank, 1));
      one.lo[axis] = index, one.hi[axis] = index + 1;
      std::vector<partition::piece> found;
      parts->pieces(one, found);
      REQUIRE(found.size() == 1);
      return found[0].device;
    };
    std::vector<std::int64_t> changes;
    for (std::int64_t i = 1; i < shape[axis]; ++i)
      if (device_at(i) != device_at(i - 1)) changes.push_back(i);
    CHECK(parts->cuts(axis) == changes);
    for (int k = 0; k < rank; ++k)
      if (k != axis && changes.size() > 0) CHECK(parts->cuts(k).empty());
  }
}

TEST_CASE("boxes that are no slabs give no cuts where an index has several owners") {
  const auto parts = make_partition(listed({{box({0, 0}, {4, 8}), 1, 0},
                                            {box({4, 0}, {6, 8}), 2, 1},
                                            {box({6, 0}, {9, 4}), 1, 2},
                                            {box({6, 4}, {9, 8}), 2, 3}}),
                                    {10, 8}, 3);
  CHECK(parts->cuts(0) == std::vector<std::int64_t>{4});  // 6 and 9 border on rows of two devices
  CHECK(parts->cuts(1).empty());
}

TEST_CASE("launches follow listed slabs to their devices, and a device that owns nothing gets nothing") {
  const auto home = make_partition(listed({{box({0, 0}, {20, 100}), 3, 0},
                                           {box({20, 0}, {20, 100}), 0, 1},
                                           {box({20, 0}, {24, 100}), 1, 2},
                                           {box({24, 0}, {60, 100}), 3, 3}}),
                                   {60, 100}, 4);
  split_spec like;
  like.form = split_spec::kind::like;
  like.parameter = 1;
  for (const split_spec& spec : {split_spec{}, like}) {
    const auto plan = split_launch(launch_of({60, 100}, home, spec), machine_table::uniform(2, 2), node_id(0));
    CHECK(placed(*plan, 1) == std::vector<slab>{{0, 5, 3}, {5, 6, 1}, {6, 15, 3}});
  }
}

TEST_CASE("a superblock runs where most of what it writes is at home, not where that begins") {
  const auto home =
      make_partition(listed({{box({0, 0}, {9, 100}), 2, 0}, {box({9, 0}, {60, 100}), 1, 0}}), {60, 100}, 4);
  split_spec by_hand;
  by_hand.form = split_spec::kind::blocks;
  by_hand.blocks = {0, 20};
  const auto plan = split_launch(launch_of({60, 100}, home, by_hand), machine_table::uniform(1, 4), node_id(0));
  CHECK(placed(*plan, 1) == std::vector<slab>{{0, 5, 1}, {5, 10, 1}, {10, 15, 1}});
}

TEST_CASE("a listed part that does not fit is cut into pieces that stay on its device, or refused everywhere") {
  const auto home = make_partition({}, {60, 100}, 2);
  const launch_shape shape = launch_of({60, 100}, home, in_slabs({{0, 56, 1}, {56, 60, 0}}));
  const auto plan = split_launch(shape, machine_table::uniform(1, 2, {"cpu", 40'000, 64}), node_id(0));
  REQUIRE(plan->local.size() == 2);
  CHECK(plan->local[0].device == 1);
  CHECK(plan->local[0].pieces.size() > 1);
  for (const launch_piece& p : plan->local[0].pieces) CHECK(plan->local[0].granules.contains(p.granules));
  CHECK(plan->local[1].pieces.empty());
  for (int rank = 0; rank < 2; ++rank)
    CHECK_THROWS_AS((void)split_launch(shape, machine_table::uniform(2, 1, {"cpu", 200, 64}), node_id(rank)),
                    out_of_memory);
}
