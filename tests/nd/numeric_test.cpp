#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "tests/nd/plain_array.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Equal, or NaN both.
bool alike(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k] != b[k] && !(std::isnan(a[k]) && std::isnan(b[k]))) return false;
  return true;
}

bool near(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (std::abs(a[k] - b[k]) > 1e-14 * std::abs(b[k])) return false;
  return true;
}

}  // namespace

TEST_CASE("differences are taken along any axis, several times") {
  for_each_setting([] {
    const plain_array<int> x =
        plain<int>({5, 7}, [](const extents& p) { return p[0] * p[0] * 10 + p[1] * p[1] * p[1]; });
    const nd::array a = from_plain(x);
    CHECK(same(nd::diff(a), plain<int>({5, 6}, [&](const extents& p) { return x.at({p[0], p[1] + 1}) - x.at(p); })));
    CHECK(same(nd::diff(a, 2, 0), plain<int>({3, 7}, [](const extents&) { return 20; })));
    CHECK(same(nd::diff(a, 3), plain<int>({5, 4}, [](const extents&) { return 6; })));
    CHECK(same(nd::diff(a, 0), x));
    CHECK(nd::diff(a, 9).shape() == extents{5, 0});
    CHECK(nd::diff(nd::zeros<float>({1})).shape() == extents{0});
    const nd::array truths = nd::from<bool>({3}, std::array{true, true, false});
    CHECK(nd::diff(truths).read<bool>() == std::vector<bool>{false, true});
    const nd::array naturals = nd::from<std::uint8_t>({2}, std::array<std::uint8_t, 2>{3, 1});
    CHECK(nd::diff(naturals).read<std::uint8_t>() == std::vector<std::uint8_t>{254});

    CHECK(nd::gradient(nd::from(std::vector<double>{1, 2, 4, 7, 11, 16})).read<double>() ==
          std::vector<double>{1, 1.5, 2.5, 3.5, 4.5, 5});
    CHECK(nd::gradient(nd::from(std::vector<double>{1, 2, 4, 7, 11, 16}), 2).read<double>() ==
          std::vector<double>{0.5, 0.75, 1.25, 1.75, 2.25, 2.5});
    CHECK(nd::gradient(nd::from(std::vector<int>{1, 4})).read<double>() == std::vector<double>{3, 3});
    const nd::array rows = nd::gradient(nd::as_type(a, scalar_kind::float32), 1, 0);
    CHECK(rows.type() == scalar_kind::float32);
    CHECK(rows.shape() == extents{5, 7});
    CHECK(rows(1, 3).item<float>() == 20);
  });
}

TEST_CASE("numbers are close by tolerances, and infinities by equality") {
  for_each_setting([] {
    const nd::array a = nd::from(std::vector<double>{1, 1, infinity, infinity, not_a_number, not_a_number, 1e-9, 100}),
                    b = nd::from(std::vector<double>{1 + 1e-6, 1.1, infinity, -infinity, not_a_number, 1, 0, infinity});
    CHECK(nd::isclose(a, b).read<bool>() == std::vector<bool>{true, false, true, false, false, false, true, false});
    CHECK(nd::isclose(a, b, {.equal_nan = true}).read<bool>()[4]);
    CHECK(nd::isclose(a, b, {.relative = 0.2}).read<bool>()[1]);
    CHECK(nd::isclose(a, 1).read<bool>() == std::vector<bool>{true, true, false, false, false, false, false, false});
    CHECK(nd::isclose(nd::arange(3), nd::arange(3)).read<bool>() == std::vector<bool>{true, true, true});
  });
}

TEST_CASE("numbers that are not finite become others") {
  for_each_setting([] {
    const std::vector<double> x{not_a_number, infinity, -infinity, 2.5};
    const nd::array a = nd::from(x);
    constexpr double most = std::numeric_limits<double>::max();
    CHECK(nd::nan_to_num(a).read<double>() == std::vector<double>{0, most, -most, 2.5});
    CHECK(nd::nan_to_num(a, {.nan = -1, .positive = 7, .negative = 8}).read<double>() ==
          std::vector<double>{-1, 7, 8, 2.5});
    const nd::array f = nd::nan_to_num(nd::as_type(a, scalar_kind::float32));
    CHECK(f.type() == scalar_kind::float32);
    CHECK(f(1).item<float>() == std::numeric_limits<float>::max());
    CHECK(nd::isposinf(a).read<bool>() == std::vector<bool>{false, true, false, false});
    CHECK(nd::isneginf(a).read<bool>() == std::vector<bool>{false, false, true, false});
    CHECK(nd::isposinf(nd::arange(2)).read<bool>() == std::vector<bool>{false, false});
    CHECK(alike(nd::fmax(a, 0).read<double>(), {0, infinity, 0, 2.5}));
    CHECK(alike(nd::fmin(0, a).read<double>(), {0, 0, -infinity, 0}));
    CHECK(alike(nd::fmax(a, not_a_number).read<double>(), x));
    CHECK(alike(nd::fmin(not_a_number, a).read<double>(), x));
    CHECK(nd::fmax(nd::arange(3), 1).read<std::int64_t>() == std::vector<std::int64_t>{1, 1, 2});
    CHECK(alike(nd::heaviside(nd::from(std::vector<double>{-2, 0, 3, not_a_number}), 0.5).read<double>(),
                {0, 0.5, 1, not_a_number}));
    CHECK(nd::heaviside(nd::zeros<float>({2}), 2).type() == scalar_kind::float32);
    CHECK(nd::float_power(nd::arange(3), 2).read<double>() == std::vector<double>{0, 1, 4});
    CHECK(nd::float_power(2, nd::ones<float>({1})).type() == scalar_kind::float64);
    CHECK(nd::fmod(-7, nd::from(std::vector<int>{3, -3, 0})).read<int>() == std::vector<int>{-1, -1, 0});
  });
}

