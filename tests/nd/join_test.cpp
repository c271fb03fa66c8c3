#include <doctest/doctest.h>

#include <complex>
#include <vector>

#include "tests/array/on_ranks.h"
#include "tests/nd/plain_array.h"

using namespace tessera::support;
using ts::extents;

namespace {

/// Arrays one behind the other along an axis, by a loop.
template <class T>
plain_array<T> joined(const std::vector<plain_array<T>>& arrays, int axis) {
  extents shape = arrays[0].shape;
  for (std::size_t k = 1; k < arrays.size(); ++k) shape[axis] += arrays[k].shape[axis];
  return plain<T>(shape, [&](extents place) {
    std::size_t k = 0;
    for (; place[axis] >= arrays[k].shape[axis]; ++k) place[axis] -= arrays[k].shape[axis];
    return arrays[k].at(place);
  });
}

template <class T>
void check_concat(const std::vector<extents>& shapes, int axis) {
  std::vector<plain_array<T>> plain_arrays;
  std::vector<nd::array> arrays;
  for (const extents& shape : shapes) {
    CAPTURE(ts::to_string(shape));
    plain_arrays.push_back(numbered<T>(shape, static_cast<int>(100 * plain_arrays.size())));
    arrays.push_back(from_plain(plain_arrays.back()));
  }
  CHECK(same(nd::concat(arrays, axis), joined(plain_arrays, axis)));
}

}  // namespace

TEST_CASE("arrays are joined along every axis, whatever their extents") {
  for_each_setting([] {
    check_concat<int>({{3}}, 0);
    check_concat<int>({{3}, {0}, {5}, {1}}, 0);
    check_concat<int>({{0}, {0}}, 0);
    check_concat<double>({{4000}, {4001}, {3}}, 0);
    check_concat<int>({{2, 3}, {5, 3}, {0, 3}}, 0);
    check_concat<float>({{2, 3}, {2, 1}, {2, 7}}, 1);
    check_concat<std::int8_t>({{2, 3, 4}, {2, 1, 4}, {2, 0, 4}}, 1);
    check_concat<std::complex<double>>({{2, 3, 1}, {2, 3, 5}}, 2);
    check_concat<int>({{1, 1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1, 3}}, 7);
    check_concat<int>({{70, 90}, {70, 11}}, 1);
  });
}

TEST_CASE("what is joined has the type in which the arrays meet, and is new") {
  for_each_setting([] {
    const nd::array a = nd::arange(4), b = nd::full<float>({2}, 0.5f), c = nd::full<bool>({1}, true);
    const nd::array all = nd::concat({a, b, c});
    CHECK(all.type() == ts::scalar_kind::float64);
    CHECK(all.read<double>() == std::vector<double>{0, 1, 2, 3, 0.5, 0.5, 1});
    CHECK(nd::concat({c, c}).type() == ts::scalar_kind::boolean);
    all += 1;
    CHECK(a.read<std::int64_t>() == std::vector<std::int64_t>{0, 1, 2, 3});
    // Of more axes than a launch has, in an order that does not lie one behind the other.
    const plain_array<int> deep = numbered<int>({2, 3, 2, 3, 2});
    const nd::array turned = nd::permute_dims(from_plain(deep), {4, 3, 2, 1, 0});
    const auto twice = [&](const extents& p) { return deep.at({p[4], p[3], p[2], p[1] % 3, p[0]}); };
    CHECK(same(nd::concat({turned, turned}, 1), plain<int>({2, 6, 2, 3, 2}, twice)));
    // Views, expressions that are not computed yet, and an array twice.
    const nd::array x = nd::arange(3000), y = x * 2;
    const nd::array made = nd::concat({x(nd::_(nd::end, nd::end, -1)), y, y(nd::_(0, 3000, 1000)), x});
    x += 5;
    std::vector<std::int64_t> expected;
    for (std::int64_t k = 0; k < 3000; ++k) expected.push_back(2999 - k);
    for (std::int64_t k = 0; k < 3000; ++k) expected.push_back(2 * k);
    for (std::int64_t k = 0; k < 3000; k += 1000) expected.push_back(2 * k);
    for (std::int64_t k = 0; k < 3000; ++k) expected.push_back(k);
    CHECK(made.read<std::int64_t>() == expected);
  });
}

