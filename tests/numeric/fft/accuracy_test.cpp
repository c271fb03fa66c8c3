// Transforms against sums as they are written, in long double.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "tests/numeric/fft/lines.h"

using namespace tessera;
using namespace tessera::support;
using numeric::fft_kind;
using numeric::fft_lines;

namespace {

/// The error of one line, in units of the last place, over 1 + log2(n).
template <class T>
double worth(long double error, std::int64_t n) {
  return static_cast<double>(error / std::numeric_limits<T>::epsilon()) / (1 + std::log2(static_cast<double>(n)));
}

/// The worst error of the transforms of all kinds of lines of n elements, of which there are `lines`; one is compared.
template <class T>
double worst_error(std::int64_t n, std::int64_t lines) {
  using number = std::complex<T>;
  const std::int64_t half = n / 2 + 1, last = lines - 1;
  double worst = 0;
  fft_lines plain{.length = n, .lines = lines};
  for (const bool backward : {false, true}) {
    plain.backward = backward;
    const auto x = noise<number>(n * lines, static_cast<unsigned>(n));
    const auto y = line_of(transformed<T, number>(plain, lines, x), n, 1, last, 0);
    worst = std::max(worst, worth<T>(relative_error(y, plain_transform(line_of(x, n, 1, last, 0), backward)), n));
  }
  const auto x = noise<T>(n * lines, static_cast<unsigned>(n));
  const fft_lines forward{.kind = fft_kind::real_to_half, .length = n, .lines = lines};
  const auto spectrum = transformed<T, number>(forward, lines, x);
  const auto line = line_of(x, n, 1, last, 0);
  auto expected = plain_transform(std::vector<number>(line.begin(), line.end()), false);
  auto whole = expected;
  expected.resize(index(half));
  worst = std::max(worst, worth<T>(relative_error(line_of(spectrum, half, 1, last, 0), expected), n));

  // A half of other numbers, with imaginary parts where there can be none.
  const auto given = noise<number>(half * lines, static_cast<unsigned>(n) + 1);
  const fft_lines back{.kind = fft_kind::half_to_real,
                       .length = n,
                       .lines = lines,
                       .backward = true,
                       .scale = 1.0 / static_cast<double>(n)};
  const auto reals = line_of(transformed<T, T>(back, lines, given), n, 1, last, 0);
  const auto given_line = line_of(given, half, 1, last, 0);
  std::vector<number> full(index(n));
  for (std::int64_t k = 0; k < n; ++k)
    full[index(k)] = k < half ? given_line[index(k)] : std::conj(given_line[index(n - k)]);
  full[0] = full[0].real();
  if (n % 2 == 0) full[index(n / 2)] = full[index(n / 2)].real();
  auto wanted = plain_transform(full, true);
  for (auto& each : wanted) each /= static_cast<long double>(n);
  return std::max(worst, worth<T>(relative_error(reals, wanted), n));
}

/// Over 1 + log2(n), in units of the last place. What a convolution makes of other lengths takes three transforms.
constexpr double most = 0.6;

}  // namespace

TEST_CASE("transforms of chosen lengths are exact to a few units of the last place, few lines or many") {
  for (const std::int64_t lines : {1, 5, 37})
    for (const std::int64_t n :
         {1,  2,  3,  4,  5,  6,  7,   8,   9,   10,  11,  12,  13,  14,  15,  16,  17,   19,  23,
          32, 37, 49, 64, 77, 97, 121, 128, 143, 169, 210, 255, 256, 257, 360, 509, 1000, 1024}) {
      CAPTURE(lines);
      CAPTURE(n);
      CHECK(worst_error<float>(n, lines) < most);
      CHECK(worst_error<double>(n, lines) < most);
    }
}

TEST_CASE("long lines are split, those with large prime factors too") {
  CHECK(worst_error<float>(4099, 1) < most);
  CHECK(worst_error<double>(5040, 6) < most);
}

