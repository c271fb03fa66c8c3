// Operations that may be rounded together, where the program says so.
#include <doctest/doctest.h>

#include <string>

#include "tests/nd/support.h"

using namespace tessera::support;

namespace {

constexpr double eps = 0x1p-30;
constexpr std::int64_t n = 20'000;

/// (1 + eps) (1 - eps) - 1: 0 rounded twice, -eps^2 rounded once.
nd::array difference(const nd::array& a, const nd::array& b) { return a * b - 1; }

/// Where there is no such instruction, nothing changes.
double once() { return __builtin_cpu_supports("fma") != 0 ? -eps * eps : 0; }

double least(const nd::array& x) { return x.min().item<double>(); }

}  // namespace

TEST_CASE("products and sums are rounded together where the program allows it, and nowhere else") {
  for_each_setting(
      [] {
        const nd::array a = nd::full({n}, 1 + eps, ts::scalar_kind::float64),
                        b = nd::full({n}, 1 - eps, ts::scalar_kind::float64);
        nd::eval({a, b});
        CHECK(least(difference(a, b)) == 0);
        nd::array fast, product;
        {
          const nd::fast_math on;
          fast = difference(a, b);
          product = a * b;
        }
        CHECK(least(fast + 0) == 0);  // a strict operation in the same kernel
        nd::eval({fast});
        CHECK(least(fast) == once());
        CHECK(least(product - 1) == 0);
        CHECK(least(difference(a, b)) == 0);
      },
      room_for_pieces);
}

TEST_CASE("a reduction that was not allowed to keeps its own rounding") {
  for_each_setting(
      [] {
        const nd::array a = nd::full({n}, 1 + eps, ts::scalar_kind::float64),
                        b = nd::full({n}, 1 - eps, ts::scalar_kind::float64);
        nd::eval({a, b});
        const double strict = (a * b).sum().item<double>();
        nd::array product;
        double fast = 0;
        {
          const nd::fast_math on;
          product = a * b;
          fast = (a * b - 1).sum().item<double>();
        }
        CHECK(product.sum().item<double>() == strict);
        CHECK(fast == doctest::Approx(static_cast<double>(n) * once()));
      },
      room_for_pieces);
}
