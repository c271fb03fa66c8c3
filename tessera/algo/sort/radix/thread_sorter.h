#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/algo/sort/radix/cached_passes.h"

namespace tessera::algo::sorting {

/// A range of records that no other has to move into or out of, in the array of keys or in the spare one.
struct segment {
  std::int64_t begin, count;
  bool in_spare;
};

/// Sorts segments on the calling thread.
template <class Codes, class Values>
class thread_sorter {
 public:
  using bits = typename Codes::bits;
  using record_array = records<bits, Values>;

  thread_sorter(const Codes& codes, const record_array& keys, const record_array& spare, thread_scratch& scratch)
      : codes_(codes), keys_(keys), spare_(spare), scratch_(scratch) {}

  /// The result stands in `keys`.
  void sort(const segment& s) {
    constexpr std::int64_t few = 32;
    if (s.count <= few) return insert(s);
    const record_array from = source(s);
    if (is_sorted(from.keys, 1, s.count, codes_, [] { return true; })) {
      if (s.in_spare) keys_.from(s.begin).put_all(from, s.count);
      return;
    }
    const code_range<bits> all = range_of(from.keys, s.count, codes_);
    const int width = bits_of(static_cast<bits>(all.most - all.least));
    if (s.count * keys_.bytes_each() > cache_bytes)
      divide(s, all.least, width);
    else
      sort_in_cache(s, all.least, width);
  }

 private:
  [[nodiscard]] record_array source(const segment& s) const { return (s.in_spare ? spare_ : keys_).from(s.begin); }

  /// One record behind the other, each to its place among those before it.
  void insert(const segment& s) {
    const record_array to = keys_.from(s.begin), from = spare_.from(s.begin);
    if (!s.in_spare) from.put_all(to, s.count);
    for (std::int64_t i = 0; i < s.count; ++i) {
      const bits code = codes_(from.keys[i]);
      std::int64_t place = i;
      for (; place > 0 && code < codes_(to.keys[place - 1]); --place) to.put(place, to, place - 1);
      to.put(place, from, i);
    }
  }

  /// By the leading digit, into the other array, and then each part.
  void divide(const segment& s, bits least, int width) {
    const int digit_bits = dividing_bits(s.count * keys_.bytes_each(), cache_bytes / 2, width);
    const std::size_t digits = std::size_t{1} << digit_bits;
    const digit_of<Codes> digit{codes_, least, width - digit_bits, static_cast<bits>(digits - 1)};
    const record_array from = source(s), to = (s.in_spare ? keys_ : spare_).from(s.begin);
    std::vector<std::int64_t> firsts(digits);
    count_digits(from.keys, s.count, digit, firsts.data());
    std::int64_t sum = 0;
    for (std::int64_t& first : firsts) first = std::exchange(sum, sum + first);
    std::vector<std::int64_t> ends = firsts;
    distribute(from, s.count, digit, to, firsts, ends.data(), scratch_.bytes());
    if (width > digit_bits) {
      for (std::size_t d = 0; d < digits; ++d)
        if (ends[d] > firsts[d]) sort({s.begin + firsts[d], ends[d] - firsts[d], !s.in_spare});
    } else if (!s.in_spare) {
      keys_.from(s.begin).put_all(to, s.count);
    }
  }

  /// In at most three passes, over scratch and the spare array; then what is equal in the bits of these.
  void sort_in_cache(const segment& s, bits least, int width) {
    const cached_passes<Codes> passes(codes_, least, s.count, width);
    const record_array local = keys_.in_bytes(scratch_.bytes(), s.count), to = keys_.from(s.begin);
    record_array from = source(s);
    passes.count(from.keys, s.count, scratch_);
    if (passes.number() == 1 && !s.in_spare) {
      local.put_all(from, s.count);
      from = local;
    }
    const std::array<record_array, most_passes - 1> between{local, spare_.from(s.begin)};
    for (int pass = 0; pass < passes.number(); ++pass) {
      const record_array& next = pass + 1 == passes.number() ? to : between[static_cast<std::size_t>(pass)];
      passes.move(pass, from, s.count, next, scratch_);
      from = next;
    }
    if (passes.bits_left() > 0) sort_equal(s, least, passes.bits_left());
  }

  /// Sorts the ranges of records that are equal but for the last `bits_left` bits.
  void sort_equal(const segment& s, bits least, int bits_left) {
    const bits* const keys = keys_.keys + s.begin;
    const auto lead = [&](std::int64_t i) { return static_cast<bits>(codes_(keys[i]) - least) >> bits_left; };
    for (std::int64_t begin = 0, end = 1; begin < s.count; begin = end++) {
      const auto here = lead(begin);
      while (end < s.count && lead(end) == here) ++end;
      if (end - begin > 1) sort({s.begin + begin, end - begin, false});
    }
  }

  Codes codes_;
  record_array keys_, spare_;
  thread_scratch& scratch_;
};

}  // namespace tessera::algo::sorting
