#include "tessera/kernel/scalar/expression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tessera/base/error.h"
#include "tessera/base/float16.h"
#include "tests/kernel/scalar/operations.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

namespace {

/// An operation of one or two operands on single numbers, by the evaluator.
template <class T>
T evaluated(opcode operation, T a, T b = {}) {
  const one_operation made(operation, dtype_of<T>().kind);
  const std::vector<expression::value> results{made.result};
  T out{};
  const auto* const pa = reinterpret_cast<const std::byte*>(&a);
  const auto* const pb = reinterpret_cast<const std::byte*>(&b);
  const std::vector<evaluator::source> sources{{pa, sizeof(T)}, {pb, sizeof(T)}};
  const std::vector<evaluator::target> targets{{reinterpret_cast<std::byte*>(&out), sizeof(T)}};
  evaluator(made.body, results).run(sources, {}, targets, 1);
  return out;
}

template <class To, class From>
To converted(opcode conversion, From a) {
  const one_operation made(conversion, dtype_of<From>().kind, dtype_of<To>().kind);
  const std::vector<expression::value> results{made.result};
  To out{};
  const std::vector<evaluator::source> sources{{reinterpret_cast<const std::byte*>(&a), sizeof(From)}};
  const std::vector<evaluator::target> targets{{reinterpret_cast<std::byte*>(&out), sizeof(To)}};
  evaluator(made.body, results).run(sources, {}, targets, 1);
  return out;
}

constexpr double inf = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("division of arrays rounds down and takes zero for integers divided by zero") {
  CHECK(evaluated<int>(opcode::floor_divide, 7, 2) == 3);
  CHECK(evaluated<int>(opcode::floor_divide, -7, 2) == -4);
  CHECK(evaluated<int>(opcode::floor_divide, 7, -2) == -4);
  CHECK(evaluated<int>(opcode::floor_divide, -8, 2) == -4);
  CHECK(evaluated<int>(opcode::floor_divide, 5, 0) == 0);
  CHECK(evaluated<int>(opcode::floor_divide, std::numeric_limits<int>::min(), -1) == std::numeric_limits<int>::min());
  CHECK(evaluated<int>(opcode::floor_remainder, -7, 3) == 2);
  CHECK(evaluated<int>(opcode::floor_remainder, 7, -3) == -2);
  CHECK(evaluated<int>(opcode::floor_remainder, 7, 0) == 0);
  CHECK(evaluated<std::uint8_t>(opcode::floor_divide, 200, 7) == 28);
  CHECK(evaluated<double>(opcode::floor_divide, -7.5, 2) == -4);
  CHECK(std::isinf(evaluated<double>(opcode::floor_divide, 1, 0)));
  CHECK(std::isnan(evaluated<double>(opcode::floor_divide, 0, 0)));
  CHECK(evaluated<double>(opcode::floor_remainder, -7.5, 2) == 0.5);
  CHECK(std::signbit(evaluated<double>(opcode::floor_remainder, 4, -2)));
  CHECK(std::isnan(evaluated<double>(opcode::floor_remainder, inf, 2)));
}

TEST_CASE("integers wrap around, shift out and count their ones") {
  CHECK(evaluated<int>(opcode::add, std::numeric_limits<int>::max(), 1) == std::numeric_limits<int>::min());
  CHECK(evaluated<std::int16_t>(opcode::multiply, 300, 300) == static_cast<std::int16_t>(90000));
  CHECK(evaluated<std::uint16_t>(opcode::multiply, 65535, 65535) == 1);
  CHECK(evaluated<int>(opcode::integer_power, 3, 5) == 243);
  CHECK(evaluated<int>(opcode::integer_power, -1, -3) == -1);
  CHECK(evaluated<int>(opcode::integer_power, 2, -1) == 0);
  CHECK(evaluated<std::int8_t>(opcode::integer_power, 2, 7) == -128);
  CHECK(evaluated<int>(opcode::bounded_shift_left, 1, 31) == std::numeric_limits<int>::min());
  CHECK(evaluated<int>(opcode::bounded_shift_left, 1, 32) == 0);
  CHECK(evaluated<int>(opcode::bounded_shift_right, -5, 100) == -1);
  CHECK(evaluated<std::uint8_t>(opcode::bounded_shift_right, 255, 9) == 0);
  CHECK(evaluated<std::uint64_t>(opcode::count_ones, ~0ULL) == 64);
  CHECK(evaluated<std::int8_t>(opcode::count_ones, -1) == 1);
}

TEST_CASE("minima and maxima of arrays keep a NaN, those of C++ do not") {
  CHECK(std::isnan(evaluated<double>(opcode::nan_minimum, 1, not_a_number)));
  CHECK(std::isnan(evaluated<double>(opcode::nan_maximum, not_a_number, 1)));
  CHECK(evaluated<double>(opcode::nan_minimum, 1, 2) == 1);
  CHECK(evaluated<double>(opcode::minimum, 1, not_a_number) == 1);
  CHECK(evaluated<double>(opcode::sign, -0.5) == -1);
  CHECK(std::isnan(evaluated<double>(opcode::sign, not_a_number)));
}

TEST_CASE("neighbouring numbers and sums of exponentials are those of the C library") {
  for (const double a : {0.0, -0.0, 1.0, -1.0, 5e-324, -2.5e-308, 1.7e308, inf, -inf})
    for (const double b : {0.0, 2.0, -2.0, inf, -inf}) {
      CHECK(evaluated<double>(opcode::next_after, a, b) == std::nextafter(a, b));
      const auto x = static_cast<float>(a), y = static_cast<float>(b);
      CHECK(evaluated<float>(opcode::next_after, x, y) == std::nextafter(x, y));
    }
  CHECK(evaluated<double>(opcode::log_add_exp, 1000, 1000) == doctest::Approx(1000 + std::log(2.0)));
  CHECK(evaluated<double>(opcode::log_add_exp, -inf, 3) == 3);
  CHECK(evaluated<double>(opcode::log_add_exp, inf, inf) == inf);
}

TEST_CASE("saturating conversions end at the limits and take NaN for zero") {
  CHECK(converted<int>(opcode::saturate, 1e10) == std::numeric_limits<int>::max());
  CHECK(converted<int>(opcode::saturate, -1e10f) == std::numeric_limits<int>::min());
  CHECK(converted<std::int64_t>(opcode::saturate, 9.3e18) == std::numeric_limits<std::int64_t>::max());
  CHECK(converted<std::uint64_t>(opcode::saturate, 1.9e19) == std::numeric_limits<std::uint64_t>::max());
  CHECK(converted<std::uint8_t>(opcode::saturate, -3.0) == 0);
  CHECK(converted<std::uint8_t>(opcode::saturate, 254.9) == 254);
  CHECK(converted<std::int8_t>(opcode::saturate, not_a_number) == 0);
}

TEST_CASE("a double is rounded to 16 bits once") {
  // Between two halves, beyond the middle by less than a float can tell.
  const double above = 1.0 + 0x1p-11 + 0x1p-40;
  CHECK(static_cast<float>(converted<float16>(opcode::convert, above)) == 1.0f + 0x1p-10f);
  CHECK(static_cast<float>(converted<float16>(opcode::convert, -above)) == -1.0f - 0x1p-10f);
  CHECK(static_cast<float>(converted<float16>(opcode::convert, 1.0 + 0x1p-11)) == 1.0f);
  CHECK(static_cast<float>(converted<float16>(opcode::convert, inf)) == std::numeric_limits<float>::infinity());
  CHECK(static_cast<float>(converted<bfloat16>(opcode::convert, 1.0 + 0x1p-8 + 0x1p-50)) == 1.0f + 0x1p-7f);
}

TEST_CASE("steps that change nothing are not recorded") {
  expression body;
  const auto x = body.parameter(0, scalar_kind::float32), y = body.parameter(1, scalar_kind::float32);
  const auto wide = body.apply(opcode::convert, scalar_kind::float64, {x});
  CHECK(body.apply(opcode::convert, scalar_kind::float32, {x}) == x);
  CHECK(body.apply(opcode::convert, scalar_kind::float32, {wide}) == x);
  CHECK(body.apply(opcode::negate, scalar_kind::float32, {body.apply(opcode::negate, scalar_kind::float32, {x})}) == x);
  const auto less = body.apply(opcode::less, scalar_kind::float32, {x, y});
  CHECK(body.apply(opcode::select, scalar_kind::float32, {less, y, y}) == y);
  CHECK(body.apply(opcode::logical_not, scalar_kind::boolean,
                   {body.apply(opcode::logical_not, scalar_kind::boolean, {less})}) == less);
  CHECK(body.apply(opcode::nan_maximum, scalar_kind::float32, {y, y}) == y);
  const auto pair = body.apply(opcode::make_complex, scalar_kind::complex64, {x, y});
  CHECK(body.apply(opcode::imaginary_part, scalar_kind::complex64, {pair}) == y);
}

TEST_CASE("steps that lose bits are recorded") {
  expression body;
  const auto x = body.parameter(0, scalar_kind::float64), n = body.parameter(1, scalar_kind::int64);
  const auto narrow = body.apply(opcode::convert, scalar_kind::float32, {x});
  CHECK(body.apply(opcode::convert, scalar_kind::float64, {narrow}) != x);
  const auto real = body.apply(opcode::convert, scalar_kind::float64, {n});
  CHECK(body.apply(opcode::convert, scalar_kind::int64, {real}) != n);
  const auto sum = body.apply(opcode::add, scalar_kind::float64, {x, real});
  CHECK(body.apply(opcode::subtract, scalar_kind::float64, {sum, real}) != x);
}

TEST_CASE("an operation that a type does not have is refused by name") {
  expression body;
  const auto n = body.parameter(0, scalar_kind::int32);
  CHECK_THROWS_WITH_AS(static_cast<void>(body.apply(opcode::sqrt, scalar_kind::int32, {n})),
                       doctest::Contains("there is no operation sqrt of int32"), argument_error);
}

TEST_CASE("numbers lie where a struct of kernels has them") {
  struct parts {
    double x, y;
  };
  struct numbers {
    double first;
    parts second;
    float third;
    std::int64_t fourth;
  };
  const double first = 1.5;
  const parts second{2, 3};
  const float third = 4;
  const std::int64_t fourth = 5;
  expression body;
  const auto add = [&](scalar_kind type, const auto& value) {
    return body.constant(type, std::as_bytes(std::span(&value, 1)));
  };
  add(scalar_kind::float64, first);
  const expression::value pair = add(scalar_kind::complex128, second);
  add(scalar_kind::float32, third);
  const expression::value last = add(scalar_kind::int64, fourth);
  CHECK(body.state_alignment() == alignof(numbers));
  REQUIRE(body.state().size() == sizeof(numbers));
  numbers found{};
  std::memcpy(&found, body.state().data(), sizeof found);
  CHECK((found.first == 1.5 && found.second.x == 2 && found.second.y == 3 && found.third == 4 && found.fourth == 5));
  const std::vector<expression::value> results{pair, last};
  parts evaluated_pair{};
  std::int64_t evaluated_last = 0;
  const std::vector<evaluator::target> targets{{reinterpret_cast<std::byte*>(&evaluated_pair), sizeof(parts)},
                                               {reinterpret_cast<std::byte*>(&evaluated_last), sizeof evaluated_last}};
  evaluator(body, results).run({}, body.state(), targets, 1);
  CHECK((evaluated_pair.y == 3 && evaluated_last == 5));
}
