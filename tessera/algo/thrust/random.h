#pragma once

#include <cmath>

#include "tessera/algo/function/device_text.h"

/// Random numbers in functions of the devices and on the host: an engine per element, made from its number or moved on
/// by `discard`. The engine's numbers are those of std::minstd_rand, the distributions' are not those of Thrust.
namespace thrust {

// clang-format off
TS_DEVICE(
struct minstd_rand {
  using result_type = unsigned int;
  static constexpr result_type min = 1;
  static constexpr result_type max = 2147483646;
  static constexpr result_type default_seed = 1;
  result_type state;
  constexpr explicit minstd_rand(result_type seed = 1) : state(seed % 2147483647u == 0 ? 1 : seed % 2147483647u) {}
  constexpr void seed(result_type number = 1) { *this = minstd_rand(number); }
  constexpr result_type operator()() {
    state = (result_type)((unsigned long long)state * 48271u % 2147483647u);
    return state;
  }
  /// As `count` calls.
  constexpr void discard(unsigned long long count) {
    unsigned long long factor = 48271;
    for (; count > 0; count /= 2) {
      if (count % 2 == 1) state = (result_type)(state * factor % 2147483647u);
      factor = factor * factor % 2147483647u;
    }
  }
};
using default_random_engine = minstd_rand;

/// Numbers from `least` to below `limit`.
template <class T = double>
struct uniform_real_distribution {
  using result_type = T;
  T least;
  T limit;
  constexpr explicit uniform_real_distribution(T a = 0, T b = 1) : least(a), limit(b) {}
  template <class G>
  constexpr T operator()(G& random) const {
    const unsigned int number = random() - G::min;  // of 31 bits, more than a float holds
    if constexpr (sizeof(T) == 4)
      return least + (limit - least) * ((T)(number >> 7) / (T)16777216);
    else
      return least + (limit - least) * ((T)number / ((T)(G::max - G::min) + 1));
  }
};
/// Numbers from `least` to `most`.
template <class T = int>
struct uniform_int_distribution {
  using result_type = T;
  T least;
  T most;
  constexpr explicit uniform_int_distribution(T a = 0, T b = (T)(~0ull >> (64 - 8 * sizeof(T) + ((T)-1 < (T)1 ? 1 : 0))))
      : least(a), most(b) {}
  template <class G>
  constexpr T operator()(G& random) const {
    const unsigned long long high = random() - G::min;
    const unsigned long long number = high << 31 | (random() - G::min);
    const unsigned long long count = (unsigned long long)most - (unsigned long long)least + 1;
    return (T)((unsigned long long)least + (count == 0 ? number : number % count));
  }
};
template <class T = double>
struct normal_distribution {
  using result_type = T;
  T mean;
  T stddev;
  constexpr explicit normal_distribution(T m = 0, T s = 1) : mean(m), stddev(s) {}
  template <class G>
  T operator()(G& random) const {
    const uniform_real_distribution<double> uniform;
    const double radius = sqrt(-2 * log(1 - uniform(random)));
    return mean + stddev * (T)(radius * cos(6.283185307179586 * uniform(random)));
  }
};)

namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}  // namespace random
// clang-format on

}  // namespace thrust
