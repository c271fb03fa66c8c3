#include "tessera/memory/array_format.h"

#include <doctest/doctest.h>

#include <random>

#include "tessera/memory/array_origin.h"

using namespace tessera;
using namespace tessera::memory;

TEST_CASE("the bytes of a box are the ranges that hold it, wherever the array begins") {
  std::mt19937 random(5);
  const auto pick = [&](std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random);
  };
  for (int round = 0; round < 300; ++round) {
    const extents shape{pick(1, 9), pick(1, 9), pick(1, 9)};
    array_format f = array_format::of(shape, dtype_of<std::int32_t>());
    f.origin = 256 * pick(0, 3);
    f.bytes += f.origin;
    box part = box::whole(shape);
    for (int k = 0; k < 3; ++k) part.lo[k] = pick(0, shape[k] - 1), part.hi[k] = pick(part.lo[k] + 1, shape[k]);
    std::vector<bool> covered(static_cast<std::size_t>(f.bytes));
    for_each_range(f, part, pick(1, 64), [&](std::int64_t begin, std::int64_t end) {
      REQUIRE(begin >= f.origin);
      REQUIRE(end <= f.bytes);
      for (std::int64_t b = begin; b < end; ++b) covered[static_cast<std::size_t>(b)] = true;
    });
    for (std::int64_t i = 0; i < shape[0]; ++i)
      for (std::int64_t j = 0; j < shape[1]; ++j)
        for (std::int64_t k = 0; k < shape[2]; ++k)
          if (part.contains(box({i, j, k}, {i + 1, j + 1, k + 1})))
            REQUIRE(covered[static_cast<std::size_t>(f.origin + offset_of(f.strides, {i, j, k}))]);

    const std::int64_t begin = pick(0, f.bytes - 1), end = pick(begin + 1, f.bytes);
    std::int64_t found = 0, expected = 0;
    for (const box& b : boxes_of_range(f, begin, end)) found += b.volume();
    for (std::int64_t e = f.origin; e < f.bytes; e += 4) expected += e < end && e + 4 > begin ? 1 : 0;
    CHECK(found == expected);
  }
}

TEST_CASE("large arrays begin at different places of a page, small ones and their alignment stay as they are") {
  CHECK(array_origin(array_id(1), 1000) == 0);
  for (std::uint64_t id = 1; id < 40; ++id) {
    const std::int64_t here = array_origin(array_id(id), 1 << 20), next = array_origin(array_id(id + 1), 1 << 20);
    CHECK(here % 256 == 0);
    CHECK(here < 4096);
    CHECK(here != next);
  }
}
