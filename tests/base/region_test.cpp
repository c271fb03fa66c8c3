#include "tessera/base/geometry/region.h"

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <random>
#include <set>

#include "tessera/base/geometry/region_map.h"

using namespace tessera;

namespace {

box random_box(std::mt19937& random, int rank, std::int64_t side) {
  box b = box::whole(extents::uniform(rank, 0));
  for (int k = 0; k < rank; ++k) {
    b.lo[k] = static_cast<std::int64_t>(random() % static_cast<unsigned>(side));
    b.hi[k] = b.lo[k] + static_cast<std::int64_t>(random() % static_cast<unsigned>(side - b.lo[k] + 1));
  }
  return b;
}

template <class F>
void for_each_point(const box& b, F f) {
  if (b.empty()) return;
  extents x = b.lo;
  while (true) {
    f(std::vector<std::int64_t>(x.begin(), x.end()));
    int k = b.rank() - 1;
    while (k >= 0 && ++x[k] == b.hi[k]) x[k] = b.lo[k], --k;
    if (k < 0) return;
  }
}

std::set<std::vector<std::int64_t>> points(const region& r) {
  std::set<std::vector<std::int64_t>> all;
  for (const box& b : r.boxes()) for_each_point(b, [&](auto p) { CHECK(all.insert(p).second); });
  return all;
}

}  // namespace

TEST_CASE("region algebra agrees with sets of points, and equal sets have equal boxes") {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const int rank = 1 + static_cast<int>(random() % 3);
    std::vector<box> a, b;
    const int boxes = round % 3 == 0 ? 16 : 4;  // few and many are compared in different ways
    for (int i = 0; i < boxes; ++i) a.push_back(random_box(random, rank, 6)), b.push_back(random_box(random, rank, 6));
    const region x(a), y(b);
    const auto in_x = points(x), in_y = points(y);
    std::set<std::vector<std::int64_t>> both, either = in_x, only_x;
    for (const auto& p : in_x) (in_y.contains(p) ? both : only_x).insert(p);
    either.insert(in_y.begin(), in_y.end());

    CHECK(points(unite(x, y)) == either);
    CHECK(points(intersect(x, y)) == both);
    CHECK(points(subtract(x, y)) == only_x);

    std::vector<box> shuffled;
    for (const auto& p : in_x) {
      box unit = box::whole(extents::uniform(rank, 0));
      for (int k = 0; k < rank; ++k) unit.lo[k] = p[static_cast<std::size_t>(k)], unit.hi[k] = unit.lo[k] + 1;
      shuffled.push_back(unit);
    }
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    CHECK(region(shuffled) == x);
  }
}

TEST_CASE("ten thousand boxes are brought into canonical form in less than a second") {
  std::vector<box> elements, others;
  for (std::int64_t i = 0; i < 10'000; ++i) {
    elements.push_back({{i * 7919 % 10'000 * 2}, {i * 7919 % 10'000 * 2 + 1}});
    others.push_back({{i / 100 * 2, i % 100 * 2}, {i / 100 * 2 + 1, i % 100 * 2 + 1}});
  }
  const auto begin = std::chrono::steady_clock::now();
  const region line(elements), grid(others);
  CHECK(line.boxes().size() == 10'000);
  CHECK(grid.boxes().size() == 10'000);
  CHECK(subtract(region(box{{0}, {20'000}}), line).volume() == 10'000);
  CHECK(intersect(grid, grid) == grid);
  CHECK(subtract(line, line).empty());
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(1));
}

TEST_CASE("a region map holds for every point the value last assigned to it") {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    const int rank = 1 + static_cast<int>(random() % 3);
    const box domain = box::whole(extents::uniform(rank, 7));
    region_map<int> map(domain, 0);
    std::map<std::vector<std::int64_t>, int> truth;
    for_each_point(domain, [&](auto p) { truth[p] = 0; });
    for (int step = 1; step < 40; ++step) {
      const box bounds = random_box(random, rank, 7);
      const int value = static_cast<int>(random() % 5);
      if (step % 3 == 0) {
        map.update(bounds, [](int& v) { v += 10; });
        for_each_point(bounds, [&](auto p) { truth[p] += 10; });
      } else {
        map.assign(bounds, value);
        for_each_point(bounds, [&](auto p) { truth[p] = value; });
      }
      const box look = random_box(random, rank, 7);
      std::int64_t seen = 0;
      map.visit(look, [&](const box& piece, int v) {
        seen += piece.volume();
        for_each_point(piece, [&](auto p) { CHECK(truth[p] == v); });
      });
      CHECK(seen == look.volume());
    }
  }
}

TEST_CASE("a region map joins what became equal again") {
  region_map<int> map(box({0, 0}, {100, 100}), 0);
  for (std::int64_t i = 0; i < 100; ++i) map.assign(box({i, 0}, {i + 1, i + 1}), 1);
  CHECK(map.size() > 100);
  map.assign(box({0, 0}, {100, 100}), 2);
  CHECK(map.size() == 1);
}

TEST_CASE("a rank too large is refused") {
  CHECK_THROWS_WITH(extents({1, 2, 3, 4, 5, 6, 7, 8, 9}), doctest::Contains("at most 8"));
}
