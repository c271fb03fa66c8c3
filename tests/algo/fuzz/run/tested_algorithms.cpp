#include "tests/algo/fuzz/run/tested.h"

namespace tessera::fuzz {
namespace {

template <class C>
auto sorted(const C& part, std::int64_t order) {
  using T = typename C::value_type;
  vector<T> copy = lazy<T>(algo::sequence_of(part, call_site::current())).stored();
  with_order<T>(order, [&](const auto& before) { sort(copy, before); });
  return copy;
}

/// Two gathers by one map, between which the map or the source changes; what one of them gives.
template <class P, class C>
auto gathered_twice(const P& places, const C& from, const step& s) {
  using T = typename C::value_type;
  const auto here = call_site::current();
  const auto count = static_cast<unsigned>(from.size());
  vector<unsigned> map =
      lazy<unsigned>(algo::sequence_of(places | views::transform(wrapped_place{count}), here)).stored();
  vector<T> source = lazy<T>(algo::sequence_of(from, here)).stored();
  vector<T> first = gather(map, source);
  if (s.form == 1) transform(map, map, next_place{count});
  if (s.form == 2 && map.size() > 0) map[map.size() - 1] = 0;
  if (s.form == 3) rotate(source, 1);
  vector<T> second = gather(map, source);
  return s.n[2] % 4 != 0 ? second : first;
}

}  // namespace

template <class T>
void tested::algorithm_result(const step& s) {
  vector<T>& a = get<T, 1>(s.slot[0]);
  if (s.action == verb::gather_some) {
    const auto from = part<T, 1>(s, 2);
    const wrapped_place place{static_cast<unsigned>(from.size())};
    a = gather(part<unsigned, 1>(s, 1) | views::transform(place), from);
    return;
  }
  if (s.action == verb::gather_again) {
    a = gathered_twice(part<unsigned, 1>(s, 1), part<T, 1>(s, 2), s);
    return;
  }
  const auto x = part<T, 1>(s, s.action == verb::scan_keys ? 2 : 1);
  if (s.action == verb::copy_some) a = copy_if(x, condition<T>(s.n[2]));
  if (s.action == verb::take_top)
    a = with_order<T>(s.n[3], [&](const auto& before) { return top_k(x, s.n[1], before); });
  if (s.action == verb::unite) {
    const vector<T> left = sorted(x, s.n[3]), right = sorted(part<T, 1>(s, 2), s.n[3]);
    a = with_order<T>(s.n[3], [&](const auto& before) {
      return s.form == 0   ? set_intersection(left, right, before)
             : s.form == 1 ? set_difference(left, right, before)
             : s.form == 2 ? set_union(left, right, before)
                           : set_symmetric_difference(left, right, before);
    });
  }
  if (s.action == verb::merge_sorted) {
    const vector<T> left = sorted(x, s.n[3]), right = sorted(part<T, 1>(s, 2), s.n[3]);
    a = with_order<T>(s.n[3], [&](const auto& before) { return merge(left, right, before); });
  }
  if constexpr (!std::is_same_v<T, cell>) {
    if (s.action == verb::sum_segments)
      a = segmented_reduce(x, segment_offsets(x.size(), 1 + s.n[1] % 20, s.n[2]), small<T>(s.n[2]));
    if (s.action == verb::scan_keys) {
      const auto keys = part<unsigned, 1>(s, 1);
      const auto scan_by = [&](const auto& combine) {
        a = s.form == 1 ? exclusive_scan_by_key(keys, x, small<T>(s.n[2]), same_tail(), combine)
                        : inclusive_scan_by_key(keys, x, same_tail(), combine);
      };
      if (s.n[3] == 1)
        scan_by(maximum());
      else if (s.n[3] == 2)
        scan_by(minimum());
      else
        scan_by(plus());
    }
  }
}

template <class T>
void tested::turn_round(const step& s) {
  const auto x = part<T, 1>(s, 0);
  if (x.size() == 0) return;
  const std::int64_t by = s.n[1] % (x.size() + 1);
  if (s.form == 0)
    reverse(x);
  else if (s.form == 1)
    rotate(x, by);
  else
    shift(x, s.form == 2 ? by : -by);
}

template <class T>
void tested::found(const step& s, observation& seen) {
  const vector<T> x = sorted(part<T, 1>(s, 1), s.n[3]);
  const auto queries = part<T, 1>(s, 2);
  with_order<T>(s.n[3], [&](const auto& before) {
    if (s.form == 2)
      for (const bool is : binary_search(x, queries, before).to_host()) seen.add(std::int64_t{is});
    else
      seen.add((s.form == 0 ? lower_bound(x, queries, before) : upper_bound(x, queries, before)).to_host());
  });
}

template <class T>
void tested::algorithm_step(const step& s, observation& seen) {
  vector<T>& a = get<T, 1>(s.slot[0]);
  const auto holds = condition<T>(s.n[2]);
  switch (s.action) {
    case verb::sort_elements:
      return with_order<T>(s.n[3], [&](const auto& before) {
        if (s.form == 0)
          sort(part<T, 1>(s, 0), before);
        else
          sort(a.begin() + s.part[0].lo[0], a.begin() + s.part[0].hi[0], before);
      });
    case verb::sort_keys:
      return with_order<unsigned>(
          s.n[3], [&](const auto& before) { sort_by_key(part<unsigned, 1>(s, 1), part<T, 1>(s, 0), before); });
    case verb::turn_round:
      return turn_round<T>(s);
    case verb::scatter_all: {
      const auto x = part<T, 1>(s, 1);
      const moved_place place{s.n[1], x.size()};
      return scatter(x, views::counting(std::int64_t{0}, x.size()) | views::transform(place), part<T, 1>(s, 0));
    }
    case verb::find_places:
      return found<T>(s, seen);
    case verb::rest_evenly:
      return rebalance(a);
    case verb::part_elements:
      return seen.add(stable_partition(part<T, 1>(s, 0), holds));
    case verb::remove_some:
      return seen.add(remove_if(a, holds).get());
    case verb::keep_unique:
      return seen.add(unique(a, likeness<T>()).get());
    case verb::count_some:
      return seen.add(count_if(part<T, 1>(s, 0), holds).get());
    case verb::find_some:
      return seen.add(find_if(part<T, 1>(s, 0), holds));
    case verb::reduce_keys: {
      const auto keys = part<unsigned, 1>(s, 2);
      std::tie(get<unsigned, 1>(s.slot[0]), get<double, 1>(s.slot[1])) =
          reduce_by_key(keys, keys | views::transform(as_real()), same_tail(), plus());
      return;
    }
    default:
      return algorithm_result<T>(s);
  }
}

template void tested::algorithm_step<unsigned>(const step&, observation&);
template void tested::algorithm_step<double>(const step&, observation&);
template void tested::algorithm_step<cell>(const step&, observation&);

}  // namespace tessera::fuzz
