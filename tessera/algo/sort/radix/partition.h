#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "tessera/algo/sort/radix/codes.h"
#include "tessera/algo/sort/radix/line_stream.h"
#include "tessera/algo/sort/records.h"

/// Passes over keys: what they are like, how many have each digit, and records brought to the places of their digits.
namespace tessera::algo::sorting {

/// Loops over keys have blocks of this length, which the compiler knows and makes vector code of.
constexpr std::int64_t block_keys = 256;

/// Whether no key of [begin, end) belongs before the one ahead of it; key `begin - 1` exists. `go_on()` is asked now
/// and then.
template <class Codes, class GoOn>
[[nodiscard]] bool is_sorted(const typename Codes::bits* keys, std::int64_t begin, std::int64_t end, const Codes& codes,
                             const GoOn& go_on) {
  using bits = typename Codes::bits;
  for (; begin + block_keys <= end; begin += block_keys) {
    const bits* const block = keys + begin;
    bits falls = 0;
    for (std::int64_t i = 0; i < block_keys; ++i)
      falls = static_cast<bits>(falls | static_cast<bits>(codes(block[i]) < codes(block[i - 1])));
    if (falls != 0 || !go_on()) return false;
  }
  for (; begin < end; ++begin)
    if (codes(keys[begin]) < codes(keys[begin - 1])) return false;
  return true;
}

template <class Bits>
struct code_range {
  Bits least, most;

  void add(const code_range& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

/// Of the codes of `count` keys, at least one.
template <class Codes, class Bits = typename Codes::bits>
[[nodiscard]] code_range<Bits> range_of(const Bits* keys, std::int64_t count, const Codes& codes) {
  code_range<Bits> all{codes(keys[0]), codes(keys[0])};
  std::int64_t begin = 0;
  for (; begin + block_keys <= count; begin += block_keys) {
    const Bits* const block = keys + begin;
    Bits least = all.least, most = all.most;
    for (std::int64_t i = 0; i < block_keys; ++i) {
      const Bits code = codes(block[i]);
      least = std::min(least, code);
      most = std::max(most, code);
    }
    all = {least, most};
  }
  for (; begin < count; ++begin) all.add({codes(keys[begin]), codes(keys[begin])});
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
