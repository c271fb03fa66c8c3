#include "tessera/base/reduction.h"

#include <doctest/doctest.h>

#include <cstring>

#include "tessera/base/float16.h"

using namespace tessera;

namespace {

template <class T>
T value(const std::vector<std::byte>& bytes) {
  T v;
  REQUIRE(bytes.size() == sizeof v);
  std::memcpy(&v, bytes.data(), sizeof v);
  return v;
}

template <class T>
T combined(reduce_op op, T a, T b) {
  combine(op, dtype_of<T>(), reinterpret_cast<std::byte*>(&a), reinterpret_cast<const std::byte*>(&b), 1);
  return a;
}

}  // namespace

TEST_CASE("every supported operation has an identity that changes nothing") {
  for (int o = 0; o < 7; ++o) {
    const auto op = static_cast<reduce_op>(o);
    if (supports(op, dtype_of<int>()))
      CHECK(combined<int>(op, value<int>(identity_of(op, dtype_of<int>())), -42) == -42);
    if (supports(op, dtype_of<float>()))
      CHECK(combined<float>(op, value<float>(identity_of(op, dtype_of<float>())), -4.5f) == -4.5f);
    if (supports(op, dtype_of<std::uint8_t>()))
      CHECK(combined<std::uint8_t>(op, value<std::uint8_t>(identity_of(op, dtype_of<std::uint8_t>())), 200) == 200);
  }
}

TEST_CASE("integers wrap on overflow as they do on a device") {
  CHECK(combined<int>(reduce_op::add, 2147483647, 1) == -2147483647 - 1);
  CHECK(combined<std::int16_t>(reduce_op::multiply, 30000, 3) == static_cast<std::int16_t>(90000));
}

TEST_CASE("bit operations are refused on floats and sums on structures") {
  CHECK_FALSE(supports(reduce_op::bit_or, dtype_of<float>()));
  CHECK_FALSE(supports(reduce_op::add, dtype::structure(8, 4)));
  CHECK(supports(reduce_op::bit_and, dtype_of<bool>()));
}

TEST_CASE("registered operations are known by number and leave types to their text") {
  for (const int number : {0, 1, most_registered - 1}) {
    CHECK(is_registered(registered_op(number)));
    CHECK(registered_number(registered_op(number)) == number);
    CHECK(supports(registered_op(number), dtype::structure(24, 8)));
  }
  CHECK_FALSE(is_registered(reduce_op::bit_xor));
  CHECK(to_string(registered_op(3)) == "registered 3");
  CHECK_FALSE(parse_reduce_op("registered 3").has_value());
}

TEST_CASE("operations are named as in annotations") {
  for (const char* name : {"+", "*", "min", "max", "&", "|", "^"}) CHECK(to_string(*parse_reduce_op(name)) == name);
  CHECK_FALSE(parse_reduce_op("avg").has_value());
}

TEST_CASE("complex numbers have sums, and no products") {
  using number = std::complex<double>;
  const dtype type = dtype_of<number>();
  CHECK(supports(reduce_op::add, type));
  for (const reduce_op op : {reduce_op::multiply, reduce_op::min, reduce_op::max, reduce_op::bit_and})
    CHECK_FALSE(supports(op, type));
  CHECK(value<number>(identity_of(reduce_op::add, type)) == number(0, 0));
  CHECK(combined<number>(reduce_op::add, {1, -2}, {0.5, 8}) == number(1.5, 6));
  CHECK(combined<std::complex<float>>(reduce_op::add, {1, -2}, {0.5, 8}) == std::complex<float>(1.5, 6));
}

TEST_CASE("numbers of 16 bits are combined in float and rounded each time") {
  const auto half = [](float x) { return float16(x); };
  CHECK(combined(reduce_op::add, half(2048), half(1)) == 2048.0F);
  CHECK(combined(reduce_op::add, half(2048), half(3)) == 2052.0F);
  CHECK(combined(reduce_op::multiply, half(256), half(256)) == std::numeric_limits<float>::infinity());
  CHECK(combined(reduce_op::min, half(-0.5F), half(3)) == -0.5F);
  CHECK(combined(reduce_op::max, bfloat16(-0.5F), bfloat16(3)) == 3.0F);
  CHECK(combined(reduce_op::add, bfloat16(256), bfloat16(1)) == 256.0F);
  for (const reduce_op op : {reduce_op::add, reduce_op::multiply, reduce_op::min, reduce_op::max}) {
    CHECK(combined(op, value<float16>(identity_of(op, dtype_of<float16>())), half(-7)) == -7.0F);
    CHECK(combined(op, value<bfloat16>(identity_of(op, dtype_of<bfloat16>())), bfloat16(-7)) == -7.0F);
  }
  CHECK_FALSE(supports(reduce_op::bit_xor, dtype_of<float16>()));
}
