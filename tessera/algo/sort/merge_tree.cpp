#include "tessera/algo/sort/merge_tree.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <vector>

#include "tessera/algo/sort/places.h"

namespace tessera::algo::sorting {
namespace {

constexpr std::int64_t least_piece = 4096;  // not worth another thread

/// A part of what two neighbours become, for one thread.
struct tile {
  neighbours of;
  std::int64_t begin, end, first, first_end;
};

class merge_tree {
 public:
  merge_tree(const parallel_runner& run, int threads, std::int64_t count, const merge_steps& steps)
      : run_(run), threads_(threads), count_(count), steps_(steps) {
    // As many pieces as threads, or several for each, which share the work as well.
    const auto wanted = static_cast<std::uint64_t>(threads);
    const std::uint64_t even = std::has_single_bit(wanted) ? wanted : 4 * std::bit_floor(wanted);
    const auto worthwhile = std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(count / least_piece, 1)));
    pieces_ = static_cast<std::int64_t>(std::min(even, worthwhile));
  }

  void sort() {
    if (all_sorted()) return;
    bool in_spare = std::countr_zero(static_cast<std::uint64_t>(pieces_)) % 2 == 1;
    for_each(pieces_, [&](std::int64_t k) { steps_.sort(border(k), border(k + 1), in_spare); });
    for (std::int64_t width = 1; width < pieces_; width *= 2, in_spare = !in_spare) merge_level(width, in_spare);
  }

 private:
  [[nodiscard]] std::int64_t border(std::int64_t k) const {
    return count_ / pieces_ * k + count_ % pieces_ * k / pieces_;
  }

  void for_each(std::int64_t number, const std::function<void(std::int64_t)>& body) const {
    std::atomic<std::int64_t> next{0};
    run_(std::min<std::int64_t>(threads_, number), [&](std::int64_t) {
      for (std::int64_t k = next++; k < number; k = next++) body(k);
    });
  }

  [[nodiscard]] bool all_sorted() const {
    std::atomic<bool> sorted{true};
    for_each(pieces_, [&](std::int64_t k) {
      // A piece includes the record before it.
      if (!steps_.is_sorted(std::max<std::int64_t>(border(k) - 1, 0), border(k + 1))) sorted = false;
    });
    return sorted;
  }

  /// Merges ranges of `width` pieces each.
  void merge_level(std::int64_t width, bool in_spare) const {
    std::vector<tile> tiles;
    for (std::int64_t k = 0; k < pieces_; k += 2 * width)
      add_tiles({border(k), border(k + width), border(k + 2 * width), in_spare}, 2 * width, tiles);
    for_each(std::ssize(tiles), [&](std::int64_t k) {
      const tile& t = tiles[static_cast<std::size_t>(k)];
      steps_.merge(t.of, t.begin, t.end, t.first, t.first_end);
    });
  }

  /// Of what `n`, which are so many pieces, become. Where the operator of the program is no order, results of
  /// `from_first` may contradict each other; tiles are ranges all the same.
  void add_tiles(const neighbours& n, std::int64_t pieces, std::vector<tile>& tiles) const {
    const std::int64_t number =
        std::min(std::max<std::int64_t>(4 * threads_ * pieces / pieces_, 1), n.count() / least_piece + 1);
    std::int64_t begin = 0, first = 0;
    for (std::int64_t k = 1; k <= number; ++k) {
      const std::int64_t end = n.count() / number * k + n.count() % number * k / number;
      const std::int64_t of_first = n.middle - n.begin, of_second = n.end - n.middle;
      const std::int64_t least = std::max(first, end - of_second), most = std::min(first + end - begin, of_first);
      const std::int64_t first_end = k == number ? of_first : std::clamp(steps_.from_first(n, end), least, most);
      tiles.push_back({n, begin, end, first, first_end});
      begin = end;
      first = first_end;
    }
  }

  const parallel_runner& run_;
  int threads_;
  std::int64_t count_;
  const merge_steps& steps_;
  std::int64_t pieces_;
};

}  // namespace

void sort_by_merges(const parallel_runner& run, int threads, std::int64_t count, const merge_steps& steps) {
  if (count > 1) merge_tree(run, std::max(threads, 1), count, steps).sort();
}

}  // namespace tessera::algo::sorting
