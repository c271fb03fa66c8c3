#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tessera/algo/sort/sort_memory.h"
#include "tessera/base/float16.h"

/// Keys in many distributions, values that know which key they came with, and runners.
namespace tessera::support {

/// Bodies one after the other.
inline algo::parallel_runner in_turn() {
  return [](std::int64_t count, const std::function<void(std::int64_t)>& body) {
    for (std::int64_t k = 0; k < count; ++k) body(k);
  };
}

/// A thread for each body.
inline algo::parallel_runner on_threads() {
  return [](std::int64_t count, const std::function<void(std::int64_t)>& body) {
    std::vector<std::thread> all;
    for (std::int64_t k = 1; k < count; ++k) all.emplace_back(body, k);
    if (count > 0) body(0);
    for (std::thread& t : all) t.join();
  };
}

inline std::uint64_t mixed(std::uint64_t x) {
  x = (x + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  return x ^ (x >> 29);
}

inline const std::vector<std::string>& distributions() {
  static const std::vector<std::string> all{"uniform", "bits", "equal",       "sorted",   "reversed", "organ",
                                            "few",     "zipf", "one outlier", "extremes", "low bits", "swapped"};
  return all;
}

template <class T>
T of_bits(std::uint64_t x) {
  T key;
  std::memcpy(static_cast<void*>(&key), &x, sizeof key);
  return key;
}

template <class T>
T of_number(double x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(x));
  else
    return T(static_cast<float>(x));
}

/// Least and greatest keys; of floats also zeros of both signs, infinities, NaN of both signs and many payloads.
template <class T>
T extreme(std::uint64_t x) {
  constexpr std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
  constexpr std::uint64_t infinity = std::is_same_v<T, double>     ? 0x7ff0000000000000
                                     : std::is_same_v<T, float>    ? 0x7f800000
                                     : std::is_same_v<T, bfloat16> ? 0x7f80
                                                                   : 0x7c00;
  const std::uint64_t some[] = {0,
                                sign,
                                infinity,
                                infinity | sign,
                                infinity + 1 + x % 5,
                                (infinity + 1 + x % 5) | sign,
                                sign - 1,
                                ~std::uint64_t{0},
                                1,
                                sign + 1};
  return of_bits<T>(some[(x >> 8) % std::size(some)]);
}

template <class T>
T key_of(const std::string& distribution, std::int64_t i, std::int64_t n) {
  const std::uint64_t x = mixed(static_cast<std::uint64_t>(i));
  const auto place = static_cast<double>(i), size = static_cast<double>(n);
  if (distribution == "uniform") return of_number<T>(static_cast<double>(x >> 40) / 1000 - 8000);
  if (distribution == "bits") return of_bits<T>(x);
  if (distribution == "equal") return of_number<T>(3);
  if (distribution == "sorted") return of_number<T>(place * 100 / size);
  if (distribution == "reversed") return of_number<T>(size - place);
  if (distribution == "organ") return of_number<T>(std::min(place, size - place));
  if (distribution == "few") return of_number<T>(static_cast<double>(x % 5 * 1001));
  if (distribution == "zipf") return of_number<T>(std::pow(1e5, static_cast<double>(x >> 11) * 0x1p-53));
  if (distribution == "one outlier")
    return i == n / 2 ? of_number<T>(-20000) : of_number<T>(static_cast<double>(x % 3));
  if (distribution == "extremes") return extreme<T>(x);
  if (distribution == "low bits") return of_bits<T>(x % 3000);
  return of_number<T>(place + (i % 1000 == 999 ? -500 : 0));
}

template <class T>
std::vector<T> keys_of(const std::string& distribution, std::int64_t n) {
  std::vector<T> all(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = key_of<T>(distribution, i, n);
  return all;
}

/// Whether a key must come before another: NaN last, in either order.
template <class T>
bool precedes(const T& a, const T& b, bool descending) {
  if constexpr (!std::is_integral_v<T>) {
    const bool a_counts = !std::isnan(static_cast<double>(a)), b_counts = !std::isnan(static_cast<double>(b));
    if (!a_counts || !b_counts) return a_counts && !b_counts;
  }
  return descending ? b < a : a < b;
}

/// The values of some bytes that come with the keys of the places `order`.
inline std::vector<std::byte> values_of(const std::vector<std::int64_t>& order, std::int64_t bytes) {
  std::vector<std::byte> all;
  all.reserve(order.size() * static_cast<std::size_t>(bytes));
  for (const std::int64_t place : order) {
    const std::uint64_t x = mixed(static_cast<std::uint64_t>(place));
    for (std::int64_t b = 0; b < bytes; ++b) all.push_back(static_cast<std::byte>(x >> (b * 7 % 57)));
  }
  return all;
}

inline std::vector<std::int64_t> places(std::int64_t n) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

}  // namespace tessera::support
