#include "tests/algo/fuzz/run/tested.h"

namespace tessera::fuzz {
namespace {

template <class T>
edge_mode edge_of(const step& s) {
  if (s.n[3] == 0) return none;
  if (s.n[3] == 1) return duplicate;
  return s.n[3] == 2 ? cyclic : pad(small<T>(s.n[2]));
}

/// Calls use(skeleton) with the stencil of M axes that the step means.
template <class T, int M, class Use>
void with_stencil(const step& s, Use use) {
  const int first = static_cast<int>(s.n[0]), other = static_cast<int>(s.n[1]);
  const auto made = [&](auto f) {
    if constexpr (M == 1)
      use(map_overlap<M>(f, {first}).edge(edge_of<T>(s)));
    else if constexpr (M == 2)
      use(map_overlap<M>(f, {first, other}).edge(edge_of<T>(s)));
    else
      use(map_overlap<M>(f, {first, other, other}).edge(edge_of<T>(s)));
  };
  const int form = s.form % 3;
  if (form == 1) return made(far_around<M>());
  if constexpr (std::is_same_v<T, unsigned> && M == 1)
    if (form == 2) return use(map_overlap<1, fuzzed::around1>({first}).edge(edge_of<T>(s)));
  if constexpr (std::is_same_v<T, unsigned> && M == 2)
    if (form == 2) return use(map_overlap<2, fuzzed::around2>({first, other}).edge(edge_of<T>(s)));
  made(around<M>());
}

}  // namespace

template <class T, int N>
void tested::stencil_step(const step& s) {
  const auto run = [&](const auto& skeleton) {
    if (s.fresh)
      get<T, N>(s.slot[0]) = skeleton(part<T, N>(s, 1), small<T>(s.n[2]));
    else
      skeleton.into(part<T, N>(s, 0), part<T, N>(s, 1), small<T>(s.n[2]));
  };
  if constexpr (N == 2)
    if (s.action == verb::overlap_lines)
      return with_stencil<T, 1>(s, [&](auto skeleton) { run(skeleton.along(s.form >= 3 ? columns : rows)); });
  with_stencil<T, N>(s, run);
}

#define TESSERA_STENCILS(type)                                \
  template void tested::stencil_step<type, 1>(const step& s); \
  template void tested::stencil_step<type, 2>(const step& s); \
  template void tested::stencil_step<type, 3>(const step& s);
TESSERA_STENCILS(unsigned)
TESSERA_STENCILS(double)
#undef TESSERA_STENCILS

}  // namespace tessera::fuzz
