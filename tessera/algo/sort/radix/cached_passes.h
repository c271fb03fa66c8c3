#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "tessera/algo/sort/radix/partition.h"
#include "tessera/algo/sort/radix/thread_scratch.h"

namespace tessera::algo::sorting {

/// The passes of a sort of few records by the leading bits of their codes, from the last digit of these to the first.
template <class Codes>
class cached_passes {
 public:
  using bits = typename Codes::bits;

  /// For `count` records whose codes differ in `width` bits: by so many of these that few records are equal in them.
  cached_passes(const Codes& codes, bits least, std::int64_t count, int width) : last_{codes, least, 0, 0} {
    constexpr int more = 6;
    const int wanted = std::min(width, bits_of(static_cast<std::uint64_t>(count)) + more);
    number_ = (wanted + most_digit_bits - 1) / most_digit_bits;
    digit_bits_ = (wanted + number_ - 1) / number_;
    last_.shift = std::max(0, width - number_ * digit_bits_);
    last_.mask = static_cast<bits>((std::uint64_t{1} << digit_bits_) - 1);
  }

  [[nodiscard]] int number() const { return number_; }
  /// Bits that records are not sorted by.
  [[nodiscard]] int bits_left() const { return last_.shift; }

  /// Finds how many keys have each digit of each pass.
  void count(const bits* keys, std::int64_t count, thread_scratch& scratch) const {
    for (int pass = 0; pass < number_; ++pass) std::fill_n(counts(scratch, pass), digits(), 0);
    if (number_ == 1) count_digits<1>(keys, count, scratch);
    if (number_ == 2) count_digits<2>(keys, count, scratch);
    if (number_ == 3) count_digits<3>(keys, count, scratch);
  }

  /// One pass, from `from` to `to`, which lies elsewhere.
  template <class Values>
  void move(int pass, const records<bits, Values>& from, std::int64_t count, const records<bits, Values>& to,
            thread_scratch& scratch) const {
    std::uint32_t* const places = counts(scratch, pass);
    std::uint32_t sum = 0;
    for (std::uint32_t* place = places; place != places + digits(); ++place) *place = std::exchange(sum, sum + *place);
    digit_of<Codes> digit = last_;
    digit.shift += pass * digit_bits_;
    for (std::int64_t i = 0; i < count; ++i) to.put(places[digit(from.keys[i])]++, from, i);
  }

 private:
  [[nodiscard]] std::size_t digits() const { return std::size_t{1} << digit_bits_; }
  [[nodiscard]] static std::uint32_t* counts(thread_scratch& scratch, int pass) {
    return scratch.counts[static_cast<std::size_t>(pass)].data();
  }

  template <std::size_t Passes>
  void count_digits(const bits* keys, std::int64_t count, thread_scratch& scratch) const {
    for (std::int64_t i = 0; i < count; ++i) {
      std::uint64_t rest = static_cast<bits>(last_.codes(keys[i]) - last_.least) >> last_.shift;
      for (std::size_t pass = 0; pass < Passes; ++pass, rest >>= digit_bits_) ++scratch.counts[pass][rest & last_.mask];
    }
  }

  digit_of<Codes> last_;
  int number_, digit_bits_;
};

}  // namespace tessera::algo::sorting
