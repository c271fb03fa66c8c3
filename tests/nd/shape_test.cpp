#include <doctest/doctest.h>

#include <vector>

#include "tests/nd/plain_array.h"

using namespace tessera::support;
using ts::extents;

namespace {

/// Arrays without axes, without elements, with one, with odd and with larger extents.
const extents shapes[] = {{}, {0}, {1}, {7}, {3, 5}, {4, 0, 3}, {1, 1}, {2, 3, 5}, {1, 4, 1, 3}, {9, 600}};

using place_of = std::function<extents(const extents&)>;

/// Checks that what `seen` makes of an array of `shape` is a view whose element at each place is that of the array at
/// `source(place)`, and that writing it writes the array.
void check_view(const extents& shape, const std::function<nd::array(const nd::array&)>& seen, const extents& wanted,
                const place_of& source) {
  CAPTURE(ts::to_string(shape));
  const plain_array<int> before = numbered<int>(shape);
  const nd::array whole = from_plain(before), view = seen(whole);
  REQUIRE(view.shape() == wanted);
  const auto expected = plain<int>(wanted, [&](const extents& place) { return before.at(source(place)); });
  CHECK(view.read<int>() == expected.elements);
  CHECK((view - 3 + 3).read<int>() == expected.elements);
  if (view.size() == 0) return;
  view += 1000000;
  plain_array<int> after = before;
  for_each_place(wanted, [&](const extents& place) { after.at(source(place)) += 1000000; });
  CHECK(whole.read<int>() == after.elements);
}

/// Of which axis `axes[k]` of the array is axis k of the view.
void check_permutation(const extents& shape, const std::function<nd::array(const nd::array&)>& seen,
                       const std::vector<int>& axes) {
  extents wanted = shape;
  for (int k = 0; k < shape.rank(); ++k) wanted[k] = shape[axes[static_cast<std::size_t>(k)]];
  check_view(shape, seen, wanted, [&](const extents& place) {
    extents made = place;
    for (int k = 0; k < shape.rank(); ++k) made[axes[static_cast<std::size_t>(k)]] = place[k];
    return made;
  });
}

std::int64_t flat(const extents& shape, const extents& place) {
  std::int64_t at = 0;
  for (int k = 0; k < shape.rank(); ++k) at = at * shape[k] + place[k];
  return at;
}

extents place_at(const extents& shape, std::int64_t flat) {
  extents made = shape;
  for (int k = shape.rank() - 1; k >= 0; --k) {
    made[k] = flat % shape[k];
    flat /= shape[k];
  }
  return made;
}

}  // namespace

TEST_CASE("permuted axes are views") {
  for_each_setting([] {
    for (const extents& shape : shapes) {
      std::vector<int> turned;
      for (int k = shape.rank() - 1; k >= 0; --k) turned.push_back(k);
      check_permutation(
          shape, [](const nd::array& a) { return nd::transpose(a); }, turned);
    }
    const extents shape{2, 3, 4, 5};
    check_permutation(shape, [](const nd::array& a) { return nd::permute_dims(a, {2, 0, -1, 1}); }, {2, 0, 3, 1});
    check_permutation(shape, [](const nd::array& a) { return nd::transpose(a, {0, 1, 2, 3}); }, {0, 1, 2, 3});
    check_permutation(shape, [](const nd::array& a) { return nd::matrix_transpose(a); }, {0, 1, 3, 2});
    check_permutation(shape, [](const nd::array& a) { return nd::swapaxes(a, 0, -2); }, {2, 1, 0, 3});
    check_permutation(shape, [](const nd::array& a) { return nd::moveaxis(a, 0, -1); }, {1, 2, 3, 0});
    check_permutation(shape, [](const nd::array& a) { return nd::moveaxis(a, {3, 0}, {0, 2}); }, {3, 1, 0, 2});
    check_permutation({7, 900}, [](const nd::array& a) { return nd::matrix_transpose(a); }, {1, 0});
  });
}

