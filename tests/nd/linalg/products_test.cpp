// Products of arrays against sums as they are written.
#include <doctest/doctest.h>

#include "tests/array/on_ranks.h"
#include "tests/nd/linalg/matrices.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;

namespace {

/// The product of stacks, of which the shapes are given as matrices' own, in exact or long arithmetic.
template <class T>
void check_product(const extents& a_shape, const extents& b_shape, const extents& stack) {
  const plain_array<T> a = random_array<T>(a_shape, 1), b = random_array<T>(b_shape, 2);
  const plain_array<wide> c = read_wide<T>(nd::matmul(from_plain(a), from_plain(b)));
  const plain_array<wide> x = widened(a), y = widened(b);
  const int a_rank = a_shape.rank(), b_rank = b_shape.rank();
  std::int64_t t = 0;
  for_each_place(stack, [&](const extents& place) {
    const auto number = [&](const extents& shape) {
      std::int64_t flat = 0;
      for (int k = 0; k + 2 < shape.rank(); ++k) {
        const std::int64_t at = place[stack.rank() - (shape.rank() - 2) + k];
        flat = flat * shape[k] + (shape[k] == 1 ? 0 : at);
      }
      return flat;
    };
    const matrix left = matrix_of(x, number(a_shape)), right = matrix_of(y, number(b_shape));
    CHECK(distance(matrix_of(c, t++), left * right) <
          4 * epsilon_of<T> * static_cast<double>(std::max<std::int64_t>(left.columns, 1)));
  });
  extents shape = stack;
  shape = nd::with_extent(shape, shape.rank(), a_shape[a_rank - 2]);
  CHECK(c.shape == nd::with_extent(shape, shape.rank(), b_shape[b_rank - 1]));
}

}  // namespace

TEST_CASE_TEMPLATE("stacks of matrices are multiplied matrix by matrix", T, float, double, std::complex<float>,
                   std::complex<double>) {
  for_each_large_setting([] {
    check_product<T>({3, 4}, {4, 5}, {});
    check_product<T>({70, 33}, {33, 90}, {});
    check_product<T>({6, 20, 9}, {6, 9, 21}, {6});
    check_product<T>({5, 30, 8}, {8, 40}, {5});  // rows of all matrices
    check_product<T>({17, 8}, {4, 8, 40}, {4});
    check_product<T>({2, 1, 7, 30}, {3, 30, 9}, {2, 3});
    check_product<T>({2, 1, 12}, {12, 40}, {2});
    check_product<T>({1, 300}, {300, 1}, {});
  });
}

TEST_CASE("vectors are rows on the left and columns on the right") {
  for_each_large_setting([] {
    const nd::array m = nd::arange(12).reshape({3, 4}), row = nd::arange(3), column = nd::arange(4);
    CHECK(nd::matmul(row, m).read<std::int64_t>() == std::vector<std::int64_t>{20, 23, 26, 29});
    CHECK(nd::matmul(m, column).read<std::int64_t>() == std::vector<std::int64_t>{14, 38, 62});
    CHECK(nd::matmul(column, column).item<int>() == 14);
    CHECK(nd::matmul(column, column).shape() == extents{});
    const nd::array stack = nd::arange(24).reshape({2, 3, 4});
    CHECK(nd::matmul(stack, column).shape() == extents{2, 3});
    CHECK(nd::matmul(row, stack).shape() == extents{2, 4});
  });
}

TEST_CASE("views of any kind are multiplied") {
  for_each_large_setting([] {
    const plain_array<double> x = random_array<double>({40, 60});
    const nd::array a = from_plain(x);
    const nd::array turned = nd::matmul(a.transpose(), a),
                    parts = nd::matmul(a(nd::all, nd::_(59, nd::slice::open, -2)), a(nd::_(0, 30)));
    const matrix m = matrix_of(widened(x), 0);
    CHECK(distance(matrix_of(read_wide<double>(turned), 0), adjoint(m) * m) < 1e-14);
    CHECK(parts(3, 5).item<double>() ==
          doctest::Approx(nd::sum(a(3, nd::_(59, nd::slice::open, -2)) * a(nd::_(0, 30), 5)).item<double>()));
    CHECK(nd::matmul(nd::ones<float>({5, 3}) * 2, nd::full({3, 2}, 0.5f)).read<float>() == std::vector<float>(10, 3));
  });
}

