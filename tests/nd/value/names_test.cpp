#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "tests/nd/plain_array.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;

/// Names whose values no other test looks at.

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Equal up to a few units of the last place, or NaN both.
template <class T>
bool is_near(T a, double exact) {
  if (std::isnan(exact)) return std::isnan(a);
  const auto wanted = static_cast<T>(exact);
  return a == wanted || std::abs(a - wanted) <= 4 * std::numeric_limits<T>::epsilon() * std::abs(wanted);
}

template <class T, class Function, class Exact>
void check_function(Function of, Exact exact) {
  for (const std::int64_t n : {0, 1, 13, 6001}) {
    CAPTURE(n);
    std::vector<T> x(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<T>(static_cast<double>(k % 1001) / 125 - 4);
    if (n > 5) {
      x[0] = static_cast<T>(infinity);
      x[1] = static_cast<T>(-infinity);
      x[2] = std::numeric_limits<T>::quiet_NaN();
      x[3] = 0;
      x[4] = static_cast<T>(-0.0);
    }
    const std::vector<T> y = of(nd::from(x)).template read<T>();
    REQUIRE(y.size() == x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      CAPTURE(x[k]);
      const double wanted = exact(static_cast<double>(x[k]));
      CHECK(is_near(y[k], wanted));
      if (wanted == 0) CHECK(std::signbit(y[k]) == std::signbit(wanted));
    }
  }
}

}  // namespace

TEST_CASE("erf and rsqrt give what the standard library gives") {
  for_each_setting([] {
    const auto erf = [](const nd::array& a) { return nd::erf(a); };
    const auto rsqrt = [](const nd::array& a) { return nd::rsqrt(a); };
    const auto exact_erf = [](double x) { return std::erf(x); };
    const auto exact_rsqrt = [](double x) { return 1 / std::sqrt(x); };
    check_function<float>(erf, exact_erf);
    check_function<double>(erf, exact_erf);
    check_function<float>(rsqrt, exact_rsqrt);
    check_function<double>(rsqrt, exact_rsqrt);
    // Integers become floats, as for other functions of reals.
    CHECK(nd::rsqrt(nd::from(std::vector<int>{4, 16, 64})).read<double>() == std::vector<double>{0.5, 0.25, 0.125});
    CHECK(is_near(nd::erf(nd::from(std::vector<int>{1})).item<double>(), std::erf(1.0)));
    CHECK(nd::erf(nd::full({3}, 0, scalar_kind::float16)).type() == scalar_kind::float16);
  });
}

TEST_CASE("arrays like another one have its shape, its type and their own value") {
  for_each_setting([] {
    for (const extents& shape : {extents{}, extents{0, 3}, extents{5}, extents{40, 200}}) {
      CAPTURE(ts::to_string(shape));
      const auto count = static_cast<std::size_t>(nd::element_count(shape));
      const nd::array a = nd::full<float>(shape, 7.5f);
      const nd::array same_value = nd::full_like(a, 2.25), ones = nd::ones_like(a), zeros = nd::zeros_like(a);
      for (const nd::array& each : {same_value, ones, zeros}) {
        CHECK(each.shape() == shape);
        CHECK(each.type() == scalar_kind::float32);
        CHECK(axes_of(each) == axes_of(a));
      }
      CHECK(same_value.read<float>() == std::vector<float>(count, 2.25f));
      CHECK(ones.read<float>() == std::vector<float>(count, 1));
      CHECK(zeros.read<float>() == std::vector<float>(count, 0));
      CHECK(a.read<float>() == std::vector<float>(count, 7.5f));
    }
    const nd::array bytes = nd::full({4, 3}, 0, scalar_kind::uint8, {.split = 1});
    CHECK(nd::full_like(bytes, 255).read<std::uint8_t>() == std::vector<std::uint8_t>(12, 255));
    CHECK(axes_of(nd::ones_like(bytes)) == axes_of(bytes));
    CHECK(nd::ones_like(nd::zeros<bool>({2})).read<bool>() == std::vector<bool>{true, true});
    CHECK(nd::ones_like(nd::full({2}, 0, scalar_kind::complex128)).read<std::complex<double>>() ==
          std::vector<std::complex<double>>(2, 1.0));
  });
}

