#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/algo/container/support.h"

using namespace tessera::support;

namespace {

const char* const device_lists[] = {"cpu", "cpu*3", "cpu*7"};

enum class edge { none, duplicate, cyclic, pad };
constexpr edge edges[] = {edge::none, edge::duplicate, edge::cyclic, edge::pad};
constexpr int padding = 1000003;

ts::edge_mode mode_of(edge e) {
  return e == edge::none        ? ts::none
         : e == edge::duplicate ? ts::duplicate
         : e == edge::cyclic    ? ts::cyclic
                                : ts::pad(padding);
}

/// Elements in up to four axes, and a plain loop over neighbours.
struct grid {
  std::vector<std::int64_t> shape;
  std::vector<int> values;

  explicit grid(std::vector<std::int64_t> n) : shape(std::move(n)) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    for (std::int64_t k = 0; k < count; ++k) values.push_back(static_cast<int>(k * 7919 % 1009 - 300));
  }
  [[nodiscard]] std::vector<std::int64_t> index(std::int64_t offset) const {
    std::vector<std::int64_t> at(shape.size());
    for (std::size_t k = shape.size(); k-- > 0; offset /= shape[k]) at[k] = offset % shape[k];
    return at;
  }
  [[nodiscard]] int neighbour(std::vector<std::int64_t> at, const std::vector<int>& by, edge e) const {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      const std::int64_t n = shape[k];
      std::int64_t x = at[k] + by[k];
      if (x < 0 || x >= n) {
        if (e == edge::pad) return padding;
        x = e == edge::cyclic ? (x % n + n) % n : x < 0 ? 0 : n - 1;
      }
      offset = offset * n + x;
    }
    return values[static_cast<std::size_t>(offset)];
  }
  [[nodiscard]] bool is_inside(const std::vector<std::int64_t>& at, const std::vector<int>& radius) const {
    for (std::size_t k = 0; k < shape.size(); ++k)
      if (at[k] < radius[k] || at[k] >= shape[k] - radius[k]) return false;
    return true;
  }
  /// Elements weighted at both ends of each axis and at two corners; `old` where `edge::none` computes nothing.
  [[nodiscard]] std::vector<int> expected(const std::vector<int>& radius, edge e, int old) const {
    std::vector<int> result;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::vector<std::int64_t> at = index(static_cast<std::int64_t>(k));
      if (e == edge::none && !is_inside(at, radius)) {
        result.push_back(old);
        continue;
      }
      std::vector<int> low(radius), zero(radius.size());
      for (int& r : low) r = -r;
      int sum = 5 * neighbour(at, zero, e) + 11 * neighbour(at, radius, e) - 13 * neighbour(at, low, e);
      for (std::size_t axis = 0; axis < radius.size(); ++axis) {
        std::vector<int> by = zero;
        by[axis] = radius[axis];
        sum += static_cast<int>(2 * axis + 1) * neighbour(at, by, e);
        by[axis] = -radius[axis];
        sum -= static_cast<int>(2 * axis + 2) * neighbour(at, by, e);
      }
      result.push_back(sum);
    }
    return result;
  }
};

void check_1d(ts::context& ctx, std::int64_t n, int r, edge e) {
  const grid g({n});
  ts::vector<int> in(g.values, ctx), out(n, -7, ctx);
  auto f = ts::map_overlap<1>([r](auto c) { return 5 * c(0) + 11 * c(r) - 13 * c(-r) + c(r) - 2 * c(-r); }, {r});
  f.edge(mode_of(e)).into(out, in);
  INFO("n ", n, " radius ", r, " edge ", static_cast<int>(e));
  CHECK(out.to_host() == g.expected({r}, e, -7));
}

void check_2d(ts::context& ctx, const std::vector<std::int64_t>& n, int r, int s, edge e) {
  const grid g(n);
  ts::matrix<int> in(n[0], n[1], g.values, ctx), out(n[0], n[1], -7, ctx);
  auto f = ts::map_overlap<2>(
      [r, s](auto c) {
        return 5 * c + 11 * c(r, s) - 13 * c(-r, -s) + c(r, 0) - 2 * c(-r, 0) + 3 * c(0, s) - 4 * c(0, -s);
      },
      {r, s});
  f.edge(mode_of(e)).into(out, in);
  INFO("shape ", n[0], "x", n[1], " radius ", r, ",", s, " edge ", static_cast<int>(e));
  CHECK(out.to_host() == g.expected({r, s}, e, -7));
}

void check_3d(ts::context& ctx, const std::vector<std::int64_t>& n, int r, int s, int t, edge e) {
  const grid g(n);
  ts::tensor<int, 3> in({n[0], n[1], n[2]}, g.values, ctx), out({n[0], n[1], n[2]}, -7, ctx);
  auto f = ts::map_overlap<3>(
      [r, s, t](auto c) {
        return 5 * c(0, 0, 0) + 11 * c(r, s, t) - 13 * c(-r, -s, -t) + c(r, 0, 0) - 2 * c(-r, 0, 0) + 3 * c(0, s, 0) -
               4 * c(0, -s, 0) + 5 * c(0, 0, t) - 6 * c(0, 0, -t);
      },
      {r, s, t});
  f.edge(mode_of(e)).into(out, in);
  INFO("shape ", n[0], "x", n[1], "x", n[2], " radius ", r, ",", s, ",", t, " edge ", static_cast<int>(e));
  CHECK(out.to_host() == g.expected({r, s, t}, e, -7));
}

