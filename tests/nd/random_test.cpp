#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tessera/nd/ops/apply.h"
#include "tests/array/on_ranks.h"
#include "tests/nd/plain_array.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;
using word = std::uint64_t;

namespace {

/// Philox4x32-10 as it is published, of a counter and a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const word p = word{0xD2511F53} * counter[0], q = word{0xCD9E8D57} * counter[2];
    const auto high = [](word n) { return static_cast<std::uint32_t>(n >> 32); };
    counter = {high(q) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(q), high(p) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(p)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// The first 64 bits for an element.
word bits_of(word place, word stream, word seed) {
  const auto low = [](word n) { return static_cast<std::uint32_t>(n); };
  const auto high = [](word n) { return static_cast<std::uint32_t>(n >> 32); };
  const auto made = philox({low(place), high(place), low(stream), high(stream)}, {low(seed), high(seed)});
  return made[0] | word{made[1]} << 32;
}

std::pair<word, word> operations_of(word place, word stream, word seed) {
  const nd::array counter = nd::full<word>({}, place);
  const auto run = [&](ts::kernels::opcode operation) {
    return nd::apply(operation, {counter, stream, seed}, scalar_kind::uint64, ts::call_site::current()).item<word>();
  };
  return {run(ts::kernels::opcode::philox_low), run(ts::kernels::opcode::philox_high)};
}

struct moments {
  double mean = 0, deviation = 0, least = 0, most = 0;
};
template <class T>
moments moments_of(const std::vector<T>& values) {
  moments made{0, 0, static_cast<double>(values[0]), static_cast<double>(values[0])};
  for (const T each : values) {
    const auto x = static_cast<double>(each);
    made.mean += x / static_cast<double>(values.size());
    made.least = std::min(made.least, x);
    made.most = std::max(made.most, x);
  }
  for (const T each : values)
    made.deviation += std::pow(static_cast<double>(each) - made.mean, 2) / static_cast<double>(values.size());
  made.deviation = std::sqrt(made.deviation);
  return made;
}

}  // namespace

TEST_CASE("random bits are the known answers of Philox4x32-10") {
  for_each_setting([] {
    CHECK(operations_of(0, 0, 0) == std::pair(word{0xe169c58d6627e8d5}, word{0x9b00dbd8bc57ac4c}));
    CHECK(operations_of(~word{0}, ~word{0}, ~word{0}) == std::pair(word{0x41c83b0e408f276d}, word{0x6d5451fda20bc7c6}));
    CHECK(operations_of(0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822) ==
          std::pair(word{0x94fdccebd16cfe09}, word{0x24126ea15001e420}));
  });
}

TEST_CASE("an element has the number of its place, whatever the shape, the layout and the devices") {
  for_each_setting([] {
    for (const extents& shape : {extents{}, extents{0}, extents{1}, extents{5003}, extents{7, 11}, extents{3, 1, 5}}) {
      nd::generator rng(0x123456789abcdef);
      const nd::array first = rng.bits(shape), second = rng.bits(shape);
      std::vector<word> expected, following;
      for (word k = 0; k < static_cast<word>(nd::element_count(shape)); ++k) {
        expected.push_back(bits_of(k, 0, 0x123456789abcdef));
        following.push_back(bits_of(k, 1, 0x123456789abcdef));
      }
      CHECK(first.read<word>() == expected);
      CHECK(second.read<word>() == following);
      if (shape.rank() == 0) continue;
      nd::generator again(0x123456789abcdef);
      CHECK(again.bits(shape, {.split = -1}).read<word>() == expected);
      again.set_stream(0);
      CHECK((again.bits(shape, {.split = nd::layout::replicated()}) + 0).read<word>() == expected);
    }
    // A part alone, and beyond 2^32.
    nd::generator rng(3);
    const nd::array large = rng.bits({1 << 20, 1 << 20});
    CHECK(large(70000, 5).item<word>() == bits_of((word{70000} << 20) + 5, 0, 3));
  });
}

TEST_CASE("ranks make the same numbers") {
  for (const int ranks : {1, 2, 3})
    on_ranks(ranks, "cpu", [](ts::context& ctx) {
      nd::generator rng(77);
      const std::vector<word> made = rng.bits({30, 7}, {.split = 1, .ctx = ctx}).read<word>();
      for (word k = 0; k < 210; ++k) require(made[k] == bits_of(k, 0, 77), "each element has its number");
    });
}

TEST_CASE("uniform numbers fill their range and leave out its end") {
  for_each_setting([] {
    nd::generator rng(5);
    const std::vector<double> x = rng.uniform({20000}).read<double>();
    CHECK(x[7] == static_cast<double>(bits_of(7, 0, 5) >> 11) * 0x1p-53);
    const moments of = moments_of(x);
    CHECK(of.mean == doctest::Approx(0.5).epsilon(0.02));
    CHECK(of.deviation == doctest::Approx(std::sqrt(1.0 / 12)).epsilon(0.02));
    CHECK((of.least >= 0 && of.most < 1));
    const std::vector<float> y = rng.uniform({100, 90}, -3, 5, scalar_kind::float32).read<float>();
    CHECK((moments_of(y).least >= -3 && moments_of(y).most < 5));
    CHECK(moments_of(y).mean == doctest::Approx(1).epsilon(0.1));
    // Ranges of a single number: sums are rounded to either end.
    const double next = std::nextafter(1.0, 2.0);
    CHECK(rng.uniform({500}, 1, next).read<double>() == std::vector<double>(500, 1.0));
    const std::vector<float> z = rng.uniform({3000}, 1e6, 1e6 + 0.125, scalar_kind::float32).read<float>();
    CHECK((moments_of(z).least == 1e6 && moments_of(z).most == 1e6 + 0.0625));
    CHECK(moments_of(rng.uniform({100}, -1, 0).read<double>()).most < 0);
    const nd::array half = rng.uniform({4000}, 0, 1, scalar_kind::float16);
    CHECK(half.type() == scalar_kind::float16);
    const moments of_half = moments_of(nd::as_type(half, scalar_kind::float32).read<float>());
    CHECK((of_half.least >= 0 && of_half.most < 1 && std::abs(of_half.mean - 0.5) < 0.03));
    const moments of_brain =
        moments_of(nd::as_type(rng.uniform({4000}, 2, 4, scalar_kind::bfloat16), scalar_kind::float32).read<float>());
    CHECK((of_brain.least >= 2 && of_brain.most < 4 && std::abs(of_brain.mean - 3) < 0.05));
  });
}

TEST_CASE("normal numbers have their mean and deviation") {
  for_each_setting([] {
    for (const scalar_kind type : {scalar_kind::float64, scalar_kind::float32, scalar_kind::float16}) {
      nd::generator rng(11);
      const nd::array made = rng.normal({40000}, 3, 2, type);
      CHECK(made.type() == type);
      const std::vector<double> x = nd::as_type(made, scalar_kind::float64).read<double>();
      const moments of = moments_of(x);
      CHECK(of.mean == doctest::Approx(3).epsilon(0.01));
      CHECK(of.deviation == doctest::Approx(2).epsilon(0.02));
      CHECK((of.least < 3 - 2 * 3.5 && of.most > 3 + 2 * 3.5));
      const auto inside = std::count_if(x.begin(), x.end(), [](double v) { return std::abs(v - 3) < 2; });
      CHECK(static_cast<double>(inside) / 40000 == doctest::Approx(0.6827).epsilon(0.02));
    }
    nd::generator rng(11);
    CHECK(rng.normal({4}, 5, 0).read<double>() == std::vector<double>(4, 5));
    CHECK(rng.normal({0}).shape() == extents{0});
  });
}

TEST_CASE("random integers are those of the range, and all alike") {
  for_each_setting([] {
    nd::generator rng(9);
    const std::vector<std::int64_t> x = rng.integers(-3, 4, {21000}).read<std::int64_t>();
    for (std::int64_t wanted = -3; wanted < 4; ++wanted)
      CHECK(std::abs(std::count(x.begin(), x.end(), wanted) - 3000) < 250);
    CHECK(moments_of(x).most == 3);
    __extension__ using wide = unsigned __int128;
    CHECK(x[5] == -3 + static_cast<std::int64_t>(static_cast<word>((wide{bits_of(5, 0, 9)} * 7) >> 64)));
    CHECK(rng.integers(7, 8, {3}).read<std::int64_t>() == std::vector<std::int64_t>(3, 7));
    const moments bytes = moments_of(rng.integers(0, 256, {9000}, scalar_kind::uint8).read<std::uint8_t>());
    CHECK((bytes.least == 0 && bytes.most == 255));
    const moments small = moments_of(rng.integers(-128, 128, {9000}, scalar_kind::int8).read<std::int8_t>());
    CHECK((small.least == -128 && small.most == 127));
    const std::vector<std::int64_t> large = rng.integers(INT64_MIN, INT64_MAX, {4000}).read<std::int64_t>();
    CHECK(std::abs(std::count_if(large.begin(), large.end(), [](std::int64_t v) { return v < 0; }) - 2000) < 200);
    CHECK(moments_of(large).most > 9e18);
    const moments beyond = moments_of(rng.integers(0, std::int64_t{3} << 40, {4000}).read<std::int64_t>());
    CHECK(beyond.mean == doctest::Approx(1.5 * 0x1p40).epsilon(0.03));
  });
}
