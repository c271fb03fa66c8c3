#include "tessera/base/float16.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "tessera/base/dtype.h"

using namespace tessera;

namespace {

/// Every value of T but the NaNs, from the lowest to the highest.
template <class T>
std::vector<double> all_values() {
  const unsigned infinity = std::numeric_limits<T>::infinity().bits();
  std::vector<double> values;
  for (unsigned b = infinity; b > 0; --b) values.push_back(-T::from_bits(static_cast<std::uint16_t>(b)));
  for (unsigned b = 0; b <= infinity; ++b) values.push_back(T::from_bits(static_cast<std::uint16_t>(b)));
  return values;
}

/// Between neighbours lo < hi, of which one has an even last bit: the middle goes to that one, all else to the nearer.
/// Infinity counts as the next power of two.
template <class T>
int wrong_between_neighbours() {
  const std::vector<double> values = all_values<T>();
  int wrong = 0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    double lo = values[i], hi = values[i + 1];
    if (std::isinf(hi)) hi = std::ldexp(1.0, std::numeric_limits<T>::max_exponent);
    if (std::isinf(lo)) lo = -std::ldexp(1.0, std::numeric_limits<T>::max_exponent);
    const double middle = (lo + hi) / 2;
    const T low(values[i]), high(values[i + 1]);
    const double even = low.bits() % 2 == 0 ? static_cast<double>(low) : static_cast<double>(high);
    wrong += static_cast<double>(T(middle)) != even;
    wrong += static_cast<double>(T(std::nextafter(middle, lo))) != static_cast<double>(low);
    wrong += static_cast<double>(T(std::nextafter(middle, hi))) != static_cast<double>(high);
    const auto in_float = static_cast<float>(middle);
    if (static_cast<double>(in_float) != middle) continue;
    wrong += static_cast<double>(T(in_float)) != even;
    wrong += static_cast<double>(T(std::nextafterf(in_float, static_cast<float>(lo)))) != static_cast<double>(low);
    wrong += static_cast<double>(T(std::nextafterf(in_float, static_cast<float>(hi)))) != static_cast<double>(high);
  }
  return wrong;
}

template <class T>
int changed_on_the_way() {
  int changed = 0;
  for (unsigned b = 0; b < 65536; ++b) {
    const T x = T::from_bits(static_cast<std::uint16_t>(b));
    const float f = x;
    changed += std::isnan(f) ? !std::isnan(static_cast<float>(T(f))) || std::signbit(f) != (b >> 15 != 0)
                             : T(f).bits() != b || T(static_cast<double>(f)).bits() != b;
  }
  return changed;
}

}  // namespace

TEST_CASE("all numbers of 16 bits go to float and back unchanged") {
  CHECK(changed_on_the_way<float16>() == 0);
  CHECK(changed_on_the_way<bfloat16>() == 0);
}

TEST_CASE("what lies between two neighbours goes to the nearer one, and from the middle to the even one") {
  CHECK(wrong_between_neighbours<float16>() == 0);
  CHECK(wrong_between_neighbours<bfloat16>() == 0);
}

#ifdef __FLT16_MAX__
TEST_CASE("float16 is what the compiler's own type is") {
  __extension__ using native = _Float16;
  int wrong = 0;
  for (unsigned b = 0; b < 65536; ++b) {
    const auto bits = static_cast<std::uint16_t>(b);
    const auto expected = static_cast<float>(std::bit_cast<native>(bits));
    const float f = float16::from_bits(bits);
    wrong += std::isnan(expected) ? !std::isnan(f) : std::bit_cast<unsigned>(f) != std::bit_cast<unsigned>(expected);
  }
  std::mt19937 random(3);
  for (int round = 0; round < 2'000'000; ++round) {
    const auto f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isnan(f)) continue;
    wrong += float16(f).bits() != std::bit_cast<std::uint16_t>(static_cast<native>(f));
    const double d = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 64) - 62);
    wrong += float16(d).bits() != std::bit_cast<std::uint16_t>(static_cast<native>(d));
  }
  CHECK(wrong == 0);
}
#endif

TEST_CASE("integers are rounded once") {
  CHECK(static_cast<float>(float16(2049)) == 2048.0F);
  CHECK(static_cast<float>(float16(2051)) == 2052.0F);
  CHECK(static_cast<float>(bfloat16(std::int64_t{1} << 62)) == 0x1p62F);
  // Just above the middle of 2^62 and its neighbour 2^62 + 2^55: a double holds the middle only.
  const std::int64_t middle = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  CHECK(static_cast<float>(bfloat16(middle)) == 0x1p62F);
  CHECK(static_cast<float>(bfloat16(middle + 1)) == 0x1p62F + 0x1p55F);
  CHECK(static_cast<float>(bfloat16(-middle - 1)) == -0x1p62F - 0x1p55F);
  CHECK(static_cast<float>(bfloat16(~std::uint64_t{0})) == 0x1p64F);
}

TEST_CASE("limits of numbers of 16 bits") {
  using half = std::numeric_limits<float16>;
  using brain = std::numeric_limits<bfloat16>;
  CHECK(static_cast<float>(half::max()) == 65504.0F);
  CHECK(static_cast<float>(half::lowest()) == -65504.0F);
  CHECK(static_cast<float>(half::min()) == 0x1p-14F);
  CHECK(static_cast<float>(half::denorm_min()) == 0x1p-24F);
  CHECK(static_cast<float>(half::epsilon()) == 0x1p-10F);
  CHECK(static_cast<float>(brain::max()) == 0x1.fep127F);
  CHECK(static_cast<float>(brain::min()) == 0x1p-126F);
  CHECK(static_cast<float>(brain::epsilon()) == 0x1p-7F);
  CHECK(std::isinf(static_cast<float>(brain::infinity())));
  CHECK(std::isnan(static_cast<float>(half::quiet_NaN())));
  CHECK(half::min_exponent == -13);
  CHECK(brain::min_exponent == std::numeric_limits<float>::min_exponent);
}

TEST_CASE("elements of 16 bits and complex numbers have types of their own") {
  CHECK(to_string(dtype_of<float16>()) == "float16");
  CHECK(to_string(dtype_of<bfloat16>()) == "bfloat16");
  CHECK_FALSE(interchangeable(dtype_of<float16>(), dtype_of<bfloat16>()));
  CHECK(interchangeable(dtype_of<std::complex<float>>(), dtype::make(scalar_kind::float32, 2)));
  CHECK(interchangeable(dtype::make(scalar_kind::float64, 2), dtype_of<std::complex<double>>()));
  CHECK(interchangeable(dtype_of<std::complex<float>>(), dtype::structure(8, 4)));
  CHECK_FALSE(interchangeable(dtype_of<std::complex<float>>(), dtype::make(scalar_kind::float64)));
  CHECK_FALSE(interchangeable(dtype_of<std::complex<float>>(), dtype_of<std::complex<double>>()));
}