TEST_CASE("joining k arrays takes k launches that compute what they write") {
  const ts::context ctx(quiet("cpu"));
  ts::set_default_context(ctx);
  const nd::array a = nd::full<double>({100000}, 1.5), b = nd::full<double>({100000}, 2.5);
  nd::eval({a, b});
  const nd::graph_stats before = nd::stats();
  const nd::array all = nd::concat({a * 2, b + 1});
  nd::eval({all});
  CHECK(nd::stats().launches - before.launches == 2);
  CHECK(nd::stats().declared_bytes - before.declared_bytes == 4 * 800000);
  CHECK(all(0).item<double>() == 3);
  CHECK(all(199999).item<double>() == 3.5);
}

TEST_CASE("stacks have a new axis") {
  for_each_setting([] {
    const plain_array<int> x = numbered<int>({3, 4}), y = numbered<int>({3, 4}, 50);
    const nd::array a = from_plain(x), b = from_plain(y);
    const auto pick = [&](std::int64_t which, const extents& place) { return (which == 0 ? x : y).at(place); };
    CHECK(same(nd::stack({a, b}), plain<int>({2, 3, 4}, [&](const extents& p) { return pick(p[0], {p[1], p[2]}); })));
    CHECK(same(nd::stack({a, b}, 1), plain<int>({3, 2, 4}, [&](const extents& p) {
                 return pick(p[1], {p[0], p[2]});
               })));
    CHECK(same(nd::stack({a, b}, -1), plain<int>({3, 4, 2}, [&](const extents& p) {
                 return pick(p[2], {p[0], p[1]});
               })));
    CHECK(same(nd::hstack({a, b}), joined<int>({x, y}, 1)));
    CHECK(same(nd::vstack({a, b}), joined<int>({x, y}, 0)));
    const nd::array v = nd::arange(3), w = nd::arange(2), number = nd::full<std::int64_t>({}, 9);
    CHECK(nd::hstack({v, w}).read<std::int64_t>() == std::vector<std::int64_t>{0, 1, 2, 0, 1});
    CHECK(nd::vstack({v, v}).shape() == extents{2, 3});
    CHECK(nd::stack({number, number}).read<std::int64_t>() == std::vector<std::int64_t>{9, 9});
    CHECK(nd::hstack({number, v}).read<std::int64_t>() == std::vector<std::int64_t>{9, 0, 1, 2});
  });
}

TEST_CASE("arrays and elements are repeated") {
  for_each_setting([] {
    const auto check_tile = [](const extents& shape, const extents& counts, const extents& wanted) {
      CAPTURE(ts::to_string(shape));
      CAPTURE(ts::to_string(counts));
      const plain_array<int> x = numbered<int>(shape);
      const auto source = [&](const extents& place) {
        extents at = shape;
        const int more = wanted.rank() - shape.rank();
        for (int k = 0; k < shape.rank(); ++k) at[k] = place[k + more] % shape[k];
        return x.at(at);
      };
      CHECK(same(nd::tile(from_plain(x), counts), plain<int>(wanted, source)));
    };
    check_tile({3}, {2}, {6});
    check_tile({3}, {1}, {3});
    check_tile({3}, {0}, {0});
    check_tile({}, {3}, {3});
    check_tile({0}, {4}, {0});
    check_tile({2, 3}, {2}, {2, 6});
    check_tile({2, 3}, {3, 1}, {6, 3});
    check_tile({2, 3}, {2, 1, 2}, {2, 2, 6});
    check_tile({50, 61}, {3, 2}, {150, 122});
    check_tile({1, 2, 1, 2, 3}, {2, 2, 3, 1, 2}, {2, 4, 3, 2, 6});
    check_tile({2, 1, 1, 1, 1, 1, 1, 2}, {2, 1, 1, 1, 1, 1, 1, 2}, {4, 1, 1, 1, 1, 1, 1, 4});

    const auto check_repeat = [](const extents& shape, std::int64_t count, int axis) {
      const plain_array<int> x = numbered<int>(shape);
      extents wanted = shape;
      wanted[axis] *= count;
      const auto source = [&](extents place) {
        place[axis] /= count;
        return x.at(place);
      };
      CHECK(same(nd::repeat(from_plain(x), count, axis), plain<int>(wanted, source)));
    };
    check_repeat({5}, 3, 0);
    check_repeat({5}, 0, 0);
    check_repeat({3, 4}, 2, 0);
    check_repeat({3, 4}, 2, 1);
    check_repeat({70, 80}, 3, 0);
    check_repeat({2, 1, 1, 1, 1, 1, 1, 2}, 3, 0);
    CHECK(nd::repeat(nd::arange(4).reshape({2, 2}), 2).read<std::int64_t>() ==
          std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 3});
  });
}