TEST_CASE("axes of one element come and go") {
  for_each_setting([] {
    const auto first = [](const extents& place) { return extents{place[0]}; };
    check_view(
        {5}, [](const nd::array& a) { return nd::expand_dims(a, 0); }, {1, 5},
        [](const extents& p) { return extents{p[1]}; });
    check_view(
        {5}, [](const nd::array& a) { return nd::expand_dims(a, -1); }, {5, 1}, first);
    check_view(
        {5},
        [](const nd::array& a) {
          return nd::expand_dims(a, {1, 2});
        },
        {5, 1, 1}, first);
    check_view(
        {1, 5, 1}, [](const nd::array& a) { return nd::squeeze(a); }, {5},
        [](const extents& p) {
          return extents{0, p[0], 0};
        });
    check_view(
        {1, 5, 1}, [](const nd::array& a) { return nd::squeeze(a, -1); }, {1, 5},
        [](const extents& p) {
          return extents{0, p[1], 0};
        });
    check_view(
        {1, 1, 1},
        [](const nd::array& a) {
          return nd::squeeze(a, {0, 2});
        },
        {1},
        [](const extents&) {
          return extents{0, 0, 0};
        });
    CHECK(nd::atleast_1d(from_plain(numbered<int>({}))).shape() == extents{1});
    CHECK(nd::atleast_2d(from_plain(numbered<int>({4}))).shape() == extents{1, 4});
    CHECK(nd::atleast_3d(from_plain(numbered<int>({}))).shape() == extents{1, 1, 1});
    CHECK(nd::atleast_3d(from_plain(numbered<int>({4}))).shape() == extents{1, 4, 1});
    CHECK(nd::atleast_3d(from_plain(numbered<int>({4, 5}))).shape() == extents{4, 5, 1});
    CHECK(nd::atleast_2d(from_plain(numbered<int>({0, 4, 5}))).shape() == extents{0, 4, 5});
  });
}

TEST_CASE("flips and turns are views") {
  for_each_setting([] {
    for (const extents& shape : shapes) {
      check_view(
          shape, [](const nd::array& a) { return nd::flip(a); }, shape,
          [&](const extents& place) {
            extents made = place;
            for (int k = 0; k < shape.rank(); ++k) made[k] = shape[k] - 1 - place[k];
            return made;
          });
      if (shape.rank() > 0)
        check_view(
            shape, [](const nd::array& a) { return nd::flip(a, -1); }, shape,
            [&](const extents& place) {
              extents made = place;
              made[shape.rank() - 1] = shape[shape.rank() - 1] - 1 - place[shape.rank() - 1];
              return made;
            });
    }
    const extents shape{3, 4};
    check_view(
        shape, [](const nd::array& a) { return nd::rot90(a); }, {4, 3},
        [](const extents& p) {
          return extents{p[1], 3 - p[0]};
        });
    check_view(
        shape, [](const nd::array& a) { return nd::rot90(a, 2); }, {3, 4},
        [](const extents& p) {
          return extents{2 - p[0], 3 - p[1]};
        });
    check_view(
        shape, [](const nd::array& a) { return nd::rot90(a, -1); }, {4, 3},
        [](const extents& p) {
          return extents{2 - p[1], p[0]};
        });
    check_view(
        shape,
        [](const nd::array& a) {
          return nd::rot90(a, 1, {1, 0});
        },
        {4, 3},
        [](const extents& p) {
          return extents{2 - p[1], p[0]};
        });
    check_view(
        shape, [](const nd::array& a) { return nd::rot90(a, 4); }, {3, 4}, [](const extents& p) { return p; });
  });
}

TEST_CASE("diagonals are views") {
  for_each_setting(
      [] {
        check_view(
            {4, 6}, [](const nd::array& a) { return nd::diagonal(a); }, {4},
            [](const extents& p) {
              return extents{p[0], p[0]};
            });
        check_view(
            {4, 6}, [](const nd::array& a) { return nd::diagonal(a, 3); }, {3},
            [](const extents& p) {
              return extents{p[0], p[0] + 3};
            });
        check_view(
            {4, 6}, [](const nd::array& a) { return nd::diagonal(a, -3); }, {1},
            [](const extents&) {
              return extents{3, 0};
            });
        check_view(
            {4, 6}, [](const nd::array& a) { return nd::diagonal(a, 9); }, {0}, [](const extents& p) { return p; });
        check_view(
            {3, 4, 5}, [](const nd::array& a) { return nd::diagonal(a, 1, 0, 2); }, {4, 3},
            [](const extents& p) {
              return extents{p[1], p[0], p[1] + 1};
            });
        check_view(
            {300, 300}, [](const nd::array& a) { return nd::diagonal(a, -1, 1, 0); }, {299},
            [](const extents& p) {
              return extents{p[0], p[0] + 1};
            });
      },
      room_for_pieces);
}

