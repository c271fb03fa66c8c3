#include <algorithm>
#include <numeric>

#include "tests/algo/fuzz/program/functions.h"
#include "tests/algo/fuzz/reference/reference.h"

namespace tessera::fuzz {
namespace {

/// The first elements of runs of elements that are alike.
template <class T>
std::vector<T> without_repetition(const std::vector<T>& all) {
  std::vector<T> kept;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (k == 0 || !likeness<T>()(all[k - 1], all[k])) kept.push_back(all[k]);
  return kept;
}

template <class T>
void sort(std::vector<T>& all, std::int64_t order) {
  with_order<T>(order, [&](const auto& before) { std::stable_sort(all.begin(), all.end(), before); });
}

}  // namespace

template <class T>
void reference::reorder(const step& s, observation& seen) {
  std::vector<T> all = part_of<T, 1>(s, 0);
  const auto holds = condition<T>(s.n[2]);
  if (s.action == verb::sort_elements) sort(all, s.n[3]);
  if (s.action == verb::part_elements) seen.add(std::stable_partition(all.begin(), all.end(), holds) - all.begin());
  if (s.action == verb::turn_round && !all.empty()) {
    const std::int64_t n = std::ssize(all), by = s.n[1] % (n + 1);
    if (s.form == 0) std::reverse(all.begin(), all.end());
    if (s.form == 1) std::rotate(all.begin(), all.begin() + by, all.end());
    if (s.form > 1) {
      std::vector<T> shifted(all.size(), T{});
      for (std::int64_t k = 0; k < n; ++k) {
        const std::int64_t from = s.form == 2 ? k + by : k - by;
        if (from >= 0 && from < n) shifted[static_cast<std::size_t>(k)] = all[static_cast<std::size_t>(from)];
      }
      all = shifted;
    }
  }
  if (s.action == verb::scatter_all) {
    const std::vector<T> values = part_of<T, 1>(s, 1);
    const moved_place place{s.n[1], std::ssize(values)};
    for (std::size_t k = 0; k < values.size(); ++k)
      all[static_cast<std::size_t>(place(static_cast<std::int64_t>(k)))] = values[k];
  }
  if (s.action == verb::sort_keys) {
    const std::vector<unsigned> keys = part_of<unsigned, 1>(s, 1);
    std::vector<std::size_t> places(keys.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    with_order<unsigned>(s.n[3], [&](const auto& before) {
      std::stable_sort(places.begin(), places.end(),
                       [&](std::size_t a, std::size_t b) { return before(keys[a], keys[b]); });
    });
    std::vector<unsigned> sorted;
    std::vector<T> values;
    for (const std::size_t k : places) sorted.push_back(keys[k]), values.push_back(all[k]);
    put_elements(get<unsigned, 1>(s.slot[1]), s.part[1], sorted);
    all = values;
  }
  put_elements(get<T, 1>(s.slot[0]), s.part[0], all);
}

template <class T>
std::vector<T> reference::made_by_algorithm(const step& s) {
  std::vector<T> x, made;
  if (s.action == verb::gather_some) {
    x = part_of<T, 1>(s, 2);
    for (const unsigned at : part_of<unsigned, 1>(s, 1)) made.push_back(x[at % x.size()]);
    return made;
  }
  if (s.action == verb::gather_again) {
    x = part_of<T, 1>(s, 2);
    std::vector<unsigned> map = part_of<unsigned, 1>(s, 1);
    for (unsigned& at : map) at %= static_cast<unsigned>(x.size());
    const bool is_second = s.n[2] % 4 != 0;
    if (is_second && s.form == 1)
      for (unsigned& at : map) at = next_place{static_cast<unsigned>(x.size())}(at);
    if (is_second && s.form == 2 && !map.empty()) map.back() = 0;
    if (is_second && s.form == 3) std::rotate(x.begin(), x.begin() + 1, x.end());
    for (const unsigned at : map) made.push_back(x[at]);
    return made;
  }
  x = part_of<T, 1>(s, s.action == verb::scan_keys ? 2 : 1);
  const auto holds = condition<T>(s.n[2]);
  if (s.action == verb::copy_some) std::copy_if(x.begin(), x.end(), std::back_inserter(made), holds);
  if (s.action == verb::take_top) {
    sort(x, s.n[3]);
    x.resize(std::min(x.size(), static_cast<std::size_t>(s.n[1])));
    return x;
  }
  if (s.action == verb::merge_sorted) {
    std::vector<T> y = part_of<T, 1>(s, 2);
    sort(x, s.n[3]);
    sort(y, s.n[3]);
    with_order<T>(s.n[3], [&](const auto& before) {
      std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(made), before);
    });
  }
  if (s.action == verb::unite) {
    std::vector<T> y = part_of<T, 1>(s, 2);
    sort(x, s.n[3]);
    sort(y, s.n[3]);
    with_order<T>(s.n[3], [&](const auto& before) {
      const auto by = [&](auto operation) {
        operation(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(made), before);
      };
      if (s.form == 0) by([](auto... all) { std::set_intersection(all...); });
      if (s.form == 1) by([](auto... all) { std::set_difference(all...); });
      if (s.form == 2) by([](auto... all) { std::set_union(all...); });
      if (s.form == 3) by([](auto... all) { std::set_symmetric_difference(all...); });
    });
  }
  if constexpr (!std::is_same_v<T, cell>) {
    if (s.action == verb::sum_segments) {
      const std::vector<std::int64_t> at = segment_offsets(std::ssize(x), 1 + s.n[1] % 20, s.n[2]);
      for (std::size_t k = 0; k + 1 < at.size(); ++k)
        made.push_back(std::accumulate(x.begin() + at[k], x.begin() + at[k + 1], small<T>(s.n[2])));
    }
    if (s.action == verb::scan_keys) {
      const std::vector<unsigned> keys = part_of<unsigned, 1>(s, 1);
      T sum{};
      for (std::size_t k = 0; k < x.size(); ++k) {
        const bool head = k == 0 || !same_tail()(keys[k - 1], keys[k]);
        if (s.form == 1) {
          if (head) sum = small<T>(s.n[2]);
          made.push_back(sum);
          sum = combined(s.n[3], sum, x[k]);
        } else {
          sum = head ? x[k] : combined(s.n[3], sum, x[k]);
          made.push_back(sum);
        }
      }
    }
  }
  return made;
}

void reference::reduced_keys(const step& s) {
  std::vector<unsigned> keys;
  std::vector<double> sums;
  unsigned last = 0;
  for (const unsigned x : part_of<unsigned, 1>(s, 2)) {
    if (keys.empty() || !same_tail()(last, x)) keys.push_back(x), sums.push_back(0);
    sums.back() += as_real()(x);
    last = x;
  }
  get<unsigned, 1>(s.slot[0]).set(keys);
  get<double, 1>(s.slot[1]).set(sums);
}

template <class T>
void reference::found(const step& s, observation& seen) {
  std::vector<T> x = part_of<T, 1>(s, 1);
  sort(x, s.n[3]);
  with_order<T>(s.n[3], [&](const auto& before) {
    for (const T& q : part_of<T, 1>(s, 2))
      seen.add(s.form == 0   ? std::int64_t{std::lower_bound(x.begin(), x.end(), q, before) - x.begin()}
               : s.form == 1 ? std::int64_t{std::upper_bound(x.begin(), x.end(), q, before) - x.begin()}
                             : std::int64_t{std::binary_search(x.begin(), x.end(), q, before)});
  });
}

template <class T>
void reference::algorithm(const step& s, observation& seen) {
  plain<T, 1>& a = get<T, 1>(s.slot[0]);
  const auto holds = condition<T>(s.n[2]);
  if (s.action == verb::reduce_keys) return reduced_keys(s);
  if (s.action == verb::rest_evenly) return;
  if (s.action == verb::find_places) return found<T>(s, seen);
  if (s.action == verb::remove_some) {
    std::vector<T> kept = a.elements;
    seen.add(static_cast<std::int64_t>(std::erase_if(kept, holds)));
    return a.set(kept);
  }
  if (s.action == verb::keep_unique) {
    std::vector<T> kept = without_repetition(a.elements);
    seen.add(std::ssize(a.elements) - std::ssize(kept));
    return a.set(kept);
  }
  if (s.action == verb::count_some || s.action == verb::find_some) {
    const std::vector<T> x = part_of<T, 1>(s, 0);
    return s.action == verb::count_some ? seen.add(std::int64_t{std::count_if(x.begin(), x.end(), holds)})
                                        : seen.add(std::int64_t{std::find_if(x.begin(), x.end(), holds) - x.begin()});
  }
  if (!s.fresh) return reorder<T>(s, seen);
  a.set(made_by_algorithm<T>(s));
}

template void reference::algorithm<unsigned>(const step&, observation&);
template void reference::algorithm<double>(const step&, observation&);
template void reference::algorithm<cell>(const step&, observation&);

}  // namespace tessera::fuzz
