// Factorisations by what their results must satisfy.
#include <doctest/doctest.h>

#include "tests/array/on_ranks.h"
#include "tests/nd/linalg/matrices.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;

namespace {

/// Calls check(t, matrix t of the stack) for all.
template <class Check>
void for_each_matrix(const plain_array<wide>& a, Check check) {
  const std::int64_t size = a.shape[a.shape.rank() - 1] * a.shape[a.shape.rank() - 2];
  for (std::int64_t t = 0; size > 0 && t * size < static_cast<std::int64_t>(a.elements.size()); ++t)
    check(t, matrix_of(a, t));
}

template <class T>
constexpr double bound(std::int64_t n) {
  return 40 * epsilon_of<T> * static_cast<double>(n);
}

/// Stacks of square matrices: alone and small, a stack, one that is large enough for threads.
const std::vector<extents> squares{{1, 1}, {5, 5}, {2, 3, 4, 4}, {40, 17, 17}, {150, 150}};

/// A hermitian stack, far from singular.
template <class T>
plain_array<T> hermitian(const extents& shape) {
  const plain_array<T> a = regular<T>(shape);
  return plain<T>(shape, [&](extents p) {
    const T above = a.at(p);
    std::swap(p[shape.rank() - 1], p[shape.rank() - 2]);
    const T below = a.at(p);
    if constexpr (std::is_same_v<T, real_of<T>>)
      return above + below;
    else
      return above + std::conj(below);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("Cholesky factors are triangles whose product is the matrix", T, float, double, std::complex<float>,
                   std::complex<double>) {
  for_each_large_setting([] {
    for (const extents& shape : squares) {
      const plain_array<T> x = hermitian<T>(shape);
      const nd::array a = from_plain(x);
      const plain_array<wide> lower = read_wide<T>(la::cholesky(a)), upper = read_wide<T>(la::cholesky(a, true));
      for_each_matrix(widened(x), [&](std::int64_t t, const matrix& m) {
        const matrix l = matrix_of(lower, t), u = matrix_of(upper, t);
        CHECK(distance(l * adjoint(l), m) < bound<T>(m.rows));
        CHECK(distance(adjoint(u) * u, m) < bound<T>(m.rows));
        bool zeros = true;
        for (std::int64_t i = 0; i < m.rows; ++i)
          for (std::int64_t j = i + 1; j < m.rows; ++j) zeros = zeros && l.at(i, j) == wide(0) && u.at(j, i) == wide(0);
        CHECK(zeros);
      });
      // Only one triangle is looked at.
      CHECK(la::cholesky(nd::tril(a)).template read<T>() == la::cholesky(a).template read<T>());
      CHECK(la::cholesky(nd::triu(a), true).template read<T>() == la::cholesky(a, true).template read<T>());
    }
  });
}

TEST_CASE_TEMPLATE("inverses, solutions and determinants", T, float, double, std::complex<float>,
                   std::complex<double>) {
  for_each_large_setting([] {
    for (const extents& shape : squares) {
      const std::int64_t n = shape[shape.rank() - 1];
      const plain_array<T> x = regular<T>(shape),
                           b = random_array<T>(
                               nd::with_extent(nd::without_extent(shape, shape.rank() - 1), shape.rank() - 1, 3), 5);
      const nd::array a = from_plain(x);
      const plain_array<wide> inverse = read_wide<T>(la::inv(a)), solution = read_wide<T>(la::solve(a, from_plain(b)));
      const auto [sign, logarithm] = la::slogdet(a);
      const plain_array<wide> signs = read_wide<T>(sign), logarithms = read_wide<real_of<T>>(logarithm);
      for_each_matrix(widened(x), [&](std::int64_t t, const matrix& m) {
        CHECK(distance(m * matrix_of(inverse, t), identity(n)) < bound<T>(n));
        CHECK(distance(m * matrix_of(solution, t), matrix_of(widened(b), t)) < bound<T>(n));
        // The determinant by elimination; diagonals are large.
        matrix left = m;
        wide one = 1;
        long double size = 0;
        for (std::int64_t k = 0; k < n; ++k) {
          const wide pivot = left.at(k, k);
          one *= pivot / std::abs(pivot);
          size += std::log(std::abs(pivot));
          for (std::int64_t i = k + 1; i < n; ++i) {
            const wide factor = left.at(i, k) / pivot;
            for (std::int64_t j = k; j < n; ++j) left.at(i, j) -= factor * left.at(k, j);
          }
        }
        CHECK(std::abs(signs.elements[ts::index(t)] - one) < bound<T>(n));
        CHECK(std::abs(logarithms.elements[ts::index(t)] - size) <
              bound<T>(n) * (1 + static_cast<double>(std::abs(size))));
      });
      if (n > 20) continue;
      const std::vector<T> found = la::det(a).template read<T>();
      for (std::size_t t = 0; t < found.size(); ++t)
        CHECK(std::abs(wide(found[t]) / (signs.elements[t] * std::exp(logarithms.elements[t])) - wide(1)) <
              10 * bound<T>(n));
    }
  });
}

TEST_CASE("right sides are vectors only if they have one axis; stacks are repeated") {
  for_each_large_setting([] {
    const plain_array<double> x = regular<double>({3, 4, 4});
    const nd::array a = from_plain(x), v = nd::arange(4) + 1.0;
    const nd::array one = la::solve(a, v);
    CHECK(one.shape() == extents{3, 4});
    CHECK(nd::max(nd::abs(nd::matmul(a, one(nd::all, nd::all, nd::new_axis))(nd::all, nd::all, 0) - v)).item<double>() <
          1e-14);
    const nd::array many = la::solve(a(0), nd::ones<double>({5, 4, 2}));
    CHECK(many.shape() == extents{5, 4, 2});
    CHECK(nd::max(nd::abs(nd::matmul(a(0), many) - 1)).item<double>() < 1e-14);
    CHECK(la::solve(nd::eye<double>(3, 3), nd::ones<double>({3, 3})).shape() == extents{3, 3});
    CHECK(la::solve(nd::eye<float>(3, 3), nd::arange(3)).type() == scalar_kind::float64);
  });
}

TEST_CASE_TEMPLATE("QR factors are orthogonal and triangular", T, float, double, std::complex<float>,
                   std::complex<double>) {
  for_each_large_setting([] {
    for (const extents& shape : {extents{6, 4}, extents{4, 6}, extents{30, 5, 5}, extents{2, 70, 20}, extents{3, 1}})
      for (const auto mode : {la::qr_mode::reduced, la::qr_mode::complete}) {
        const plain_array<T> x = random_array<T>(shape);
        const auto [Q, R] = la::qr(from_plain(x), mode);
        const plain_array<wide> q = read_wide<T>(Q), r = read_wide<T>(R);
        for_each_matrix(widened(x), [&](std::int64_t t, const matrix& m) {
          const matrix left = matrix_of(q, t), right = matrix_of(r, t);
          CHECK(left.columns == (mode == la::qr_mode::complete ? m.rows : std::min(m.rows, m.columns)));
          CHECK(distance(left * right, m) < bound<T>(m.rows));
          CHECK(distance(adjoint(left) * left, identity(left.columns)) < bound<T>(m.rows));
          bool zeros = true;
          for (std::int64_t i = 0; i < right.rows; ++i)
            for (std::int64_t j = 0; j < std::min(i, right.columns); ++j) zeros = zeros && right.at(i, j) == wide(0);
          CHECK(zeros);
        });
      }
  });
}

TEST_CASE_TEMPLATE("eigenvalues of hermitian matrices ascend, vectors are orthogonal", T, float, double,
                   std::complex<float>, std::complex<double>) {
  for_each_large_setting([] {
    for (const extents& shape : squares) {
      const plain_array<T> x = hermitian<T>(shape);
      const nd::array a = from_plain(x);
      const auto [values, vectors] = la::eigh(a);
      const plain_array<wide> w = read_wide<real_of<T>>(values), v = read_wide<T>(vectors);
      const std::int64_t n = shape[shape.rank() - 1];
      for_each_matrix(widened(x), [&](std::int64_t t, const matrix& m) {
        const matrix columns = matrix_of(v, t);
        matrix scaled = columns;
        bool ascend = true;
        for (std::int64_t j = 0; j < n; ++j) {
          const wide value = w.elements[ts::index(t * n + j)];
          ascend = ascend && (j == 0 || value.real() >= w.elements[ts::index(t * n + j - 1)].real());
          for (std::int64_t i = 0; i < n; ++i) scaled.at(i, j) *= value;
        }
        CHECK(ascend);
        CHECK(distance(m * columns, scaled) < bound<T>(n));
        CHECK(distance(adjoint(columns) * columns, identity(n)) < bound<T>(n));
      });
      CHECK(relative_error(la::eigvalsh(nd::tril(a)).template read<real_of<T>>(), w.elements) < bound<T>(n));
    }
  });
}

TEST_CASE_TEMPLATE("eigenvalues of any matrices are complex numbers", T, float, double, std::complex<float>,
                   std::complex<double>) {
  for_each_large_setting([] {
    for (const extents& shape : squares) {
      const std::int64_t n = shape[shape.rank() - 1];
      if (n > 20) continue;
      using number = std::complex<real_of<T>>;
      const plain_array<T> x = random_array<T>(shape);
      const auto [values, vectors] = la::eig(from_plain(x));
      const plain_array<wide> w = read_wide<number>(values), v = read_wide<number>(vectors);
      for_each_matrix(widened(x), [&](std::int64_t t, const matrix& m) {
        const matrix columns = matrix_of(v, t);
        matrix scaled = columns;
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i) scaled.at(i, j) *= w.elements[ts::index(t * n + j)];
        CHECK(distance(m * columns, scaled) < 10 * bound<T>(n));
      });
      const plain_array<wide> alone = read_wide<number>(la::eigvals(from_plain(x)));
      wide sum = 0, trace = 0;
      for (std::int64_t k = 0; k < n; ++k) {
        sum += alone.elements[ts::index(k)];
        trace += wide(x.elements[ts::index(k * (n + 1))]);
      }
      CHECK(std::abs(sum - trace) < 10 * bound<T>(n) * static_cast<double>(n));
    }
  });
}

TEST_CASE_TEMPLATE("singular values descend, their vectors are orthogonal", T, float, double, std::complex<float>,
                   std::complex<double>) {
  for_each_large_setting([] {
    for (const extents& shape : {extents{6, 4}, extents{4, 6}, extents{20, 5, 5}, extents{2, 60, 21}, extents{1, 3}})
      for (const bool full : {false, true}) {
        const plain_array<T> x = random_array<T>(shape);
        const auto [U, S, Vh] = la::svd(from_plain(x), full);
        const plain_array<wide> u = read_wide<T>(U), s = read_wide<real_of<T>>(S), v = read_wide<T>(Vh);
        const std::int64_t least = std::min(shape[shape.rank() - 1], shape[shape.rank() - 2]);
        for_each_matrix(widened(x), [&](std::int64_t t, const matrix& m) {
          const matrix left = matrix_of(u, t), right = matrix_of(v, t);
          matrix values{left.columns, right.rows, std::vector<wide>(ts::index(left.columns * right.rows))};
          bool descend = true;
          for (std::int64_t k = 0; k < least; ++k) {
            values.at(k, k) = s.elements[ts::index(t * least + k)];
            descend = descend && values.at(k, k).real() >= 0 &&
                      (k == 0 || values.at(k, k).real() <= values.at(k - 1, k - 1).real());
          }
          CHECK(descend);
          CHECK(left.columns == (full ? m.rows : least));
          CHECK(distance(left * values * right, m) < bound<T>(m.rows));
          CHECK(distance(adjoint(left) * left, identity(left.columns)) < bound<T>(m.rows));
          CHECK(distance(right * adjoint(right), identity(right.rows)) < bound<T>(m.columns));
        });
        CHECK(relative_error(la::svdvals(from_plain(x)).template read<real_of<T>>(), s.elements) < bound<T>(60));
      }
  });
}

TEST_CASE("matrices without elements, and stacks without matrices") {
  for_each_large_setting([] {
    const nd::array none = nd::ones<double>({2, 0, 0}), stack = nd::ones<float>({0, 3, 3}),
                    flat = nd::ones<double>({0, 3});
    CHECK(la::det(none).read<double>() == std::vector<double>{1, 1});
    CHECK(la::slogdet(none).logabsdet.read<double>() == std::vector<double>{0, 0});
    CHECK(la::det(stack).shape() == extents{0});
    CHECK(la::inv(none).shape() == extents{2, 0, 0});
    CHECK(la::cholesky(stack).shape() == extents{0, 3, 3});
    CHECK(la::solve(none, nd::ones<double>({2, 0, 4})).shape() == extents{2, 0, 4});
    CHECK(la::solve(nd::eye<double>(3, 3), nd::ones<double>({3, 0})).shape() == extents{3, 0});
    CHECK(la::eigh(none).eigenvalues.shape() == extents{2, 0});
    CHECK(la::eigvals(stack).type() == scalar_kind::complex64);
    CHECK(la::svd(flat).U.shape() == extents{0, 0});
    CHECK(la::svd(flat).Vh.read<double>() == nd::eye<double>(3, 3).read<double>());
    CHECK(la::svd(flat, false).Vh.shape() == extents{0, 3});
    CHECK(la::svdvals(flat).shape() == extents{0});
    CHECK(la::qr(nd::ones<double>({3, 0}), la::qr_mode::complete).Q.read<double>() ==
          nd::eye<double>(3, 3).read<double>());
    CHECK(la::qr(nd::ones<double>({3, 0})).R.shape() == extents{0, 0});
    CHECK(la::pinv(flat).shape() == extents{3, 0});
    CHECK(la::matrix_rank(flat).item<int>() == 0);
    CHECK(la::matrix_rank(stack).shape() == extents{0});
    CHECK(la::matrix_norm(none).read<double>() == std::vector<double>{0, 0});
    CHECK(la::matrix_power(none, 3).shape() == extents{2, 0, 0});
  });
}

TEST_CASE("types of results") {
  for_each_large_setting([] {
    const nd::array counts = nd::eye<int>(3, 3) * 2, halves = nd::as_type(counts, scalar_kind::float16),
                    complex = nd::as_type(counts, scalar_kind::complex64);
    CHECK(la::inv(counts).type() == scalar_kind::float64);
    CHECK(la::det(halves).type() == scalar_kind::float16);
    CHECK(la::det(halves).item<float>() == 8);
    CHECK(la::eigh(complex).eigenvalues.type() == scalar_kind::float32);
    CHECK(la::eigh(complex).eigenvectors.type() == scalar_kind::complex64);
    CHECK(la::slogdet(complex).sign.type() == scalar_kind::complex64);
    CHECK(la::slogdet(complex).logabsdet.type() == scalar_kind::float32);
    CHECK(la::eig(nd::as_type(counts, scalar_kind::float32)).eigenvalues.type() == scalar_kind::complex64);
    CHECK(la::svd(complex).S.type() == scalar_kind::float32);
  });
}

TEST_CASE("matrices that cannot be factorised are told, with the line of the call") {
  for_each_large_setting([] {
    for (const std::int64_t n : {3, 70}) {
      CAPTURE(n);
      // Matrix 1 of two.
      const nd::array stack = nd::copy(nd::broadcast_to(nd::eye<double>(n, n), {2, n, n}));
      stack(1, 0, 0) = -1;
      CHECK_THROWS_AS(static_cast<void>(la::cholesky(stack).read<double>()), ts::linalg_error);
      const std::string message = message_of([&] { static_cast<void>(la::cholesky(stack).read<double>()); });
      CHECK(message.find("factorisations_test.cpp:") != std::string::npos);
      CHECK(message.find("matrix 1 of the stack is not positive definite") != std::string::npos);
      stack(1, 0, 0) = 0;
      CHECK_THROWS_AS(static_cast<void>(la::inv(stack).read<double>()), ts::linalg_error);
      CHECK_THROWS_AS(static_cast<void>(la::solve(stack, nd::ones<double>({n})).read<double>()), ts::linalg_error);
      CHECK(la::det(stack).read<double>() == std::vector<double>{1, 0});
      CHECK(la::slogdet(stack).logabsdet.read<double>()[1] == -std::numeric_limits<double>::infinity());
      // What is looked at afterwards is as if nothing had happened.
      CHECK(nd::sum(stack).item<double>() == static_cast<double>(2 * n - 1));
    }
    // Once for each call, also where only something else is looked at.
    const nd::array zeros = nd::zeros<float>({80, 80}), inverse = [&]() -> nd::array {
      try {
        return la::inv(zeros);
      } catch (const ts::linalg_error&) {
        return nd::zeros<float>({1});
      }
    }();
    static_cast<void>(message_of([&] { static_cast<void>(inverse.read<float>()); }));
    if (inverse.size() > 1) CHECK(std::isnan(inverse(3, 4).item<float>()));
  });
}

TEST_CASE("arrays that are no matrices are refused") {
  const auto refused = [](auto call) { return message_of(call).find("factorisations_test.cpp:") != std::string::npos; };
  const nd::array flat = nd::ones<float>({2, 3}), line = nd::ones<float>({3}), square = nd::eye<float>(3, 3);
  CHECK(refused([&] { static_cast<void>(la::inv(flat)); }));
  CHECK(refused([&] { static_cast<void>(la::det(line)); }));
  CHECK(refused([&] { static_cast<void>(la::cholesky(flat)); }));
  CHECK(refused([&] { static_cast<void>(la::eigh(flat)); }));
  CHECK(refused([&] { static_cast<void>(la::eigvals(line)); }));
  CHECK(refused([&] { static_cast<void>(la::svd(line)); }));
  CHECK(refused([&] { static_cast<void>(la::qr(line)); }));
  CHECK(refused([&] { static_cast<void>(la::solve(square, nd::ones<float>({4}))); }));
  CHECK(refused([&] { static_cast<void>(la::solve(flat, line)); }));
  CHECK(refused([&] { static_cast<void>(la::matrix_power(flat, 2)); }));
  CHECK(refused([&] { static_cast<void>(la::diagonal(line)); }));
  CHECK(refused([&] { static_cast<void>(la::pinv(line)); }));
}

TEST_CASE("ranks factorise as one, and all are told of a singular matrix") {
  const plain_array<double> x = regular<double>({7, 60, 60});
  const auto settings = [](int) {
    ts::options chosen = quiet_with("cpu*2", 16 << 20);
    chosen.check = ts::parse_checks("ranks");
    return chosen;
  };
  for (const std::string& e : errors_on_ranks(3, settings, [&](ts::context& ctx) {
         const nd::array a = from_plain(x, {.ctx = ctx}), inverse = la::inv(a);
         require(
             nd::max(nd::abs(nd::matmul(a, inverse) - nd::eye<double>(60, 60, 0, {.ctx = ctx}))).item<double>() < 1e-12,
             "the inverse is another");
         a(5) = 0;
         bool told = false;
         try {
           static_cast<void>(la::inv(a).read<double>());
         } catch (const ts::linalg_error&) {
           told = true;
         }
         require(told, "a rank was not told");
         require(nd::sum(a(5)).item<double>() == 0, "ranks do not go on");
       }))
    FAIL_CHECK(e);
}
