#include "tessera/plan/split/split.h"

#include <doctest/doctest.h>

#include <set>

#include "tessera/base/error.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/distribution.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

/// A launch over y and x, of 65,536 floats each, in blocks of 64.
launch_shape launch_of(const std::string& text, int devices) {
  annotation a = parse_annotation(text);
  check_against(a, std::vector<parameter_info>{{"y", true, false}, {"x", true, true}});
  const extents shape{65'536};
  const std::vector<array_argument> arguments{{&shape, true}, {&shape, true}};
  const partition_ptr home = make_partition({}, shape, devices);
  return {"kernel",
          {shape, {64}},
          {},
          std::make_shared<const access_pattern>(bind(a, {{}, arguments})),
          {{"y", shape, dtype_of<float>(), home}, {"x", shape, dtype_of<float>(), home}},
          {{0, 0, box::whole(shape)}, {1, 1, box::whole(shape)}}};
}

/// What `split_launch` throws on each of four ranks of two devices that have this much memory; "" where it does not.
std::set<std::string> complaints(const std::string& text, std::int64_t memory, bool deterministic = false) {
  const auto machine = machine_table::uniform(4, 2, {"cpu", memory, 4096}, {.deterministic = deterministic});
  const launch_shape shape = launch_of(text, machine.device_count());
  std::set<std::string> all;
  for (int rank = 0; rank < 4; ++rank) try {
      (void)split_launch(shape, machine, node_id(rank));
      all.insert("");
    } catch (const out_of_memory& e) {
      all.insert(e.what());
    }
  return all;
}

}  // namespace

TEST_CASE("a launch that can never fit is refused on every rank with the same words") {
  for (const char* text : {"single => readwrite y, read x",            // runs on one rank
                           "global i => write y[i], read x[0:i]",      // the last superblocks use most
                           "global i => write y[i], read x[i:65535]",  // the first ones
                           "global i => write y[i], read x as [:][0:i]"}) {
    const std::set<std::string> all = complaints(text, 200'000);
    REQUIRE(all.size() == 1);
    CHECK_MESSAGE(all.begin()->find("'kernel' never fits") != std::string::npos, *all.begin());
  }
}

TEST_CASE("ranks agree whether a launch fits, however much memory there is") {
  for (const char* text : {"global i => write y[i], read x[i-1:i+1]", "global i => write y[i], read x[0:i]",
                           "global i => reduce(+) y[i/4], read x[i]", "global i => reduce(+) y[0:i], read x[i]",
                           "global i => atomic(+) y[i/9], read x", "single => write y, read x"})
    for (const bool deterministic : {false, true}) {
      if (deterministic && std::string(text).find("atomic") != std::string::npos) continue;
      std::set<std::string> ends;
      for (std::int64_t memory = 8'192; memory < 2'000'000; memory += memory / 5) {
        const std::set<std::string> all = complaints(text, memory, deterministic);
        REQUIRE(all.size() == 1);
        if (memory < 9'000 || memory > 1'700'000) ends.insert(all.begin()->substr(0, 6));
      }
      CHECK(ends.size() == 2);  // too little to begin with, enough in the end
    }
}

TEST_CASE("a launch of one superblock that was not refused can be placed on every device") {
  for (std::int64_t memory = 400'000; memory < 1'200'000; memory += 10'000) {
    const auto machine = machine_table::uniform(3, 1, {"cpu", memory, 4096});
    const launch_shape shape = launch_of("single => readwrite y, read x", machine.device_count());
    for (int rank = 0; rank < 3; ++rank) {
      std::shared_ptr<const split_plan> plan;
      try {
        plan = split_launch(shape, machine, node_id(rank));
      } catch (const out_of_memory&) {
        continue;
      }
      for (int device = 0; device < 3; ++device)
        CHECK(placed_on(*plan, device, machine, node_id(rank))->local.size() == (device == rank ? 1 : 0));
    }
  }
}
