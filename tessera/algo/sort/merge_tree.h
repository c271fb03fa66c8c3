#pragma once

#include <cstdint>

#include "tessera/algo/sort/sort_memory.h"

namespace tessera::algo::sorting {

/// Two ranges of records, [begin, middle) and [middle, end), each in order, in the array of keys or in the spare one.
struct neighbours {
  std::int64_t begin, middle, end;
  bool in_spare;

  [[nodiscard]] std::int64_t count() const { return end - begin; }
};

/// What a sort by merges does with records of a type.
class merge_steps {
 public:
  virtual ~merge_steps() = default;
  [[nodiscard]] virtual bool is_sorted(std::int64_t begin, std::int64_t end) const = 0;
  /// Sorts records of the array of keys, there or into the spare array.
  virtual void sort(std::int64_t begin, std::int64_t end, bool into_spare) const = 0;
  /// How many of the first `count` records of the result come from the first range.
  [[nodiscard]] virtual std::int64_t from_first(const neighbours& n, std::int64_t count) const = 0;
  /// Records [begin, end) of the result, into the other array; of these, [first, first_end) of the first range come
  /// from there, counted from its beginning.
  virtual void merge(const neighbours& n, std::int64_t begin, std::int64_t end, std::int64_t first,
                     std::int64_t first_end) const = 0;
};

/// Sorts `count` records on several threads: a piece each, and then all of them merge two pieces into one, as often as
/// needed. The result stands in the array of keys.
void sort_by_merges(const parallel_runner& run, int threads, std::int64_t count, const merge_steps& steps);

}  // namespace tessera::algo::sorting