TEST_CASE("transposed views are multiplied without a copy") {
  for_each_large_setting([] {
    for (const extents& shape : {extents{70, 50}, extents{3, 40, 60}}) {
      const plain_array<double> x = random_array<double>(shape);
      const nd::array a = from_plain(x), turned = nd::matrix_transpose(a);
      const std::int64_t before = nd::stats().launches;
      const nd::array left = nd::matmul(turned, a), right = nd::matmul(a, turned);
      if (!a.is_host()) CHECK(nd::stats().launches - before == 2);
      const plain_array<wide> l = read_wide<double>(left), r = read_wide<double>(right),
                              d = read_wide<double>(nd::matmul(turned, nd::matrix_transpose(right)));
      for (std::int64_t t = 0; t < (shape.rank() == 3 ? shape[0] : 1); ++t) {
        const matrix m = matrix_of(widened(x), t);
        CHECK(distance(matrix_of(l, t), adjoint(m) * m) < 1e-13);
        CHECK(distance(matrix_of(r, t), m * adjoint(m)) < 1e-13);
        CHECK(distance(matrix_of(d, t), adjoint(m) * adjoint(m * adjoint(m))) < 1e-13);
      }
      CHECK_THROWS_AS(static_cast<void>(nd::matmul(turned, turned)), ts::argument_error);
    }
  });
}

TEST_CASE_TEMPLATE("integers wrap around", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t) {
  for_each_large_setting([] {
    for (const auto& [m, k, n] : {std::array<std::int64_t, 3>{7, 40, 9}, {90, 70, 50}}) {
      const plain_array<T> a = plain<T>({m, k}, [](const extents&p) { return p[0] * 13 - p[1] * 7; }),
                           b = plain<T>({k, n}, [](const extents&p) { return p[0] * 31 + p[1] * p[1]; });
      const plain_array<T> c = plain<T>({m, n}, [&](const extents& p) {
        std::uint64_t sum = 0;
        for (std::int64_t at = 0; at < k; ++at)
          sum += static_cast<std::uint64_t>(a.at({p[0], at})) * static_cast<std::uint64_t>(b.at({at, p[1]}));
        return static_cast<T>(sum);
      });
      CHECK(same(nd::matmul(from_plain(a), from_plain(b)), c));
    }
  });
}

TEST_CASE("types of products") {
  for_each_large_setting([] {
    const nd::array truths = nd::from<bool>({2, 2}, std::array{true, false, false, false});
    CHECK(nd::matmul(truths, truths).read<bool>() == std::vector<bool>{true, false, false, false});
    const nd::array halves = nd::full({3, 4}, 0.5, scalar_kind::float16),
                    brains = nd::full({4, 2}, 2, scalar_kind::bfloat16);
    CHECK(nd::matmul(halves, halves.transpose()).type() == scalar_kind::float16);
    CHECK(nd::matmul(halves, brains).type() == scalar_kind::float32);
    CHECK(nd::matmul(halves, brains)(2, 1).item<float>() == 4);
    CHECK(nd::matmul(nd::ones<int>({2, 2}), nd::ones<float>({2, 2})).type() == scalar_kind::float64);
    CHECK(nd::matmul(nd::ones<std::int8_t>({2, 2}), nd::ones<std::uint8_t>({2, 2})).type() == scalar_kind::int16);
  });
}

TEST_CASE("matrices without elements have products") {
  for_each_large_setting([] {
    CHECK(nd::matmul(nd::ones<float>({0, 3}), nd::ones<float>({3, 4})).shape() == extents{0, 4});
    CHECK(nd::matmul(nd::ones<float>({2, 0}), nd::ones<float>({0, 3})).read<float>() == std::vector<float>(6, 0));
    CHECK(nd::matmul(nd::ones<float>({0, 2, 3}), nd::ones<float>({3, 4})).shape() == extents{0, 2, 4});
    CHECK(nd::matmul(nd::ones<int>({0}), nd::ones<int>({0})).item<int>() == 0);
    CHECK(nd::tensordot(nd::ones<float>({2, 0}), nd::ones<float>({0, 3}), 1).shape() == extents{2, 3});
    CHECK(nd::vecdot(nd::ones<float>({4, 0}), nd::ones<float>({0})).read<float>() == std::vector<float>(4, 0));
  });
}