void check_4d(ts::context& ctx, const std::vector<std::int64_t>& n, const std::vector<int>& radius, edge e) {
  const grid g(n);
  const ts::extents shape{n[0], n[1], n[2], n[3]};
  ts::tensor<int, 4> in(shape, g.values, ctx), out(shape, -7, ctx);
  const int r = radius[0], s = radius[1], t = radius[2], u = radius[3];
  auto f = ts::map_overlap<4>(
      [r, s, t, u](auto c) {
        return 5 * c(0, 0, 0, 0) + 11 * c(r, s, t, u) - 13 * c(-r, -s, -t, -u) + c(r, 0, 0, 0) - 2 * c(-r, 0, 0, 0) +
               3 * c(0, s, 0, 0) - 4 * c(0, -s, 0, 0) + 5 * c(0, 0, t, 0) - 6 * c(0, 0, -t, 0) + 7 * c(0, 0, 0, u) -
               8 * c(0, 0, 0, -u);
      },
      {r, s, t, u});
  f.edge(mode_of(e)).into(out, in);
  INFO("shape ", n[0], "x", n[1], "x", n[2], "x", n[3], " radius ", r, ",", s, ",", t, ",", u, " edge ",
       static_cast<int>(e));
  CHECK(out.to_host() == g.expected(radius, e, -7));
}

}  // namespace

TEST_CASE("stencils of one axis see all neighbours, with every edge, radius and number of devices") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    for (const edge e : edges)
      for (const int r : {0, 1, 2, 3})
        for (const std::int64_t n : {0, 1, 2, 3, 6, 7, 20, 50, 5003}) check_1d(ctx, n, r, e);
  }
}

TEST_CASE("stencils of two axes see all neighbours, with every edge, radius and number of devices") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    for (const edge e : edges) {
      for (const auto& [r, s] : {std::pair{0, 0}, {1, 1}, {2, 3}, {3, 0}})
        for (const std::vector<std::int64_t>& n :
             std::vector<std::vector<std::int64_t>>{{0, 5}, {1, 1}, {2, 40}, {40, 2}, {23, 31}, {130, 50}})
          check_2d(ctx, n, r, s, e);
    }
  }
}

TEST_CASE("stencils of three and four axes see all neighbours, with every edge") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    for (const edge e : edges) {
      for (const std::vector<std::int64_t>& n :
           std::vector<std::vector<std::int64_t>>{{1, 2, 3}, {9, 8, 7}, {20, 4, 11}})
        check_3d(ctx, n, 1, 3, 2, e);
      for (const std::vector<std::int64_t>& n :
           std::vector<std::vector<std::int64_t>>{{2, 1, 3, 4}, {7, 6, 5, 8}, {0, 2, 2, 2}})
        check_4d(ctx, n, {1, 2, 0, 3}, e);
    }
  }
}

TEST_CASE("kernels of stencils touch what their annotations declare, and write all that they promise") {
  ts::options settings = cut_everywhere("cpu*3");
  settings.check = ts::parse_checks("access,unwritten");
  ts::context ctx(settings);
  for (const edge e : edges) {
    check_1d(ctx, 40, 3, e);
    check_1d(ctx, 4, 3, e);
    check_2d(ctx, {23, 31}, 2, 3, e);
    check_2d(ctx, {5, 31}, 3, 1, e);
    check_3d(ctx, {9, 8, 7}, 1, 3, 2, e);
    check_4d(ctx, {7, 6, 5, 8}, {1, 2, 0, 3}, e);
  }
}

TEST_CASE("a radius may be wider than the container, and parts of uneven homes narrower than the radius") {
  for (const char* devices : device_lists) {
    ts::context ctx(cut_everywhere(devices));
    for (const edge e : edges) {
      check_1d(ctx, 5, 12, e);
      check_2d(ctx, {9, 4}, 20, 9, e);
      check_3d(ctx, {1, 3, 2}, 2, 7, 5, e);
    }
    const grid g({41, 6});
    ts::matrix<int> in(41, 6, g.values, ctx), out(41, 6, -7, ctx);
    auto far = ts::map_overlap<2>([](auto c) { return c(-3, 0) + c(3, 1); }, {3, 1}).edge(ts::cyclic);
    for (const int rows : {1, 2, 5, 40}) {
      far.on(ts::blocks({0, rows})).into(out, in);
      const std::vector<int> got = out.to_host();
      bool equal = true;
      for (std::int64_t k = 0; k < 41 * 6; ++k)
        equal = equal && got[static_cast<std::size_t>(k)] == g.neighbour(g.index(k), {-3, 0}, edge::cyclic) +
                                                                 g.neighbour(g.index(k), {3, 1}, edge::cyclic);
      CHECK(equal);
    }
  }
}