TEST_CASE("other shapes of the same elements are views, and copies where elements move") {
  for_each_setting([] {
    for (const extents& shape : shapes) {
      const std::int64_t n = nd::element_count(shape);
      const auto line = [&](const extents& p) { return place_at(shape, p[0]); };
      check_view(
          shape, [](const nd::array& a) { return nd::ravel(a); }, {n}, line);
      check_view(
          shape,
          [](const nd::array& a) {
            return nd::reshape(a, {-1, 1});
          },
          {n, 1}, line);
    }
    const plain_array<int> x = numbered<int>({6, 10});
    const nd::array a = from_plain(x), turned = nd::reshape(a.transpose(), {4, -1}), copied = nd::flatten(a);
    const auto expected = plain<int>({4, 15}, [&](const extents& p) {
      return x.at({flat({4, 15}, p) % 6, flat({4, 15}, p) / 6});
    });
    CHECK(same(turned, expected));
    turned += 1;
    copied += 1;
    CHECK(same(a, x));
    CHECK(same(nd::flatten(nd::flip(a, 0)), plain<int>({60}, [&](const extents& p) {
                 return x.at({5 - p[0] / 10, p[0] % 10});
               })));
    // A moved array is a whole one, which kernels take.
    CHECK(turned.engine_array().shape() == extents{4, 15});
    CHECK(copied.engine_array().shape() == extents{60});
  });
}

TEST_CASE("arrays are repeated to one shape, and fall into parts") {
  for_each_setting([] {
    const plain_array<int> x = numbered<int>({3, 1}), y = numbered<int>({4}, 100);
    const auto both = nd::broadcast_arrays({from_plain(x), from_plain(y)});
    REQUIRE(both.size() == 2);
    CHECK(same(both[0], plain<int>({3, 4}, [&](const extents& p) { return x.at({p[0], 0}); })));
    CHECK(same(both[1], plain<int>({3, 4}, [&](const extents& p) { return y.at({p[1]}); })));
    CHECK(nd::broadcast_arrays(std::span<const nd::array>()).empty());

    const plain_array<int> z = numbered<int>({5, 7});
    const nd::array a = from_plain(z);
    const auto rows = nd::unstack(a), columns = nd::unstack(a, -1);
    REQUIRE((rows.size() == 5 && columns.size() == 7));
    CHECK(same(rows[3], plain<int>({7}, [&](const extents& p) { return z.at({3, p[0]}); })));
    CHECK(same(columns[6], plain<int>({5}, [&](const extents& p) { return z.at({p[0], 6}); })));
    CHECK(nd::unstack(nd::zeros<int>({0, 3})).empty());

    const auto uneven = nd::array_split(a, 3, 1);
    REQUIRE(uneven.size() == 3);
    CHECK(same(uneven[0], plain<int>({5, 3}, [&](const extents& p) { return z.at(p); })));
    CHECK(same(uneven[2], plain<int>({5, 2}, [&](const extents& p) { return z.at({p[0], p[1] + 5}); })));
    CHECK(nd::array_split(a, 9, 0)[8].shape() == extents{0, 7});
    CHECK(nd::split(a, 7, 1)[6].shape() == extents{5, 1});
    const std::vector<std::int64_t> places{2, 2, 9};
    const auto parts = nd::split_at(a, places, 1);
    REQUIRE(parts.size() == 4);
    CHECK(parts[1].shape() == extents{5, 0});
    CHECK(same(parts[2], plain<int>({5, 5}, [&](const extents& p) { return z.at({p[0], p[1] + 2}); })));
    CHECK(parts[3].shape() == extents{5, 0});
    parts[0] += 50;
    CHECK(a(4, 1).item<int>() == z.at({4, 1}) + 50);
  });
}
