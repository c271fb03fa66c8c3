#pragma once

#include <cstdint>

#include "benchmarks/frame/device_numbers.h"
#include "benchmarks/frame/two_sides.h"
#include "benchmarks/gpu/by_hand.h"

/// What rows against CUDA by hand share: the rival's inputs, and pairs of runs that each wait once.
namespace tessera::bench {

/// Floats of the rival: the numbers that `fill` gives ours.
class by_hand_floats : public by_hand::device_floats {
 public:
  explicit by_hand_floats(std::int64_t n) : by_hand::device_floats(n) {}
  by_hand_floats(std::int64_t n, const numbers& values) : by_hand::device_floats(n) {
    by_hand::fill(*this, values.seed, values.low, values.high);
  }
};

/// Element `i` of them.
inline double number_at(std::int64_t i, const numbers& values) {
  return static_cast<double>(by_hand::number_at(i, values.seed, values.low, values.high));
}

/// Adds a row of two functions that do the same work and need not wait for it. Each does it `rounds` times before its
/// side waits, so that the wait of some microseconds is no part of what is compared. `check` compares the results when
/// each side has done so once.
template <class Ours, class Theirs, class Check>
void contest(session& s, context ctx, compared_row row, int rounds, Ours ours, Theirs theirs, Check check) {
  const auto all_ours = [&] {
    for (int k = 0; k < rounds; ++k) ours();
    ctx.wait();
  };
  const auto all_theirs = [&] {
    for (int k = 0; k < rounds; ++k) theirs();
    by_hand::wait();
  };
  all_ours();
  all_theirs();
  check();
  row.scale /= rounds;
  add_pair(s, row, all_ours, all_theirs);
}

}  // namespace tessera::bench