TEST_CASE("sums over any axes of two arrays") {
  for_each_large_setting([] {
    const plain_array<double> x = random_array<double>({3, 4, 5}), y = random_array<double>({5, 4, 6}, 2);
    const nd::array a = from_plain(x), b = from_plain(y);
    const auto near = [](const nd::array& found, const plain_array<double>& wanted) {
      const std::vector<double> elements = found.read<double>();
      bool is = found.shape() == wanted.shape;
      for (std::size_t k = 0; is && k < elements.size(); ++k) is = std::abs(elements[k] - wanted.elements[k]) < 1e-13;
      return is;
    };
    CHECK(near(nd::tensordot(a, b, {1, 2}, {1, 0}), plain<double>({3, 6}, [&](const extents& p) {
                 double sum = 0;
                 for (int i = 0; i < 4; ++i)
                   for (int j = 0; j < 5; ++j) sum += x.at({p[0], i, j}) * y.at({j, i, p[1]});
                 return sum;
               })));
    CHECK(near(nd::tensordot(a, b, 1), plain<double>({3, 4, 4, 6}, [&](const extents& p) {
                 double sum = 0;
                 for (int j = 0; j < 5; ++j) sum += x.at({p[0], p[1], j}) * y.at({j, p[2], p[3]});
                 return sum;
               })));
    CHECK(nd::tensordot(a, b, 0).shape() == extents{3, 4, 5, 5, 4, 6});
    CHECK(near(nd::vecdot(a, from_plain(plain_array<double>{{5}, {1, 2, 3, 4, 5}})),
               plain<double>({3, 4}, [&](const extents& p) {
                 double sum = 0;
                 for (int j = 0; j < 5; ++j) sum += x.at({p[0], p[1], j}) * (j + 1);
                 return sum;
               })));
  });
}

TEST_CASE("vectors: conjugated sums, all products, cross products") {
  for_each_large_setting([] {
    using c = std::complex<double>;
    const nd::array u = nd::from(std::vector<c>{{1, 2}, {3, -1}}), v = nd::from(std::vector<c>{{0, 1}, {2, 0}});
    CHECK(nd::vecdot(u, v).item<c>() == c(1, -2) * c(0, 1) + c(3, 1) * c(2, 0));
    CHECK(nd::vecdot(nd::full({3, 2}, 5), nd::full({3, 2}, 7), -2).read<int>() == std::vector<int>{105, 105});
    CHECK(nd::vecdot(nd::ones<std::int8_t>({200}), nd::ones<std::int8_t>({200})).item<int>() == -56);
    CHECK(nd::outer(nd::arange(3), nd::arange(2)).read<std::int64_t>() == std::vector<std::int64_t>{0, 0, 0, 1, 0, 2});
    CHECK(nd::cross(nd::from(std::vector<int>{1, 2, 3}), nd::from(std::vector<int>{4, 5, 6})).read<int>() ==
          std::vector<int>{-3, 6, -3});
    const nd::array e = nd::eye<double>(3, 3);
    CHECK(nd::cross(e, nd::roll(e, extents{1}, 1)).read<double>() == nd::roll(e, extents{2}, 1).read<double>());
    CHECK(nd::cross(nd::ones<float>({3, 2}), nd::arange(3)(nd::all, nd::new_axis), 0).shape() == extents{3, 2});
  });
}

TEST_CASE("products that make no sense are refused with the line of the program") {
  const auto refused = [](auto call) { return message_of(call).find("products_test.cpp:") != std::string::npos; };
  const nd::array a = nd::ones<float>({2, 3}), v = nd::ones<float>({4});
  CHECK(refused([&] { static_cast<void>(nd::matmul(a, a)); }));
  CHECK(refused([&] { static_cast<void>(nd::matmul(a, nd::sum(a))); }));
  CHECK(refused([&] { static_cast<void>(nd::matmul(nd::ones<float>({2, 3, 3}), nd::ones<float>({5, 3, 3}))); }));
  CHECK(refused([&] { static_cast<void>(nd::tensordot(a, a, 3)); }));
  CHECK(refused([&] { static_cast<void>(nd::tensordot(a, a, {0}, {1})); }));
  CHECK(refused([&] { static_cast<void>(nd::tensordot(a, a, {0, 1}, {0})); }));
  CHECK(refused([&] { static_cast<void>(nd::vecdot(a, v)); }));
  CHECK(refused([&] { static_cast<void>(nd::vecdot(a, a, 1)); }));
  CHECK(refused([&] { static_cast<void>(nd::outer(a, v)); }));
  CHECK(refused([&] { static_cast<void>(nd::cross(a, v)); }));
}

TEST_CASE("ranks multiply as one") {
  for (const std::int64_t small : {0, 256 << 10}) {
    const auto settings = [&](int) {
      ts::options chosen = quiet_with("cpu*2", 16 << 20);
      chosen.check = ts::parse_checks("ranks");
      chosen.small = small;
      return chosen;
    };
    const plain_array<float> a = random_array<float>({50, 40}), b = random_array<float>({40, 30}, 2);
    const matrix expected = matrix_of(widened(a), 0) * matrix_of(widened(b), 0);
    for (const std::string& e : errors_on_ranks(3, settings, [&](ts::context& ctx) {
           const nd::array_options here{.ctx = ctx};
           const nd::array c = nd::matmul(from_plain(a, here) * 1, from_plain(b, here)) + 0;
           require(distance(matrix_of(read_wide<float>(c), 0), expected) < 1e-5, "the product is another");
         }))
      FAIL_CHECK(e);
  }
}
