#include <cmath>
#include <limits>

#include "tests/nd/support.h"

using namespace tessera;
using support::for_each_setting;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("lines are sorted in a stable way with NaN last, in both directions") {
  for_each_setting([] {
    const nd::array a = nd::from<double>({3, not_a_number, 1, 1, -1, 0, -1, 5}).reshape({2, 4});
    const std::vector<double> rows = nd::sort(a).read<double>();
    CHECK(std::vector(rows.begin(), rows.begin() + 3) == std::vector<double>{1, 1, 3});
    CHECK(std::isnan(rows[3]));
    CHECK(std::vector(rows.begin() + 4, rows.end()) == std::vector<double>{-1, -1, 0, 5});
    CHECK(nd::argsort(a).read<std::int64_t>() == std::vector<std::int64_t>{2, 3, 0, 1, 0, 2, 1, 3});
    CHECK(nd::argsort(a, 1, true).read<std::int64_t>() == std::vector<std::int64_t>{1, 0, 2, 3, 3, 1, 0, 2});
    CHECK(nd::argsort(a, 0).read<std::int64_t>() == std::vector<std::int64_t>{1, 1, 1, 0, 0, 0, 0, 1});
    CHECK(nd::sort(nd::zeros<float>({0, 3}), 0).shape() == extents{0, 3});
    CHECK_THROWS_AS(static_cast<void>(nd::sort(a, 2)), argument_error);
  });
}

TEST_CASE("different elements are told with their places and counts, and NaN differ from each other") {
  for_each_setting([] {
    const nd::unique_elements found =
        nd::unique_all(nd::from<double>({2, 1, not_a_number, 2, not_a_number, 1}).reshape({2, 3}));
    CHECK(found.counts.read<std::int64_t>() == std::vector<std::int64_t>{2, 2, 1, 1});
    CHECK(found.indices.read<std::int64_t>() == std::vector<std::int64_t>{1, 0, 2, 4});
    CHECK(found.inverse.read<std::int64_t>() == std::vector<std::int64_t>{1, 0, 2, 1, 3, 0});
    CHECK(found.inverse.shape() == extents{2, 3});
  });
}

TEST_CASE("places of values in a sorted vector, and whether elements are among others") {
  for_each_setting([] {
    const nd::array line = nd::from<int>({1, 3, 3, 7}), values = nd::from<double>({0, 3, 3.5, 9});
    CHECK(nd::searchsorted(line, values).read<std::int64_t>() == std::vector<std::int64_t>{0, 1, 3, 4});
    CHECK(nd::searchsorted(line, values, true).read<std::int64_t>() == std::vector<std::int64_t>{0, 3, 3, 4});
    CHECK(nd::isin(values, line).read<bool>() == std::vector<bool>{false, true, false, false});
    CHECK_THROWS_AS(static_cast<void>(nd::searchsorted(nd::zeros<int>({2, 2}), values)), argument_error);
  });
}

TEST_CASE("several arrays of places are read and written together") {
  for_each_setting([] {
    nd::array a = nd::arange(12).reshape({3, 4}) + 0;
    const std::vector<nd::array> both{nd::from<int>({0, -1}), nd::from<int>({1, 3})}, second{nd::array(), both[1]};
    CHECK(nd::at_places(a, both).read<std::int64_t>() == std::vector<std::int64_t>{1, 11});
    CHECK(nd::at_places(a, second).shape() == extents{3, 2});
    nd::put_at_places(a, both, nd::from<int>({-1, -2}));
    CHECK(a.read<std::int64_t>() == std::vector<std::int64_t>{0, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -2});
    const std::vector<nd::array> beyond{nd::from<int>({0, 3}), nd::from<int>({0, 0})};
    CHECK_THROWS_AS(nd::at_places(a, beyond).read<std::int64_t>(), index_error);
    CHECK_THROWS_AS(nd::put_at_places(a, both, nd::from<double>({0.5, 1})), type_error);
  });
}

TEST_CASE("values are put one after the other where a mask is true") {
  for_each_setting([] {
    nd::array a = nd::arange(6).reshape({2, 3}) + 0;
    nd::put_in_order(a, a % 2 == 0, nd::from<int>({10, 20, 30}));
    CHECK(a.read<std::int64_t>() == std::vector<std::int64_t>{10, 1, 20, 3, 30, 5});
    CHECK_THROWS_AS(nd::put_in_order(a, a > 100, nd::from<int>({1, 2})), argument_error);
    nd::put_in_order(a, a > 100, nd::zeros<int>({0}));
  });
}
