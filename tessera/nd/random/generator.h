#pragma once

#include <cstdint>

#include "tessera/nd/array.h"
#include "tessera/nd/ops/creation.h"

namespace tessera::nd {

/// Random numbers of a seed. Each call makes the numbers of one stream, of which each element has its own by its place
/// in the array (Philox4x32-10: place and number of the stream are the counter, the seed is the key): they are the same
/// for any layout, devices, ranks and memory, and are computed where they are used. Equal seeds and equal calls give
/// equal numbers. Used by one thread at a time; functions throw `argument_error` for numbers and types that do not fit.
class generator {
 public:
  explicit generator(std::uint64_t seed = 0) : seed_(seed) {}

  /// Evenly spread over [low, high): multiples of 2^-n of the distance, for a type whose numbers have n digits.
  [[nodiscard]] array uniform(const extents& shape, double low = 0, double high = 1,
                              scalar_kind type = scalar_kind::float64, const array_options& options = {},
                              call_site here = call_site::current());
  /// Normally distributed, by the method of Box and Muller; no number is further than 8.6 deviations from the mean (6.7
  /// for types narrower than float64).
  [[nodiscard]] array normal(const extents& shape, double mean = 0, double deviation = 1,
                             scalar_kind type = scalar_kind::float64, const array_options& options = {},
                             call_site here = call_site::current());
  /// Integers low, ..., high - 1. Probabilities of two of them differ by a factor of 1 + 2^-32 at most.
  [[nodiscard]] array integers(std::int64_t low, std::int64_t high, const extents& shape,
                               scalar_kind type = scalar_kind::int64, const array_options& options = {},
                               call_site here = call_site::current());
  /// 64 random bits each, as uint64.
  [[nodiscard]] array bits(const extents& shape, const array_options& options = {},
                           call_site here = call_site::current());

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  /// The stream of the next call; setting it repeats or leaves out numbers.
  [[nodiscard]] std::uint64_t stream() const { return stream_; }
  void set_stream(std::uint64_t next) { stream_ = next; }

 private:
  std::uint64_t seed_, stream_ = 0;
};

}  // namespace tessera::nd
