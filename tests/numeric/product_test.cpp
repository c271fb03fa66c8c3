// Products of matrices by our own loops and by OpenBLAS, against sums as they are written.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <random>

#include "tessera/numeric/blas/product.h"
#include "tessera/numeric/library/openblas.h"
#include "tests/numeric/fft/reference.h"

using namespace tessera;
using namespace tessera::support;
using numeric::product;
using numeric::product_type;

namespace {

template <class T>
constexpr product_type type_of();
template <>
constexpr product_type type_of<float>() {
  return product_type::float32;
}
template <>
constexpr product_type type_of<double>() {
  return product_type::float64;
}
template <>
constexpr product_type type_of<std::complex<float>>() {
  return product_type::complex64;
}
template <>
constexpr product_type type_of<std::complex<double>>() {
  return product_type::complex128;
}
template <>
constexpr product_type type_of<std::int8_t>() {
  return product_type::int8;
}
template <>
constexpr product_type type_of<std::uint16_t>() {
  return product_type::int16;
}
template <>
constexpr product_type type_of<std::int32_t>() {
  return product_type::int32;
}
template <>
constexpr product_type type_of<std::uint64_t>() {
  return product_type::int64;
}

template <class T>
std::vector<T> elements(std::int64_t n, unsigned seed) {
  if constexpr (!std::is_integral_v<T>) {
    return noise<T>(n, seed);
  } else {
    std::mt19937_64 engine(seed);
    std::vector<T> made(index(n));
    for (T& each : made) each = static_cast<T>(engine());
    return made;
  }
}

struct shape {
  std::int64_t rows, columns, depth;
};

/// Two matrices and their product, each matrix by rows or by columns.
template <class T>
struct problem {
  shape s;
  bool a_by_columns, b_by_columns;
  std::vector<T> a = elements<T>(s.rows * s.depth, 1), b = elements<T>(s.depth * s.columns, 2);

  [[nodiscard]] product in(std::vector<T>& c) const {
    return {type_of<T>(),
            s.rows,
            s.columns,
            s.depth,
            {a.data(), a_by_columns ? 1 : s.depth, a_by_columns ? s.rows : 1},
            {b.data(), b_by_columns ? 1 : s.columns, b_by_columns ? s.depth : 1},
            c.data(),
            s.columns};
  }
  [[nodiscard]] T a_at(std::int64_t i, std::int64_t k) const {
    return a[index(a_by_columns ? k * s.rows + i : i * s.depth + k)];
  }
  [[nodiscard]] T b_at(std::int64_t k, std::int64_t j) const {
    return b[index(b_by_columns ? j * s.depth + k : k * s.columns + j)];
  }
  /// The sum, and the sum of absolute values, which bounds its error.
  [[nodiscard]] auto expected(std::int64_t i, std::int64_t j) const {
    if constexpr (std::is_integral_v<T>) {
      std::uint64_t sum = 0;
      for (std::int64_t k = 0; k < s.depth; ++k)
        sum += static_cast<std::uint64_t>(a_at(i, k)) * static_cast<std::uint64_t>(b_at(k, j));
      return static_cast<T>(sum);
    } else {
      std::complex<long double> sum = 0;
      for (std::int64_t k = 0; k < s.depth; ++k)
        sum += std::complex<long double>(a_at(i, k)) * std::complex<long double>(b_at(k, j));
      return sum;
    }
  }
  [[nodiscard]] bool holds(const std::vector<T>& c) const {
    for (std::int64_t i = 0; i < s.rows; ++i)
      for (std::int64_t j = 0; j < s.columns; ++j) {
        const T& found = c[index(i * s.columns + j)];
        if constexpr (std::is_integral_v<T>) {
          if (found != expected(i, j)) return false;
        } else {
          using real = decltype(std::abs(T()));
          const auto bound =
              4 * static_cast<long double>(std::numeric_limits<real>::epsilon()) * static_cast<long double>(s.depth);
          if (std::abs(std::complex<long double>(found) - expected(i, j)) > bound) return false;
        }
      }
    return true;
  }
};

std::vector<std::byte> make_spare() { return std::vector<std::byte>(index(numeric::product_spare_bytes) + 64); }

std::byte* aligned(std::vector<std::byte>& spare) {
  void* at = spare.data();
  std::size_t room = spare.size();
  return static_cast<std::byte*>(std::align(64, index(numeric::product_spare_bytes), at, room));
}

const std::vector<shape> shapes{{1, 1, 1},     {5, 3, 0},      {7, 1, 20},  {1, 40, 33},
                                {13, 65, 257}, {130, 33, 600}, {64, 64, 64}};

}  // namespace

