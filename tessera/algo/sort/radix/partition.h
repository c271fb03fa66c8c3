#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "tessera/algo/sort/radix/codes.h"
#include "tessera/algo/sort/radix/line_stream.h"
#include "tessera/algo/sort/records.h"

/// Passes over keys: what they are like, how many have each digit, and records brought to the places of their digits.
namespace tessera::algo::sorting {

/// The extremes of the codes of a range of keys that is not empty, and whether they are in order.
template <class Bits>
struct summary {
  Bits least, most;
  bool sorted = true;

  /// Of this range and one behind it, whose first code is `first`, where `last` is the last one here.
  void add(const summary& next, Bits last, Bits first) {
    sorted = sorted && next.sorted && last <= first;
    least = std::min(least, next.least);
    most = std::max(most, next.most);
  }
};

template <class Codes, class Bits = typename Codes::bits>
[[nodiscard]] summary<Bits> summary_of(const Bits* keys, std::int64_t count, const Codes& codes) {
  summary<Bits> all{codes(keys[0]), codes(keys[0])};
  constexpr std::int64_t block = 1024;
  for (std::int64_t begin = 0; begin < count; begin += block) {
    const std::int64_t end = std::min(begin + block, count);
    Bits least = all.least, most = all.most;
    for (std::int64_t i = begin; i < end; ++i) {
      least = std::min(least, codes(keys[i]));
      most = std::max(most, codes(keys[i]));
    }
    all.least = least, all.most = most;
    if (!all.sorted) continue;
    Bits falls = 0;
    for (std::int64_t i = std::max<std::int64_t>(begin, 1); i < end; ++i)
      falls = static_cast<Bits>(falls | static_cast<Bits>(codes(keys[i]) < codes(keys[i - 1])));
    all.sorted = falls == 0;
  }
  return all;
}

/// Adds the number of keys with each digit to `counts`.
template <class Codes>
void count_digits(const typename Codes::bits* keys, std::int64_t count, const digit_of<Codes>& digit,
                  std::int64_t* counts) {
  for (std::int64_t i = 0; i < count; ++i) ++counts[digit(keys[i])];
}

/// Brings records to `to`, each to the next of the places of its digit. `firsts` are the places as they begin, which
/// `places` begins with, too. `lines` has a line for the keys, and one for the values, of each digit.
template <class Codes, class Values>
void distribute(const records<typename Codes::bits, Values>& from, std::int64_t count, const digit_of<Codes>& digit,
                const records<typename Codes::bits, Values>& to, std::span<const std::int64_t> firsts,
                std::int64_t* places, std::byte* lines) {
  line_stream<typename Codes::bits> keys(to.keys, lines);
  value_stream<Values> values(to.values, lines + std::ssize(firsts) * line_bytes);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto key = from.keys[i];
    const std::size_t bucket = digit(key);
    const std::int64_t place = places[bucket]++;
    keys.put(bucket, place, firsts[bucket], key);
    values.put(bucket, place, firsts[bucket], from.values, i);
  }
  for (std::size_t bucket = 0; bucket < firsts.size(); ++bucket) {
    keys.finish(bucket, firsts[bucket], places[bucket]);
    values.finish(bucket, firsts[bucket], places[bucket]);
  }
  end_of_lines();
}

}  // namespace tessera::algo::sorting
