// Launches on machines with several kinds of devices, and launches that are too small to share.
#include "tessera/plan/split/small.h"

#include <doctest/doctest.h>

#include "tests/plan/split/placed_launch.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

/// Two ranks, each with a CPU device and two of another kind.
machine_table mixed_machine(machine_settings settings = {}) {
  const device_spec cpu{"cpu", std::int64_t{1} << 40}, gpu{"cuda", std::int64_t{1} << 36};
  return machine_table({{cpu, gpu, gpu}, {cpu, gpu, gpu}}, settings);
}

}  // namespace

TEST_CASE("with GPUs and CPU devices in one context, distributions and automatic splits take the GPUs") {
  const auto machine = mixed_machine();
  CHECK(machine.automatic_kind() == "cuda");
  CHECK(machine.automatic_devices() == std::vector<int>{1, 2, 4, 5});
  const char* elementwise = "global i => write y[i], read x[i]";
  const std::vector<int> gpus{1, 2, 4, 5};
  const domain space{{4'096}, {64}};
  const launch_shape follows = launch_of(elementwise, space, {{{4'096}}, {{4'096}}}, machine);
  CHECK(devices_of(follows, machine) == gpus);
  CHECK(says(notes_of(follows, machine), "runs on devices of one kind, cuda"));
  CHECK(devices_of(launch_of(columns, space, {{{60, 4'096}}}, machine), machine) == gpus);
  CHECK(devices_of(launch_of("global i => atomic(+) y", space, {{{1}}}, machine), machine) == gpus);
}

TEST_CASE("what the user puts on CPU devices runs there, beside GPUs too") {
  const auto machine = mixed_machine();
  const domain space{{4'096}, {64}};
  const layout on_cpus = listed({{box({0}, {2'048}), 0, 0}, {box({2'048}, {4'096}), 3, 1}});
  const char* elementwise = "global i => write y[i], read x[i]";
  CHECK(devices_of(launch_of(elementwise, space, {{{4'096}, on_cpus}, {{4'096}}}, machine), machine) ==
        std::vector<int>{0, 3});
  CHECK(devices_of(launch_of(elementwise, space, {{{4'096}, on_device(3)}, {{4'096}}}, machine), machine) ==
        std::vector<int>{3});

  // Of an array on both kinds the GPUs take all, unless the launch is to follow it.
  const layout on_both = listed({{box({0}, {1'024}), 0, 0}, {box({1'024}, {4'096}), 4, 1}});
  const std::vector<array_of_test> arrays{{{4'096}, on_both}, {{4'096}}};
  for (const int d : devices_of(launch_of(elementwise, space, arrays, machine), machine))
    CHECK(machine.spec(d).kind == "cuda");
  CHECK(devices_of(launch_of(elementwise, space, arrays, machine, like(0)), machine) == std::vector<int>{0, 4});
}

TEST_CASE("the work of a launch is estimated from what its arrays hold and its threads declare") {
  const auto machine = machine_table::uniform(1, 4);
  const auto bytes = [&](const char* text, std::int64_t n) {
    return launch_bytes(launch_of(text, {{n}, {64}}, {{{n}}, {{n}}}, machine));
  };
  CHECK(bytes("global i => write y[i], read x[i]", 10'000) == 160'000);        // 16 for each thread
  CHECK(bytes("global i => write y[i], read x[i-4:i+4]", 10'000) == 400'000);  // 10 elements each
  CHECK(bytes("global i => write y[i], read x", 1'000) == 1'000 * 4'004);      // may walk through x
  CHECK(bytes("block b => write y[64*b:64*b+63], read x", 6'400) > 10'000'000);
  CHECK(bytes("block b => write y[64*b:64*b+63], x[64*b:64*b+63]", 6'400) == 6'400 * 24);
}

TEST_CASE("a launch that is too small to share is one superblock where most of it is at home") {
  const auto machine = machine_table::uniform(2, 2, {"cpu", std::int64_t{1} << 40}, {.small = 200'000});
  const char* elementwise = "global i => write y[i], read x[i]";
  const auto plan = [&](std::int64_t n, const layout& home, const split_spec& split = {}) {
    const launch_shape shape = launch_of(elementwise, {{n}, {64}}, {{{n}, home}, {{n}}}, machine, split);
    return split_launch(shape, machine, node_id(0));
  };
  CHECK(*plan(10'000, {})->devices == std::vector<int>{0});
  CHECK(plan(10'000, {})->whole_by_choice);
  CHECK(says(plan(10'000, {})->notes.at(1), "too small to share: 160000 bytes, TESSERA_SMALL is 200000"));
  CHECK(*plan(10'000, on_device(3))->devices == std::vector<int>{3});
  CHECK(*plan(20'000, {})->devices == counted(4));

  // What the user says about devices and cuts holds for small launches as well.
  CHECK(plan(10'000, {}, in_blocks({1'024}))->devices->size() == 10);
  CHECK(*plan(10'000, {}, like(0))->devices == counted(4));
  const layout named = listed({{box({0}, {5'000}), 2, 0}, {box({5'000}, {10'000}), 1, 1}});
  CHECK(*plan(10'000, named)->devices == std::vector<int>{2, 1});
}

TEST_CASE("a part of a large array that is touched by a small launch stays where it is") {
  const auto machine = machine_table::uniform(1, 4, {"cpu", std::int64_t{1} << 40}, {.small = 200'000});
  const launch_shape border = launch_of("global i => readwrite y[i, 0]", {{1'000}, {10}}, {{{1'000, 1'000}}}, machine);
  CHECK(devices_of(border, machine) == counted(4));
}

TEST_CASE("sums with the same bits everywhere keep their parts when they are small, on one device") {
  const auto cut = [](std::int64_t small) {
    const auto machine =
        machine_table::uniform(1, 4, {"cpu", std::int64_t{1} << 40}, {.deterministic = true, .small = small});
    return split_launch(
        launch_of("global i => reduce(+) y, read x[i]", {{4'096}, {64}}, {{{1}}, {{4'096}, on_device(2)}}, machine),
        machine, node_id(0));
  };
  const auto large = cut(0), small = cut(1 << 20);
  REQUIRE(small->grid->size() == large->grid->size());
  for (std::int64_t s = 0; s < small->grid->size(); ++s) CHECK(small->grid->part(s) == large->grid->part(s));
  CHECK(*small->devices == std::vector<int>(small->devices->size(), 2));
}

TEST_CASE("a small launch of a machine with several kinds takes a GPU") {
  const auto machine = mixed_machine({.small = 1 << 20});
  const launch_shape shape =
      launch_of("global i => write y[i], read x[i]", {{4'096}, {64}}, {{{4'096}}, {{4'096}}}, machine);
  CHECK(devices_of(shape, machine) == std::vector<int>{1});
}