TEST_CASE_TEMPLATE("products by our own loops are sums of products", T, float, double, std::complex<float>,
                   std::complex<double>, std::int8_t, std::uint16_t, std::int32_t, std::uint64_t) {
  std::vector<std::byte> spare = make_spare();
  for (const shape& s : shapes)
    for (const bool a_by_columns : {false, true})
      for (const bool b_by_columns : {false, true}) {
        const problem<T> p{s, a_by_columns, b_by_columns};
        std::vector<T> c = elements<T>(s.rows * s.columns, 9);  // what was there does not count
        numeric::multiply_blocks(p.in(c), aligned(spare), numeric::run_in_order);
        CHECK(p.holds(c));
      }
}

TEST_CASE_TEMPLATE("all instruction sets multiply", T, float, std::complex<double>, std::int32_t) {
  const problem<T> p{{29, 37, 100}, false, true};
  for (const auto set :
       {numeric::instruction_set::plain, numeric::instruction_set::wide, numeric::instruction_set::widest}) {
    if (!numeric::has_instructions(set)) continue;
    const numeric::tile_functions& tiles = numeric::product_tiles(type_of<T>(), set);
    std::vector<T> c(29 * 37), a(index(100 * (29 + tiles.rows))), b(index(100 * (37 + tiles.columns)));
    const product whole = p.in(c);
    tiles.pack_a(a.data(), whole.a, 29, 100);
    tiles.pack_b(b.data(), whole.b, 100, 37);
    tiles.multiply(a.data(), b.data(), 29, 37, 100, c.data(), 37, false);
    CHECK(p.holds(c));
  }
}

TEST_CASE("a row of a product has the same bits whatever rows are computed with it") {
  std::vector<std::byte> spare = make_spare();
  const problem<float> p{{67, 90, 700}, false, false};
  std::vector<float> whole(67 * 90), parts(67 * 90);
  numeric::multiply_blocks(p.in(whole), aligned(spare), numeric::run_in_order);
  for (const auto& [first, last] : {std::pair{0, 5}, {5, 40}, {40, 67}}) {
    product part = p.in(parts);
    part.rows = last - first;
    part.a.data = p.a.data() + first * 700;
    part.c = parts.data() + first * 90;
    numeric::multiply_blocks(part, aligned(spare), numeric::run_in_order);
  }
  CHECK(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(float)) == 0);
}

TEST_CASE_TEMPLATE("products by OpenBLAS are sums of products", T, float, double, std::complex<float>,
                   std::complex<double>) {
  if (!numeric::openblas::find().has_products()) {
    MESSAGE("skipped: ", numeric::openblas::find().library().text(), " is not OpenBLAS");
    return;
  }
  for (const shape& s : shapes)
    for (const bool a_by_columns : {false, true})
      for (const bool b_by_columns : {false, true}) {
        const problem<T> p{s, a_by_columns, b_by_columns};
        std::vector<T> c(index(s.rows * s.columns));
        CHECK(numeric::multiply_by_library(p.in(c), 3, numeric::run_in_order) == (s.depth > 0));
        CHECK((s.depth == 0 || p.holds(c)));
      }
}