TEST_CASE("every length of a choice of long lines is exact to a few units of the last place" * doctest::skip()) {
  for (const std::int64_t lines : {1, 6})
    for (const std::int64_t n : {4096, 4097, 4099, 5040, 6561, 10007, 10010}) {
      CAPTURE(n);
      CHECK(worst_error<float>(n, lines) < most);
      CHECK(worst_error<double>(n, lines) < most);
    }
}

TEST_CASE("every length from 1 to 2100 is exact to a few units of the last place" * doctest::skip()) {
  double single = 0, wide = 0;
  for (std::int64_t n = 1; n <= 2100; ++n) {
    CAPTURE(n);
    const double a = worst_error<float>(n, 1 + n % 23), b = worst_error<double>(n, 1 + n % 23);
    CHECK(a < most);
    CHECK(b < most);
    single = std::max(single, a);
    wide = std::max(wide, b);
  }
  MESSAGE("worst errors over 1 + log2(n): ", single, " and ", wide, " units of the last place");
}

namespace {

/// A tone of n elements has one line in its spectrum.
void check_tone(std::int64_t n) {
  CAPTURE(n);
  using number = std::complex<float>;
  const fft_lines lines{.length = n};
  std::vector<number> x(index(n));
  const std::int64_t tone = n / 3;
  for (std::int64_t k = 0; k < n; ++k) {
    const auto turn = static_cast<double>(static_cast<__int128>(tone) * k % n) / static_cast<double>(n);
    x[index(k)] = number(std::polar(1.0, 2 * 3.14159265358979323846 * turn));
  }
  const auto y = transformed<float, number>(lines, 1, x);
  double others = 0;
  for (std::int64_t k = 0; k < n; ++k)
    if (k != tone) others += std::norm(std::complex<double>(y[index(k)]));
  CHECK(std::abs(y[index(tone)] - static_cast<float>(n)) < 1e-6 * static_cast<double>(n));
  CHECK(std::sqrt(others) < 1e-6 * static_cast<double>(n));
}

}  // namespace

TEST_CASE("a tone in a very long line is one number") {
  check_tone(std::int64_t{1} << 20);
  check_tone(1'000'003);
}

TEST_CASE("a tone in a line of every length that is split twice is one number" * doctest::skip()) {
  for (const std::int64_t n : {9'765'625, 1 << 25, 16'777'259}) check_tone(n);  // the last is prime
}

TEST_CASE("all instruction sets of this processor give the same but for roundings") {
  using number = std::complex<float>;
  for (const std::int64_t n : {60, 101, 1001}) {
    const auto plan = numeric::fft_plan<float>::find(n, false);
    const auto x = noise<number>(n * 16, 3);
    for (const auto set :
         {numeric::instruction_set::plain, numeric::instruction_set::wide, numeric::instruction_set::widest}) {
      if (!numeric::has_instructions(set)) continue;
      const auto& loops = numeric::fft_lanes_for<float>(set);
      std::vector<std::int64_t> offsets;
      for (int l = 0; l < loops.lanes; ++l) offsets.push_back(l * n);
      std::vector<number> y(index(n * loops.lanes)), scratch(index(4 * (plan->lanes().inner + 1) * loops.lanes + 8));
      void* aligned = scratch.data();
      std::size_t room = scratch.size() * sizeof(number);
      numeric::lane_job<float> job;
      job.plan = &plan->lanes();
      job.count = loops.lanes;
      job.from = {numeric::lane_form::full, reinterpret_cast<const float*>(x.data()), 1, offsets.data(), false};
      job.to = {numeric::lane_form::full, reinterpret_cast<float*>(y.data()), 1, offsets.data(), false};
      job.scratch = static_cast<float*>(std::align(64, 1, aligned, room));
      loops.run(job);
      for (int l = 0; l < loops.lanes; ++l)
        CHECK(worth<float>(relative_error(line_of(y, n, 1, l, 0), plain_transform(line_of(x, n, 1, l, 0), false)), n) <
              most);
    }
  }
}