TEST_CASE("triangles keep what lies on one side of a diagonal, of each matrix") {
  for_each_setting([] {
    for (const extents& shape : {extents{1, 1}, extents{3, 3}, extents{4, 7}, extents{90, 70}, extents{2, 5, 3}}) {
      CAPTURE(ts::to_string(shape));
      const plain_array<int> a = numbered<int>(shape);
      const int rows = shape.rank() - 2, columns = shape.rank() - 1;
      for (const std::int64_t distance : {-100, -2, -1, 0, 1, 3, 100}) {
        CAPTURE(distance);
        const auto kept = [&](bool below) {
          return plain<int>(shape, [&](const extents& place) {
            const std::int64_t off = place[columns] - place[rows];
            return (below ? off <= distance : off >= distance) ? a.at(place) : 0;
          });
        };
        CHECK(same(nd::tril(from_plain(a), distance), kept(true)));
        CHECK(same(nd::triu(from_plain(a), distance), kept(false)));
      }
    }
    CHECK(nd::triu(nd::zeros<float>({0, 4})).shape() == extents{0, 4});
    CHECK(nd::tril(nd::ones<bool>({2, 2})).read<bool>() == std::vector<bool>{true, false, true, true});
    // What is left out does not count, even where it is no number.
    const nd::array bad = nd::full<double>({2, 2}, std::nan(""));
    CHECK(nd::triu(bad, 2).read<double>() == std::vector<double>(4, 0));
  });
}

TEST_CASE("a trace is the sum of a diagonal, of each matrix") {
  for_each_setting(
      [] {
        for (const extents& shape : {extents{1, 1}, extents{3, 3}, extents{4, 7}, extents{70, 50}, extents{3, 5, 4}}) {
          CAPTURE(ts::to_string(shape));
          const plain_array<std::int64_t> a = numbered<std::int64_t>(shape);
          const bool has_many = shape.rank() == 3;
          for (const std::int64_t distance : {-2, -1, 0, 1, 2}) {
            CAPTURE(distance);
            std::vector<std::int64_t> sums(has_many ? static_cast<std::size_t>(shape[0]) : 1, 0);
            for_each_place(shape, [&](const extents& place) {
              if (place[shape.rank() - 1] - place[shape.rank() - 2] == distance)
                sums[has_many ? static_cast<std::size_t>(place[0]) : 0] += a.at(place);
            });
            const nd::array traced = nd::trace(from_plain(a), distance);
            CHECK(traced.shape() == (has_many ? extents{shape[0]} : extents{}));
            CHECK(traced.read<std::int64_t>() == sums);
          }
        }
        CHECK(nd::trace(nd::zeros<double>({0, 0})).item<double>() == 0);
        // Small integers are summed in 64 bits, as in other sums.
        CHECK(nd::trace(nd::full({300, 300}, 100, scalar_kind::int8)).item<std::int64_t>() == 30000);
      },
      room_for_pieces);
}

TEST_CASE("places of elements that are not zero count all elements in their order") {
  for_each_setting(
      [] {
        for (const extents& shape : {extents{}, extents{0}, extents{1}, extents{7, 3}, extents{50, 211}}) {
          CAPTURE(ts::to_string(shape));
          const plain_array<int> a = plain<int>(shape, [&, n = 0](const extents&) mutable { return n++ * 37 % 5 - 2; });
          std::vector<std::int64_t> places;
          for (std::size_t k = 0; k < a.elements.size(); ++k)
            if (a.elements[k] != 0) places.push_back(static_cast<std::int64_t>(k));
          const nd::array found = nd::flatnonzero(from_plain(a));
          CHECK(found.type() == scalar_kind::int64);
          CHECK(found.read<std::int64_t>() == places);
        }
        CHECK(nd::flatnonzero(nd::zeros<float>({3000})).size() == 0);
        const nd::array turned = nd::arange(6).reshape({2, 3}).transpose();  // 0 3, 1 4, 2 5
        CHECK(nd::flatnonzero(turned).read<std::int64_t>() == std::vector<std::int64_t>{1, 2, 3, 4, 5});
      },
      room_for_pieces);
}
