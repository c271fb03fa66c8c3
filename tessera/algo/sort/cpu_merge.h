#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tessera/algo/sort/merge_tree.h"
#include "tessera/algo/sort/places.h"
#include "tessera/algo/sort/records.h"
#include "tessera/algo/sort/sort_memory.h"

namespace tessera::algo {
namespace sorting {

/// Sorts by merges of records in the order `Before` of the program. What an operator that is no order gives is some
/// permutation of the records.
template <class T, class Values, class Before>
class record_merges final : public merge_steps {
 public:
  using record_array = records<T, Values>;

  record_merges(const record_array& keys, const record_array& spare, const Before& before)
      : keys_(keys), spare_(spare), before_(before) {}

  [[nodiscard]] bool is_sorted(std::int64_t begin, std::int64_t end) const override {
    for (std::int64_t i = begin + 1; i < end; ++i)
      if (before_(keys_.keys[i], keys_.keys[i - 1])) return false;
    return true;
  }

  void sort(std::int64_t begin, std::int64_t end, bool into_spare) const override {
    constexpr std::int64_t few = 16;
    if (end - begin <= few) return insert_all(begin, end, into_spare);
    const std::int64_t middle = begin + (end - begin) / 2;
    sort(begin, middle, !into_spare);
    sort(middle, end, !into_spare);
    merge({begin, middle, end, !into_spare}, 0, end - begin, 0, middle - begin);
  }

  [[nodiscard]] std::int64_t from_first(const neighbours& n, std::int64_t count) const override {
    const T* const first = array(n.in_spare).keys + n.begin;
    const T* const second = array(n.in_spare).keys + n.middle;
    std::int64_t least = std::max<std::int64_t>(0, count - (n.end - n.middle));
    for (std::int64_t most = std::min(count, n.middle - n.begin); least < most;) {
      const std::int64_t tried = least + (most - least) / 2;
      if (before_(second[count - tried - 1], first[tried]))
        most = tried;
      else
        least = tried + 1;
    }
    return least;
  }

  void merge(const neighbours& n, std::int64_t begin, std::int64_t end, std::int64_t first,
             std::int64_t first_end) const override {
    const record_array& from = array(n.in_spare);
    const record_array to = array(!n.in_spare).from(n.begin + begin);
    const range a{n.begin + first, n.begin + first_end};
    const range b{n.middle + begin - first, n.middle + end - first_end};
    if (a.count() == 0 || b.count() == 0 || !before_(from.keys[b.begin], from.keys[a.end - 1])) {
      to.put_all(from.from(a.begin), a.count());
      to.from(a.count()).put_all(from.from(b.begin), b.count());
    } else if (!merge_both_ways(from, a, b, to)) {
      merge_forward(from, a, b, to);
    }
  }

 private:
  struct range {
    std::int64_t begin, end;
    [[nodiscard]] std::int64_t count() const { return end - begin; }
  };
  [[nodiscard]] const record_array& array(bool spare) const { return spare ? spare_ : keys_; }

  void insert_all(std::int64_t begin, std::int64_t end, bool into_spare) const {
    const record_array &from = array(!into_spare), &to = array(into_spare);
    if (!into_spare) from.from(begin).put_all(to.from(begin), end - begin);
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t place = i;
      for (; place > begin && before_(from.keys[i], to.keys[place - 1]); --place) to.put(place, to, place - 1);
      to.put(place, from, i);
    }
  }

  /// Branches do not depend on keys, which cannot be predicted, and steps from the two ends do not wait
  /// for each other. False if the steps contradict each other.
  [[nodiscard]] bool merge_both_ways(const record_array& from, range a, range b, const record_array& to) const {
    std::int64_t place = 0;
    for (std::int64_t steps = std::min(a.count(), b.count()); steps > 0; steps = std::min(a.count(), b.count())) {
      std::int64_t last = place + a.count() + b.count() - 1;
      for (; steps > 0; --steps, ++place, --last) {
        const std::int64_t takes_b = before_(from.keys[b.begin], from.keys[a.begin]) ? 1 : 0;
        const std::int64_t leaves_a = before_(from.keys[b.end - 1], from.keys[a.end - 1]) ? 1 : 0;
        to.put(place, from, a.begin + ((b.begin - a.begin) & -takes_b));
        to.put(last, from, b.end - 1 + ((a.end - b.end) & -leaves_a));
        a.begin += 1 - takes_b;
        b.begin += takes_b;
        a.end -= leaves_a;
        b.end -= 1 - leaves_a;
      }
    }
    if (a.count() < 0 || b.count() < 0) return false;
    to.from(place).put_all(from.from(a.begin), a.count());
    to.from(place + a.count()).put_all(from.from(b.begin), b.count());
    return true;
  }

  void merge_forward(const record_array& from, range a, range b, const record_array& to) const {
    for (std::int64_t place = 0; a.count() + b.count() > 0; ++place) {
      const bool takes_b = a.count() == 0 || (b.count() > 0 && before_(from.keys[b.begin], from.keys[a.begin]));
      to.put(place, from, takes_b ? b.begin++ : a.begin++);
    }
  }

  record_array keys_, spare_;
  const Before& before_;
};

}  // namespace sorting

/// Sorts `count` keys, and values that go with them, in the order of `before(a, b)`, which several threads call:
/// stably, the result in `keys` and `values`, which may be null. Of `memory` only the spare arrays are used.
template <class T, class Before>
void merge_sort(const parallel_runner& run, int threads, T* keys, std::byte* values, std::int64_t value_bytes,
                std::int64_t count, const sort_memory& memory, const Before& before) {
  using namespace sorting;
  T* const spare = reinterpret_cast<T*>(memory.spare_keys);
  if (values == nullptr || value_bytes == 0)
    return sort_by_merges(run, threads, count, record_merges<T, no_values, Before>({keys, {}}, {spare, {}}, before));
  const auto sort = [&](std::byte* with, std::byte* spare_with, std::int64_t bytes) {
    sort_by_merges(run, threads, count,
                   record_merges<T, sized_values, Before>({keys, {with, bytes}}, {spare, {spare_with, bytes}}, before));
  };
  if (!worth_places(sizeof(T), value_bytes, count)) return sort(values, memory.spare_values, value_bytes);
  sort_by_places(run, threads, value_bytes, count, {memory.spare_keys, values, memory.spare_keys, memory.spare_values},
                 [&](std::byte* places, std::byte* spare_places) { sort(places, spare_places, place_bytes); });
}

}  // namespace tessera::algo