TEST_CASE("elements roll around the ends") {
  for_each_setting([] {
    const auto check_roll = [](const extents& shape, const extents& distances, const std::vector<int>& axes) {
      CAPTURE(ts::to_string(shape));
      CAPTURE(ts::to_string(distances));
      const plain_array<int> x = numbered<int>(shape);
      const auto source = [&](extents place) {
        for (std::size_t k = 0; k < axes.size(); ++k) {
          const std::int64_t n = shape[axes[k]], by = distances[distances.rank() == 1 ? 0 : static_cast<int>(k)];
          place[axes[k]] = ((place[axes[k]] - by) % n + n) % n;
        }
        return x.at(place);
      };
      CHECK(same(nd::roll(from_plain(x), distances, std::span<const int>(axes)), plain<int>(shape, source)));
    };
    for (const std::int64_t by : {0, 1, -1, 3, 7, -8, 100}) {
      check_roll({7}, {by}, {0});
      check_roll({4, 7}, {by}, {1});
    }
    check_roll({0, 3}, {2}, {0});
    check_roll({1}, {2}, {0});
    check_roll({4, 7}, {1, -2}, {0, 1});
    check_roll({4, 7}, {2}, {0, 1});
    check_roll({90, 70}, {33, 15}, {0, 1});
    check_roll({3, 4, 5}, {1, 2, 3}, {0, 1, 2});
    const plain_array<int> x = numbered<int>({4, 5});
    CHECK(same(nd::roll(from_plain(x), 3), plain<int>({4, 5}, [&](const extents& p) {
                 const std::int64_t at = (p[0] * 5 + p[1] + 17) % 20;
                 return x.elements[static_cast<std::size_t>(at)];
               })));
    CHECK(nd::roll(from_plain(x).transpose(), 1).read<int>()[0] == 20);
  });
}

TEST_CASE("elements around an array are a number or those at its edge") {
  for_each_setting([] {
    const auto check_pad = [](const extents& shape, const std::vector<nd::pad_width>& widths) {
      CAPTURE(ts::to_string(shape));
      const plain_array<int> x = numbered<int>(shape);
      extents wanted = shape;
      std::vector<nd::pad_width> all = widths;
      if (all.size() == 1) all.resize(static_cast<std::size_t>(shape.rank()), widths[0]);
      for (int k = 0; k < shape.rank(); ++k)
        wanted[k] += all[static_cast<std::size_t>(k)].first + all[static_cast<std::size_t>(k)].second;
      const auto element = [&](const extents& place, bool edge) {
        extents at = place;
        for (int k = 0; k < shape.rank(); ++k) {
          const std::int64_t inside = place[k] - all[static_cast<std::size_t>(k)].first;
          if (!edge && (inside < 0 || inside >= shape[k])) return -7;
          at[k] = std::clamp<std::int64_t>(inside, 0, shape[k] - 1);
        }
        return x.at(at);
      };
      const nd::array a = from_plain(x);
      const std::span<const nd::pad_width> given(widths);
      CHECK(same(nd::pad(a, given, nd::number(-7), {}),
                 plain<int>(wanted, [&](const extents& p) { return element(p, false); })));
      if (a.size() > 0)
        CHECK(same(nd::pad(a, given, nd::pad_mode::edge),
                   plain<int>(wanted, [&](const extents& p) { return element(p, true); })));
    };
    check_pad({5}, {{2, 3}});
    check_pad({5}, {{0, 0}});
    check_pad({1}, {{2, 0}});
    check_pad({0}, {{2, 1}});
    check_pad({3, 4}, {{1, 1}});
    check_pad({3, 4}, {{0, 2}, {3, 0}});
    check_pad({80, 70}, {{10, 1}});
    check_pad({2, 3, 2}, {{1, 0}, {0, 1}, {2, 2}});
    CHECK(nd::pad(nd::arange(3), {{1, 1}}).read<std::int64_t>() == std::vector<std::int64_t>{0, 0, 1, 2, 0});
    CHECK(nd::pad(nd::ones<float>({2}), {{0, 1}}, 0.5).read<float>() == std::vector<float>{1, 1, 0.5f});
    CHECK(nd::pad(nd::full<bool>({1}, true), {{1, 0}}).read<bool>() == std::vector<bool>{false, true});
  });
}

