// Powers, pseudoinverses, ranks and norms.
#include <doctest/doctest.h>

#include "tests/nd/linalg/matrices.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

doctest::Approx about(double value) { return doctest::Approx(value).epsilon(1e-12); }

}  // namespace

TEST_CASE("norms of matrices") {
  for_each_large_setting([] {
    const nd::array a = nd::from<double>({2, 3}, std::array<double, 6>{1, -2, 3, -4, 5, -6});
    using order = la::matrix_order;
    const auto norm = [&](order by) { return la::matrix_norm(a, false, by).item<double>(); };
    CHECK(norm(order::frobenius) == about(std::sqrt(91.0)));
    CHECK(norm(order::one) == 9);
    CHECK(norm(order::minus_one) == 5);
    CHECK(norm(order::infinity) == 15);
    CHECK(norm(order::minus_infinity) == 6);
    // Singular values: the roots of eigenvalues of a a^T, whose trace is 91 and determinant 54.
    const double root = std::sqrt(91.0 * 91 - 4 * 54), most = std::sqrt((91 + root) / 2),
                 least = std::sqrt((91 - root) / 2);
    CHECK(norm(order::two) == about(most));
    CHECK(norm(order::minus_two) == about(least));
    CHECK(norm(order::nuclear) == about(most + least));
    const nd::array stack = nd::ones<float>({4, 20, 30});
    for (const order by : {order::frobenius, order::nuclear, order::one, order::two, order::infinity, order::minus_one,
                           order::minus_two, order::minus_infinity}) {
      CHECK(la::matrix_norm(stack, true, by).shape() == extents{4, 1, 1});
      CHECK(la::matrix_norm(stack, false, by).shape() == extents{4});
      CHECK(la::matrix_norm(stack, false, by).type() == scalar_kind::float32);
    }
    CHECK(la::matrix_norm(nd::full({2, 2}, std::complex<double>(3, 4))).item<double>() == about(10));
    CHECK(la::matrix_norm(nd::arange(4).reshape({2, 2})).type() == scalar_kind::float64);
  });
}

TEST_CASE("norms of vectors") {
  for_each_large_setting([] {
    const nd::array a = nd::from<double>({2, 3}, std::array<double, 6>{3, -4, 0, 1, 2, -2});
    CHECK(la::vector_norm(a).item<double>() == about(std::sqrt(34.0)));
    CHECK(la::vector_norm(a, 1).read<double>() == std::vector<double>{5, 3});
    CHECK(la::vector_norm(a, -1, true, infinity).shape() == extents{2, 1});
    CHECK(la::vector_norm(a, 1, false, infinity).read<double>() == std::vector<double>{4, 2});
    CHECK(la::vector_norm(a, 1, false, -infinity).read<double>() == std::vector<double>{0, 1});
    CHECK(la::vector_norm(a, 1, false, 0).read<double>() == std::vector<double>{2, 3});
    CHECK(la::vector_norm(a, 1, false, 1).read<double>() == std::vector<double>{7, 5});
    CHECK(la::vector_norm(a, {0, 1}, true, 3).item<double>() == about(std::cbrt(27.0 + 64 + 1 + 8 + 8)));
    CHECK(la::vector_norm(a(1), {}, false, -1).item<double>() == about(1 / (1 + 0.5 + 0.5)));
    CHECK(la::vector_norm(nd::full({2}, std::complex<float>(3, 4))).item<float>() ==
          about(std::sqrt(50.0)).epsilon(1e-6));
    CHECK(la::vector_norm(nd::full({2}, std::complex<float>(3, 4))).type() == scalar_kind::float32);
    CHECK(la::vector_norm(nd::ones<float>({2, 0}), 1, false, infinity).read<float>() == std::vector<float>{0, 0});
  });
}

TEST_CASE("powers of matrices") {
  for_each_large_setting([] {
    const nd::array a = nd::from<std::int64_t>({2, 2}, std::array<std::int64_t, 4>{1, 1, 1, 0});
    CHECK(la::matrix_power(a, 30).read<std::int64_t>() == std::vector<std::int64_t>{1346269, 832040, 832040, 514229});
    CHECK(la::matrix_power(a, 0).read<std::int64_t>() == std::vector<std::int64_t>{1, 0, 0, 1});
    CHECK(la::matrix_power(a, 1).read<std::int64_t>() == a.read<std::int64_t>());
    const plain_array<double> x = regular<double>({3, 30, 30});
    const nd::array b = from_plain(x);
    CHECK(nd::max(nd::abs(nd::matmul(la::matrix_power(b, -3), la::matrix_power(b, 3)) - nd::eye<double>(30, 30)))
              .item<double>() < 1e-12);
  });
}

TEST_CASE("pseudoinverses and ranks leave out small singular values") {
  for_each_large_setting([] {
    for (const extents& shape : {extents{7, 4}, extents{4, 7}, extents{3, 20, 12}}) {
      const nd::array a = from_plain(random_array<std::complex<double>>(shape)), p = la::pinv(a);
      CHECK(nd::max(nd::abs(nd::matmul(nd::matmul(a, p), a) - a)).item<double>() < 1e-13);
      CHECK(nd::max(nd::abs(nd::matmul(nd::matmul(p, a), p) - p)).item<double>() < 1e-13);
    }
    const nd::array outer = nd::outer(nd::arange(30) + 1.0, nd::arange(20) + 1.0);
    CHECK(la::matrix_rank(outer).item<int>() == 1);
    CHECK(la::matrix_rank(nd::eye<float>(40, 40)).item<int>() == 40);
    CHECK(la::matrix_rank(nd::zeros<float>({4, 4})).item<int>() == 0);
    CHECK(la::matrix_rank(nd::zeros<float>({4, 4})).type() == scalar_kind::int64);
    const nd::array two = nd::diag(nd::from(std::vector<double>{4, 1, 0.5}));
    CHECK(la::matrix_rank(two, 0.2).item<int>() == 2);
    const nd::array both = nd::broadcast_to(two, {2, 3, 3});
    CHECK(la::matrix_rank(both, nd::from(std::vector<double>{0.2, 0.01})).read<std::int64_t>() ==
          std::vector<std::int64_t>{2, 3});
    CHECK(la::pinv(two, 0.2)(2, 2).item<double>() == 0);
    CHECK(la::pinv(two, 0.01)(2, 2).item<double>() == about(2));
    CHECK(la::pinv(nd::outer(nd::arange(3), nd::arange(3))).type() == scalar_kind::float64);
  });
}

TEST_CASE("diagonals and traces of the last two axes") {
  for_each_large_setting([] {
    const nd::array a = nd::arange(24).reshape({2, 3, 4});
    CHECK(la::diagonal(a).read<std::int64_t>() == std::vector<std::int64_t>{0, 5, 10, 12, 17, 22});
    CHECK(la::diagonal(a, -1).shape() == extents{2, 2});
    CHECK(la::trace(a, 1).read<std::int64_t>() == std::vector<std::int64_t>{18, 54});
    CHECK(la::matrix_transpose(a).shape() == extents{2, 4, 3});
  });
}
