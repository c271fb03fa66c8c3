#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tessera/algo/sort/radix/thread_sorter.h"
#include "tessera/algo/sort/sort_memory.h"

namespace tessera::algo::sorting {

/// Sorts records on several threads: segments that are large against the share of a thread are divided by all of them,
/// the others are sorted by one thread each.
template <class Codes, class Values>
class radix_sorter {
 public:
  using bits = typename Codes::bits;
  using record_array = records<bits, Values>;

  radix_sorter(const parallel_runner& run, int threads, const Codes& codes, std::int64_t count,
               const record_array& keys, const record_array& spare)
      : run_(run),
        threads_(threads),
        codes_(codes),
        count_(count),
        keys_(keys),
        spare_(spare),
        scratch_(static_cast<std::size_t>(threads)) {
    constexpr std::int64_t worth_dividing = 1 << 14;
    const std::int64_t bytes = count * keys.bytes_each(), pieces = pieces_per_thread * threads;
    large_ = threads == 1 ? count : std::max(worth_dividing, count / pieces);
    part_bytes_ = std::min(cache_bytes / 2, bytes / (2 * pieces));
    scratch_bytes_ = count > large_ ? cache_bytes : std::min(bytes, cache_bytes);
  }

  /// The result stands in `keys`.
  void sort() {
    add({0, count_, false});
    while (!to_divide_.empty()) {
      const segment s = to_divide_.back();
      to_divide_.pop_back();
      divide(s);
    }
    std::stable_sort(to_sort_.begin(), to_sort_.end(),
                     [](const segment& a, const segment& b) { return a.count > b.count; });
    for_each_piece(std::ssize(to_sort_), [&](std::int64_t k, thread_scratch& scratch) {
      thread_sorter<Codes, Values>(codes_, keys_, spare_, scratch).sort(to_sort_[static_cast<std::size_t>(k)]);
    });
  }

  [[nodiscard]] bool is_sorted() { return is_sorted({0, count_, false}); }

 private:
  static constexpr std::int64_t pieces_per_thread = 4;

  /// A range in pieces that threads take one by one; none is empty.
  struct pieces {
    std::int64_t count, number;
    [[nodiscard]] std::int64_t begin(std::int64_t k) const { return count / number * k + std::min(k, count % number); }
    [[nodiscard]] std::int64_t size(std::int64_t k) const { return begin(k + 1) - begin(k); }
  };
  [[nodiscard]] pieces pieces_of(const segment& s) const {
    return {s.count, std::min<std::int64_t>(pieces_per_thread * threads_, s.count)};
  }

  void add(const segment& s) { (s.count > large_ ? to_divide_ : to_sort_).push_back(s); }

  template <class Body>
  void for_each_piece(std::int64_t number, const Body& body) {
    std::atomic<std::int64_t> next{0};
    run_(std::min<std::int64_t>(threads_, number), [&](std::int64_t thread) {
      std::unique_ptr<thread_scratch>& own = scratch_[static_cast<std::size_t>(thread)];
      if (!own) own = std::make_unique<thread_scratch>(scratch_bytes_);
      for (std::int64_t k = next++; k < number; k = next++) body(k, *own);
    });
  }

  [[nodiscard]] const bits* keys_of(const segment& s) const { return (s.in_spare ? spare_ : keys_).keys + s.begin; }

  [[nodiscard]] bool is_sorted(const segment& s) {
    const pieces all = pieces_of(s);
    std::atomic<bool> sorted{true};
    const auto go_on = [&] { return sorted.load(std::memory_order_relaxed); };
    for_each_piece(all.number, [&](std::int64_t k, thread_scratch&) {
      const std::int64_t begin = std::max<std::int64_t>(all.begin(k), 1), end = all.begin(k + 1);
      if (go_on() && !sorting::is_sorted(keys_of(s), begin, end, codes_, go_on)) sorted = false;
    });
    return sorted;
  }

  [[nodiscard]] code_range<bits> range_of_pieces(const segment& s) {
    const pieces all = pieces_of(s);
    std::vector<code_range<bits>> found(static_cast<std::size_t>(all.number));
    for_each_piece(all.number, [&](std::int64_t k, thread_scratch&) {
      found[static_cast<std::size_t>(k)] = range_of(keys_of(s) + all.begin(k), all.size(k), codes_);
    });
    for (const code_range<bits>& r : found) found.front().add(r);
    return found.front();
  }

  void copy_back(const segment& s) {
    const pieces all = pieces_of(s);
    for_each_piece(all.number, [&](std::int64_t k, thread_scratch&) {
      const std::int64_t begin = s.begin + all.begin(k);
      keys_.from(begin).put_all(spare_.from(begin), all.size(k));
    });
  }

  /// Divides a segment by the leading digit of its codes.
  void divide(const segment& s) {
    if (is_sorted(s)) {
      if (s.in_spare) copy_back(s);
      return;
    }
    const code_range<bits> whole = range_of_pieces(s);
    const int width = bits_of(static_cast<bits>(whole.most - whole.least));
    const int digit_bits = dividing_bits(s.count * keys_.bytes_each(), part_bytes_, width);
    const bits mask = static_cast<bits>((std::uint64_t{1} << digit_bits) - 1);
    const std::vector<std::int64_t> ends = distribute_pieces(s, {codes_, whole.least, width - digit_bits, mask});
    if (width == digit_bits) {
      if (!s.in_spare) copy_back(s);
      return;
    }
    std::int64_t begin = 0;
    for (const std::int64_t end : ends) {
      if (end > begin) add({s.begin + begin, end - begin, !s.in_spare});
      begin = end;
    }
  }

  /// Into the other array. Returns where the records with each digit end.
  std::vector<std::int64_t> distribute_pieces(const segment& s, const digit_of<Codes>& digit) {
    const record_array from = (s.in_spare ? spare_ : keys_).from(s.begin);
    const record_array to = (s.in_spare ? keys_ : spare_).from(s.begin);
    const pieces all = pieces_of(s);
    std::vector<std::vector<std::int64_t>> firsts(static_cast<std::size_t>(all.number));
    for_each_piece(all.number, [&](std::int64_t k, thread_scratch&) {
      std::vector<std::int64_t>& counts = firsts[static_cast<std::size_t>(k)];
      counts.resize(std::size_t{digit.mask} + 1);
      count_digits(from.keys + all.begin(k), all.size(k), digit, counts.data());
    });
    std::vector<std::int64_t> ends(std::size_t{digit.mask} + 1);
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < ends.size(); ++d) {
      for (std::vector<std::int64_t>& counts : firsts) counts[d] = std::exchange(sum, sum + counts[d]);
      ends[d] = sum;
    }
    for_each_piece(all.number, [&](std::int64_t k, thread_scratch& scratch) {
      const std::vector<std::int64_t>& first = firsts[static_cast<std::size_t>(k)];
      std::vector<std::int64_t> places = first;
      distribute(from.from(all.begin(k)), all.size(k), digit, to, first, places.data(), scratch.bytes());
    });
    return ends;
  }

  const parallel_runner& run_;
  int threads_;
  Codes codes_;
  std::int64_t count_;
  record_array keys_, spare_;
  std::vector<std::unique_ptr<thread_scratch>> scratch_;
  std::int64_t large_;          // segments of more records are divided by all threads,
  std::int64_t part_bytes_;     // into parts of so many bytes
  std::int64_t scratch_bytes_;  // per thread
  std::vector<segment> to_divide_, to_sort_;
};

}  // namespace tessera::algo::sorting