TEST_CASE("what is joined lies like the first array that has a layout") {
  for (const int devices : {3, 5}) {
    ts::options chosen = quiet("cpu*" + std::to_string(devices));
    const ts::context ctx(chosen);
    ts::set_default_context(ctx);
    const nd::array plain = nd::zeros<float>({90, 80}), across = nd::zeros<float>({90, 80}, {.split = 1}),
                    along = nd::zeros<float>({90, 80}, {.split = 0});
    CHECK(axes_of(nd::concat({plain, across, along})) == std::vector<int>{1});
    CHECK(axes_of(nd::stack({across, along})) == std::vector<int>{2});
    CHECK(axes_of(nd::tile(along, {2, 1, 1})) == std::vector<int>{1});
    CHECK(axes_of(nd::roll(across, {5}, 0)) == std::vector<int>{1});
    CHECK(axes_of(nd::concat({plain, plain})).empty());
    const nd::array mixed = nd::concat({plain, across + 1, along + 2}, 1);
    const std::vector<float> read = mixed.read<float>();
    CHECK((read[79] == 0 && read[80] == 1 && read[159] == 1 && read[160] == 2));
  }
}

TEST_CASE("arrays are joined, rolled and repeated over ranks") {
  for (const int ranks : {2, 3})
    on_ranks(ranks, "cpu", [](ts::context& ctx) {
      const plain_array<int> x = numbered<int>({13, 9}), y = numbered<int>({13, 4}, 500);
      const nd::array a = from_plain(x, {.split = 1, .ctx = ctx}), b = from_plain(y, {.split = 0, .ctx = ctx});
      const nd::array wide = nd::resplit(a, {0}) * 2;
      require(nd::concat({a, b}, 1).read<int>() == joined<int>({x, y}, 1).elements, "joined");
      require(nd::concat({wide, a}).read<int>() ==
                  joined<int>({plain<int>({13, 9}, [&](const extents& p) { return 2 * x.at(p); }), x}, 0).elements,
              "joined with an expression");
      require(nd::roll(a, {5, 2}, {0, 1}).read<int>() == plain<int>({13, 9},
                                                                    [&](const extents& p) {
                                                                      return x.at({(p[0] + 8) % 13, (p[1] + 7) % 9});
                                                                    })
                                                             .elements,
              "rolled");
      require(nd::tile(b, {2, 3}).read<int>() == plain<int>({26, 12},
                                                            [&](const extents& p) {
                                                              return y.at({p[0] % 13, p[1] % 4});
                                                            })
                                                     .elements,
              "repeated");
      require(a.transpose().reshape({-1}).read<int>() == plain<int>({117},
                                                                    [&](const extents& p) {
                                                                      return x.at({p[0] % 13, p[0] / 13});
                                                                    })
                                                             .elements,
              "moved");
    });
}

TEST_CASE("lists of one distance and one axis are no distance along the line") {
  for_each_setting([] {
    const nd::array a = nd::arange(6).reshape({2, 3});
    CHECK(nd::roll(a, {1}, {0}).read<std::int64_t>() == std::vector<std::int64_t>{3, 4, 5, 0, 1, 2});
    CHECK(nd::roll(a, {1}, 1).read<std::int64_t>() == std::vector<std::int64_t>{2, 0, 1, 5, 3, 4});
    CHECK(nd::roll(a, 1).read<std::int64_t>() == std::vector<std::int64_t>{5, 0, 1, 2, 3, 4});
  });
}
