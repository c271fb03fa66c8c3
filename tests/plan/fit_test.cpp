#include "tessera/plan/split/fit.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "tessera/base/error.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/split/cuts.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

/// A launch of a thread per element of y and x, which have this shape, in blocks of 64 along its last axis.
launch_shape elementwise(const extents& shape, const std::string& text) {
  annotation a = parse_annotation(text);
  const std::vector<parameter_info> parameters{{"y", true, false}, {"x", true, true}};
  check_against(a, parameters);
  const std::vector<array_argument> arguments{{&shape, true}, {&shape, true}};
  extents threads = shape, block = extents::uniform(shape.rank(), 1);
  for (int k = 0; k < shape.rank(); ++k) threads[k] = shape[shape.rank() - 1 - k];
  block[0] = 64;
  launch_shape s{"stencil", {threads, block}, {}, std::make_shared<const access_pattern>(bind(a, {{}, arguments})), {},
                 {}};
  for (int k = 0; k < 2; ++k) {
    s.slots.push_back({k == 0 ? "y" : "x", shape, dtype_of<float>(), nullptr});
    s.uses.push_back({k, k, box::whole(shape)});
  }
  return s;
}

/// y[i] = f(x[i-1:i+1]) over n elements of 4 bytes, in blocks of 64.
launch_shape stencil(std::int64_t n, const std::string& text) { return elementwise({n}, text); }

}  // namespace

TEST_CASE("a footprint is never less than the pages that a box meets") {
  std::mt19937 random(3);
  const auto pick = [&](std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
  };
  for (int round = 0; round < 2000; ++round) {
    const int rank = static_cast<int>(pick(1, 4));
    extents shape = extents::uniform(rank, 1);
    for (int k = 0; k < rank; ++k) shape[k] = pick(1, 12);
    box b = box::whole(shape);
    for (int k = 0; k < rank; ++k) b.lo[k] = pick(0, shape[k] - 1), b.hi[k] = pick(b.lo[k] + 1, shape[k]);
    const dtype type = dtype_of<float>();
    const std::int64_t page = std::int64_t{1} << pick(3, 9), whole = box::whole(shape).volume() * 4;
    std::set<std::int64_t> pages;
    const extents strides = dense_strides(shape, 4);
    const extents count = b.shape();
    for (std::int64_t n = 0; n < b.volume(); ++n) {
      std::int64_t offset = 0, rest = n;
      for (int k = rank - 1; k >= 0; --k) {
        offset += (b.lo[k] + rest % count[k]) * strides[k];
        rest /= count[k];
      }
      for (std::int64_t byte = offset; byte < offset + 4; ++byte) pages.insert(byte / page);
    }
    const std::int64_t met = whole <= page ? whole : std::ssize(pages) * page;
    CHECK(footprint_bytes(shape, type, b, page) >= std::min(met, (whole + page - 1) / page * page));
  }
}

TEST_CASE("a superblock that takes more than half a device is cut into pieces that fit and cover it in order") {
  const launch_shape s = stencil(100'000, "global i => write y[i], read x[i-1:i+1]");
  const launch_grid grid(s, whole_cuts(s));
  const device_spec device{"cpu", 64 << 10, 4096};
  const auto pieces = fit(grid, grid.part(0), grid.footprints(0), device);
  REQUIRE(pieces.size() > 1);
  std::int64_t next = 0;
  for (const launch_piece& p : pieces) {
    CHECK(p.granules.lo[0] == next);
    CHECK(p.granules.hi[0] > next);
    next = p.granules.hi[0];
    CHECK(footprint_bytes(s, p.footprints, device.page) <= device.memory / 2);
    CHECK(p.footprints == grid.footprints(p.granules));
  }
  CHECK(next == grid.part(0).hi[0]);
  CHECK(fit(grid, grid.part(0), grid.footprints(0), {"cpu", 8 << 20, 4096}).empty());
}

TEST_CASE("a kernel that is one piece is not cut, and refused where it can never fit") {
  const launch_shape s = stencil(10'000, "single => write y, read x");
  const launch_grid grid(s, whole_cuts(s));
  CHECK(fit(grid, grid.part(0), grid.footprints(0), {"cpu", 90'000, 4096}).empty());
  CHECK_THROWS_AS((void)fit(grid, grid.part(0), grid.footprints(0), {"cpu", 70'000, 4096}), out_of_memory);
}

TEST_CASE("a block that uses more than a device has is refused, whatever the cut") {
  const launch_shape s = stencil(100'000, "global i => write y[i], read x");
  const launch_grid grid(s, whole_cuts(s));
  try {
    (void)fit(grid, grid.part(0), grid.footprints(0), {"cpu", 300'000, 4096});
    FAIL("no error");
  } catch (const out_of_memory& e) {
    const std::string text = e.what();
    for (const char* part : {"'stencil'", "never fits", "400000 bytes of 'x'", "300000"})
      CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  }
}

TEST_CASE("pieces in order hold blocks that follow each other with x fastest, whatever would be less memory") {
  const launch_shape s = elementwise({7, 5, 4096}, "global [k, j, i] => write y[i, j, k], read x[i, j, k]");
  const launch_grid grid(s, whole_cuts(s));
  for (const std::int64_t memory : {32 << 10, 64 << 10, 256 << 10, 512 << 10}) {
    const auto pieces = fit(grid, grid.part(0), grid.footprints(0), {"cpu", memory, 4096}, true);
    REQUIRE(pieces.size() > 1);
    const extents count = grid.part(0).shape();
    std::int64_t next = 0;
    for (const launch_piece& p : pieces)
      for (std::int64_t z = p.granules.lo[2]; z < p.granules.hi[2]; ++z)
        for (std::int64_t y = p.granules.lo[1]; y < p.granules.hi[1]; ++y)
          for (std::int64_t x = p.granules.lo[0]; x < p.granules.hi[0]; ++x)
            REQUIRE(x + count[0] * (y + count[1] * z) == next++);
    CHECK(next == grid.part(0).volume());
  }
}

TEST_CASE("private results of thread blocks count beside the arrays") {
  const std::string text = "global i => reduce(+) y, read x[i]";
  const launch_shape s = stencil(10'000, text);
  const launch_grid grid(s, whole_cuts(s));
  const auto workspace = [&](std::int64_t memory) {
    return workspace_bytes(grid, grid.part(0), grid.footprints(0), {"cpu", memory, 4096});
  };
  CHECK(workspace(std::int64_t{1} << 30) > 150 * 40'000);  // two for each of 157 blocks
  CHECK(workspace(1'600'000) == 100'000);                  // a sixteenth of the memory
  CHECK(workspace(400'000) >= 40'000);                     // that of one block in any case
  CHECK(workspace(400'000) <= 41'000);
  const launch_shape none = stencil(10'000, "global i => write y[i], read x[i]");
  const launch_grid other(none, whole_cuts(none));
  CHECK(workspace_bytes(other, other.part(0), other.footprints(0), {"cpu", 1'600'000, 4096}) == 0);

  for (const launch_piece& p : fit(grid, grid.part(0), grid.footprints(0), {"cpu", 100'000, 4096}))
    CHECK(footprint_bytes(s, p.footprints, 4096) + p.workspace <= 100'000);
  try {
    (void)fit(grid, grid.part(0), grid.footprints(0), {"cpu", 88'000, 4096});
    FAIL("no error");
  } catch (const out_of_memory& e) {
    CHECK_MESSAGE(std::string(e.what()).find("bytes of a thread block's private results") != std::string::npos,
                  e.what());
  }
}