TEST_CASE("integers that an array's type does not have are beyond all of its elements") {
  for_each_setting([] {
    const nd::array a = nd::from(std::vector<std::uint8_t>{0, 255});
    using truths = std::vector<bool>;
    CHECK((a < 300).read<bool>() == truths{true, true});
    CHECK((300 < a).read<bool>() == truths{false, false});
    CHECK((a >= -1).read<bool>() == truths{true, true});
    CHECK((-1 > a).read<bool>() == truths{false, false});
    CHECK((a == 256).read<bool>() == truths{false, false});
    CHECK((a != -1).read<bool>() == truths{true, true});
    CHECK((nd::arange(2) < UINT64_MAX).read<bool>() == truths{true, true});
    CHECK(nd::clip(a, -5, 100).read<std::uint8_t>() == std::vector<std::uint8_t>{0, 100});
    CHECK(nd::clip(a, 3, 1000).read<std::uint8_t>() == std::vector<std::uint8_t>{3, 255});
    CHECK((nd::from(std::vector<std::uint64_t>{5}) == UINT64_MAX).read<bool>() == truths{false});
  });
}

TEST_CASE("lines of powers, grids, triangles and diagonals") {
  for_each_setting([] {
    CHECK(near(nd::logspace(0, 3, 4).read<double>(), {1, 10, 100, 1000}));
    CHECK(near(nd::logspace(0, 4, 4, false, 2).read<double>(), {1, 2, 4, 8}));
    CHECK(nd::logspace(0, 3, 0).shape() == extents{0});
    CHECK(near(nd::geomspace(1, 256, 9).read<double>(), {1, 2, 4, 8, 16, 32, 64, 128, 256}));
    CHECK(nd::geomspace(3, 700, 5).read<double>()[4] == 700);
    CHECK(near(nd::geomspace(-1000, -1, 4).read<double>(), {-1000, -100, -10, -1}));
    CHECK(nd::geomspace(3, 700, 1).read<double>() == std::vector<double>{3});

    const auto xy = nd::meshgrid({nd::arange(3), nd::arange(2)});
    REQUIRE(xy.size() == 2);
    CHECK(xy[0].shape() == extents{2, 3});
    CHECK(xy[0].read<std::int64_t>() == std::vector<std::int64_t>{0, 1, 2, 0, 1, 2});
    CHECK(xy[1].read<std::int64_t>() == std::vector<std::int64_t>{0, 0, 0, 1, 1, 1});
    const auto ij = nd::meshgrid({nd::arange(3), nd::arange(2), nd::arange(1)}, true);
    CHECK(ij[0].shape() == extents{3, 2, 1});
    CHECK(ij[1].read<std::int64_t>() == std::vector<std::int64_t>{0, 1, 0, 1, 0, 1});
    CHECK(nd::meshgrid({nd::arange(0), nd::arange(2)})[0].shape() == extents{2, 0});

    CHECK(nd::tri(3, 3, 0, scalar_kind::int32).read<int>() == std::vector<int>{1, 0, 0, 1, 1, 0, 1, 1, 1});
    CHECK(nd::tri(2, 3, 1).read<double>() == std::vector<double>{1, 1, 0, 1, 1, 1});
    CHECK(nd::diag(nd::arange(1, 3)).read<std::int64_t>() == std::vector<std::int64_t>{1, 0, 0, 2});
    CHECK(nd::diag(nd::arange(1, 3), -1).read<std::int64_t>() == std::vector<std::int64_t>{0, 0, 0, 1, 0, 0, 0, 2, 0});
    CHECK(nd::diag(nd::arange(0), 2).read<std::int64_t>() == std::vector<std::int64_t>(4, 0));
    CHECK(nd::diag(nd::arange(9).reshape({3, 3}), 1).read<std::int64_t>() == std::vector<std::int64_t>{1, 5});
    const nd::array large = nd::diag(nd::full<float>({90}, 2.0f), 3);
    CHECK(large.shape() == extents{93, 93});
    CHECK((large(4, 7).item<float>() == 2 && large(4, 6).item<float>() == 0 && large(92, 0).item<float>() == 0));
    const std::vector<double> line = nd::arange(0.1, 1.0, 0.1).read<double>();
    REQUIRE(line.size() == 9);
    for (std::size_t k = 0; k < 9; ++k) CHECK(line[k] == 0.1 + static_cast<double>(k) * ((0.1 + 0.1) - 0.1));
    CHECK(nd::arange(INT64_MAX - 2, INT64_MAX).size() == 2);
    CHECK(nd::arange(INT64_MAX, INT64_MIN, 1).size() == 0);
    CHECK(nd::arange(5, 0, INT64_MIN).size() == 1);
    CHECK(nd::where(nd::arange(2) > 0, 2.5, 1).read<double>() == std::vector<double>{1, 2.5});
    CHECK(nd::where(nd::arange(2) > 0, 1, true).type() == scalar_kind::int64);
    CHECK(nd::zeros<bool>({2}).read<bool>() == std::vector<bool>{false, false});
    CHECK(nd::ones<bool>({2}).read<bool>() == std::vector<bool>{true, true});
  });
}
