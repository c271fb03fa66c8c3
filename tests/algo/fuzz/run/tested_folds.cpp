#include "tests/algo/fuzz/run/tested.h"

namespace tessera::fuzz {
namespace {

/// Calls use(operator) with the operator of the library that a number stands for.
template <class Use>
auto with_operator(std::int64_t combination, Use use) {
  if (combination == 1) return use(maximum());
  if (combination == 2) return use(minimum());
  return use(plus());
}

}  // namespace

template <class T>
void tested::scan_step(const step& s) {
  vector<T>& a = get<T, 1>(s.slot[0]);
  const auto x = part<T, 1>(s, 1);
  const auto scan_by = [&](const auto& combine) {
    if (s.form == 1)
      a = exclusive_scan(x, value_of<T>(s.n[2]), combine);
    else if (s.fresh)
      a = inclusive_scan(x, combine);
    else
      inclusive_scan_into(part<T, 1>(s, 0), x, combine);
  };
  if constexpr (std::is_same_v<T, cell>)
    scan_by(fuzzed::chained{uniform(s.n[2])});
  else
    with_operator(s.n[3], scan_by);
}

template <class T, int N>
void tested::reduce_step(const step& s, observation& seen) {
  if constexpr (N == 1)
    if (s.action == verb::scan) return scan_step<T>(s);
  if constexpr (std::is_same_v<T, cell>) {
    seen.add(reduce(part<T, N>(s, 0), fuzzed::joined()).get());
  } else {
    if (s.action == verb::reduce_all)
      return seen.add(
          with_operator(s.n[3], [&](const auto& combine) { return reduce(part<T, N>(s, 0), combine).get(); }));
    if constexpr (std::is_same_v<T, unsigned>)
      if (s.action == verb::reduce_wide) return seen.add(reduce<double>(part<T, N>(s, 0)).get());
    if (s.action == verb::map_reduce)
      return seen.add(with_operator(s.n[3], [&](const auto& combine) {
        return map_reduce(scaled_difference(), combine)(part<T, N>(s, 0), part<T, N>(s, 1)).get();
      }));
    if constexpr (N == 1) {
      if (s.action == verb::pairs_reduce)
        get<T, 1>(s.slot[0]) = with_operator(s.n[3], [&](const auto& combine) {
          return map_pairs_reduce(difference<T>{small<T>(s.n[2])}, combine)(part<T, 1>(s, 1), part<T, 1>(s, 2));
        });
      else
        get<T, 1>(s.slot[0]) = with_operator(s.n[3], [&](const auto& combine) {
          const auto m = part<T, 2>(s, 1);
          return s.form == 0 ? tessera::reduce_rows(m, combine) : tessera::reduce_columns(m, combine);
        });
    }
  }
}

#define TESSERA_FOLDS(type)                                                     \
  template void tested::reduce_step<type, 1>(const step& s, observation& seen); \
  template void tested::reduce_step<type, 2>(const step& s, observation& seen); \
  template void tested::reduce_step<type, 3>(const step& s, observation& seen);
TESSERA_FOLDS(unsigned)
TESSERA_FOLDS(double)
TESSERA_FOLDS(cell)
#undef TESSERA_FOLDS

}  // namespace tessera::fuzz
