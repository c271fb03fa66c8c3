#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace tessera::fuzz {

/// Random draws that are the same on every platform.
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : engine_(seed) {}

  /// The draws of program `index` of `seed`; those of different programs have nothing in common.
  [[nodiscard]] static random_source of_program(std::uint64_t seed, std::uint64_t index) {
    std::seed_seq words{seed & 0xFFFF'FFFF, seed >> 32, index & 0xFFFF'FFFF, index >> 32};
    return random_source(words);
  }

  std::uint64_t bits() { return engine_(); }
  /// Uniform in [lo, hi].
  std::int64_t in(std::int64_t lo, std::int64_t hi) {
    return lo >= hi ? lo : lo + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  bool percent(int p) { return in(0, 99) < p; }
  /// Log-uniform in [1, hi].
  std::int64_t log_uniform(std::int64_t hi) {
    const double exponent = static_cast<double>(engine_() >> 11) * 0x1p-53 * std::log2(static_cast<double>(hi) + 0.99);
    return std::min(hi, static_cast<std::int64_t>(std::exp2(exponent)));
  }
  /// An index, drawn with these weights.
  int weighted(std::initializer_list<int> weights) {
    int sum = 0;
    for (const int w : weights) sum += w;
    std::int64_t left = in(0, sum - 1);
    int index = 0;
    for (const int w : weights) {
      if (left < w) return index;
      left -= w;
      ++index;
    }
    return 0;
  }

 private:
  explicit random_source(std::seed_seq& words) : engine_(words) {}

  std::mt19937_64 engine_;
};

}  // namespace tessera::fuzz
