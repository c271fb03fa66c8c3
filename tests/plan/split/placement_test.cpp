#include "tessera/plan/split/placement.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

#include "tessera/plan/split/home_bytes.h"
#include "tests/plan/split/placed_launch.h"

using namespace tessera;
using namespace tessera::plan;

TEST_CASE("a launch whose cuts cross the distribution's axis uses all devices, one superblock each") {
  for (const int rows : {60, 61, 4, 5, 1000}) {  // of 5 rows in parts of 2, the last device is home to one
    const auto machine = machine_table::uniform(1, 3);
    const launch_shape shape = launch_of(columns, {{30'000}, {256}}, {{{rows, 30'000}}}, machine);
    CHECK(devices_of(shape, machine) == std::vector<int>{0, 1, 2});
    CHECK(says(notes_of(shape, machine), "in balance: 3 of 3 superblocks"));
  }
  const auto ranks = machine_table::uniform(16, 8);
  CHECK(devices_of(launch_of(columns, {{300'000}, {256}}, {{{1000, 300'000}}}, ranks), ranks) == counted(128));
}

TEST_CASE("kernels that loop over the first axis, strided views and transposes use all devices") {
  const auto machine = machine_table::uniform(2, 2);
  const extents cube{64, 128, 256};
  const launch_shape stencil = launch_of("global [i, j] => write y[:, j, i], read x[:, j-1:j+1, i-1:i+1]",
                                         {{256, 128}, {32, 8}}, {{cube}, {cube}}, machine);
  CHECK(devices_of(stencil, machine) == counted(4));
  const launch_shape strides = launch_of("global i, T = 1024 => atomic(+) y, read x as [:, T][:, i]", {{1024}, {128}},
                                         {{{1}}, {{10'000}}}, machine);
  const std::vector<int> used = devices_of(strides, machine);
  CHECK(used.size() == 4);
  CHECK(std::set<int>(used.begin(), used.end()).size() == 4);
  const launch_shape transpose = launch_of("global [i, j] => write y[i, j], read x[j, i]", {{256, 256}, {16, 16}},
                                           {{{256, 256}}, {{256, 256}}}, machine);
  CHECK(devices_of(transpose, machine) == counted(4));
}

TEST_CASE("where cuts follow the distribution, every superblock runs at home") {
  const auto machine = machine_table::uniform(2, 2);
  const extents shape{103, 40};
  for (const layout& home : {layout{}, tiles({7}), tiles({10}, true), tiles({20, 20}, true)}) {
    const launch_shape launch = launch_of("global [i, j] => write y[j, i], read x[j, i]", {{40, 103}, {8, 1}},
                                          {{shape, home}, {shape, home}}, machine);
    const auto plan = split_launch(launch, machine, node_id(0));
    REQUIRE(plan->grid->size() > 3);
    home_bytes bytes(*plan->grid);
    std::set<int> used;
    for (std::int64_t s = 0; s < plan->grid->size(); ++s) {
      const auto shares = bytes.of(s);
      const auto most = std::max_element(shares.begin(), shares.end(),
                                         [](const home_share& a, const home_share& b) { return a.bytes < b.bytes; });
      const int device = (*plan->devices)[static_cast<std::size_t>(s)];
      CHECK(device == most->device);
      used.insert(device);
    }
    CHECK(used.size() == 4);
  }
}

TEST_CASE("an array that the user put on one device draws its launches there, as one superblock") {
  const auto machine = machine_table::uniform(2, 2);
  for (const char* text : {"global i => write y[i], read x[i]", "global i => reduce(+) x, read y[i]"}) {
    const launch_shape shape = launch_of(text, {{65'536}, {64}}, {{{65'536}, on_device(2)}, {{65'536}}}, machine);
    const auto plan = split_launch(shape, machine, node_id(1));
    CHECK(*plan->devices == std::vector<int>{2});
    CHECK(plan->whole_by_choice);
    CHECK(says(notes_of(shape, machine), "at home on device 2"));
  }
}

TEST_CASE("devices take work in proportion to what they are home to") {
  const auto machine = machine_table::uniform(1, 4);
  const extents shape{100, 6'400};
  const layout uneven =
      listed({{box({0, 0}, {50, 6'400}), 3, 0}, {box({50, 0}, {75, 6'400}), 1, 1}, {box({75, 0}, {100, 6'400}), 2, 2}});
  const launch_shape launch = launch_of(columns, {{6'400}, {64}}, {{shape, uneven}}, machine, in_blocks({100}));
  std::map<int, int> taken;
  for (const int d : devices_of(launch, machine)) ++taken[d];
  CHECK(taken[0] == 0);
  CHECK(taken[3] == 25);
  CHECK(taken[1] + taken[2] == 25);
  CHECK(std::abs(taken[1] - taken[2]) <= 1);
}

TEST_CASE("the bytes of all arrays that are written count, and of all that are read if none is") {
  const auto machine = machine_table::uniform(1, 3);
  const extents shape{64, 64};
  const domain space{{64}, {64}};
  const auto device = [&](const char* text, const std::vector<int>& homes) {
    std::vector<array_of_test> arrays;
    for (const int d : homes) arrays.push_back({shape, on_device(d)});
    const launch_shape launch = launch_of(text, space, arrays, machine);
    return place(launch_grid(launch, {{0, 1}}), machine).devices.front();
  };
  CHECK(device("global i => write y[0, i], x[:, i], read z", {1, 2, 0}) == 2);
  CHECK(device("global i => read y[0, i], x[:, i], atomic(+) z", {1, 2, 0}) == 2);
}

TEST_CASE("what all superblocks read does not decide where they run") {
  const auto machine = machine_table::uniform(1, 4);
  const launch_shape launch = launch_of("global i => reduce(+) y, read x[i], z", {{4'096}, {64}},
                                        {{{1}}, {{4'096}}, {{100'000}, on_device(3)}}, machine);
  CHECK(devices_of(launch, machine) == counted(4));
}

TEST_CASE("superblocks that all read the same, and write nothing, are shared by all devices") {
  const auto machine = machine_table::uniform(1, 4);
  const launch_shape launch =
      launch_of("global i => reduce(+) y, read x", {{4'096}, {64}}, {{{1}}, {{8}, on_device(3)}}, machine);
  CHECK(devices_of(launch, machine) == counted(4));
}

TEST_CASE("a launch that follows an array runs where that array is at home") {
  const auto machine = machine_table::uniform(1, 4);
  const layout reversed = listed({{box({0}, {1'024}), 3, 0}, {box({1'024}, {4'096}), 1, 1}});
  const launch_shape launch = launch_of("global i => write y[i], read x[i]", {{4'096}, {64}},
                                        {{{4'096}}, {{4'096}, reversed}}, machine, like(1));
  CHECK(devices_of(launch, machine) == std::vector<int>{3, 1});
}

TEST_CASE("random launches: every superblock has a device, shares are kept, all ranks agree") {
  std::mt19937 random(11);
  const auto pick = [&](std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
  };
  for (int round = 0; round < 400; ++round) {
    const auto machine = machine_table::uniform(static_cast<int>(pick(1, 3)), static_cast<int>(pick(1, 4)));
    const extents shape{pick(1, 60), pick(1, 600)};
    const layout home = pick(0, 2) == 0 ? layout{} : tiles({pick(0, 9), pick(0, 90)}, pick(0, 1) == 1);
    const split_spec split = pick(0, 1) == 0 ? split_spec{} : in_blocks({pick(0, 60)});
    const char* text =
        pick(0, 1) == 0 ? "global i => write y[:, i], read x[:, i]" : "global i => write y[:, i], x[:, i]";
    const launch_shape launch = launch_of(text, {{shape[1]}, {pick(1, 8)}}, {{shape, home}, {shape}}, machine, split);
    const auto plan = split_launch(launch, machine, node_id(0));
    REQUIRE(std::ssize(*plan->devices) == plan->grid->size());
    for (int rank = 1; rank < machine.node_count(); ++rank)
      CHECK(*split_launch(launch, machine, node_id(rank))->devices == *plan->devices);

    home_bytes bytes(*plan->grid);
    std::map<int, byte_total> at_home, taken;
    byte_total largest = 0;
    for (std::int64_t s = 0; s < plan->grid->size(); ++s) {
      byte_total sum = 0;
      for (const home_share& h : bytes.of(s)) at_home[h.device] += h.bytes, sum += h.bytes;
      const int device = (*plan->devices)[static_cast<std::size_t>(s)];
      CHECK(device >= 0);
      CHECK(device < machine.device_count());
      taken[device] += sum;
      largest = std::max(largest, sum);
    }
    // A device takes what is clearly its own, at most four thirds of what it is home to, and else its share; the last
    // superblock it takes may lie outside of it.
    if (plan->grid->size() == 1) continue;
    byte_total all = 0;
    for (const auto& [device, sum] : taken) all += sum;
    for (const auto& [device, sum] : taken)
      CHECK(3 * sum <= std::max(4 * at_home[device], 3 * all / machine.device_count() + 3) + 3 * largest);
  }
}

TEST_CASE("equal columns are shared evenly, whatever their number") {
  for (int devices = 2; devices <= 9; ++devices)
    for (int parts = 1; parts <= 40; ++parts) {
      const auto machine = machine_table::uniform(1, devices);
      const launch_shape launch =
          launch_of(columns, {{parts * 8}, {8}}, {{{devices * 5 + 1, parts * 8}}}, machine, in_blocks({8}));
      std::map<int, int> taken;
      for (const int d : devices_of(launch, machine)) ++taken[d];
      for (const auto& [device, count] : taken) {
        CHECK(count <= (parts + devices - 1) / devices);
        CHECK(count >= parts / devices);
      }
      CHECK(static_cast<int>(taken.size()) == std::min(parts, devices));
    }
}
