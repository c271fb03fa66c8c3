#include <algorithm>

#include "tests/algo/fuzz/program/functions.h"
#include "tests/algo/fuzz/reference/reference.h"

namespace tessera::fuzz {
namespace {

/// The neighbours of elements of a part, along `axes`, as a region sees them.
template <class T, int N, int M>
class neighbourhood {
 public:
  neighbourhood(plain<T, N>& all, const step& s, const std::array<int, M>& axes)
      : all_(all), part_(s.part[1]), axes_(axes), edge_(s.n[3]), padding_(small<T>(s.n[2])) {
    radius_.fill(s.n[1]);
    radius_[0] = s.n[0];
  }

  /// True if every neighbour of `at`, which counts from the beginning of the part, exists.
  [[nodiscard]] bool is_complete(const extents& at) const {
    for (std::size_t k = 0; k < M; ++k)
      if (at[axes_[k]] < radius_[k] || at[axes_[k]] >= part_.extent(axes_[k]) - radius_[k]) return false;
    return true;
  }
  /// Valid until the next call.
  region<T, M> of(const extents& at) {
    box reach{extents::uniform(M, 0), extents::uniform(M, 1)};
    for (int k = 0; k < M; ++k) {
      reach.lo[k] = -radius_[static_cast<std::size_t>(k)];
      reach.hi[k] = radius_[static_cast<std::size_t>(k)] + 1;
    }
    copies_.clear();
    for_each_index(reach, [&](const extents& offset) { copies_.push_back(neighbour(at, offset)); });
    const extents strides = dense_strides(reach.shape(), 1);
    region<T, M> made{};
    std::int64_t centre = 0;
    for (int k = 0; k < M; ++k) {
      made.strides[k] = strides[k];
      centre -= reach.lo[k] * strides[k];
    }
    made.elements = copies_.data();
    made.at = centre;
    return made;
  }

 private:
  T neighbour(const extents& at, const extents& offset) {
    extents index = moved(at, extents::uniform(N, 0), part_.lo);
    for (int k = 0; k < M; ++k) {
      const int axis = axes_[static_cast<std::size_t>(k)];
      const std::int64_t n = part_.extent(axis);
      std::int64_t x = at[axis] + offset[k];
      if ((x < 0 || x >= n) && edge_ == 3) return padding_;
      if (x < 0 || x >= n) x = edge_ == 2 ? (x % n + n) % n : std::clamp<std::int64_t>(x, 0, n - 1);
      index[axis] = part_.lo[axis] + x;
    }
    return all_.at(index);
  }

  plain<T, N>& all_;
  box part_;
  std::array<int, M> axes_;
  std::array<std::int64_t, M> radius_{};
  std::int64_t edge_;
  T padding_;
  std::vector<T> copies_;
};

template <class T, int M>
T around_element(const region<T, M>& c, const extents& at, const step& s) {
  const T k = small<T>(s.n[2]);
  const int form = s.form % 3;
  if (form == 1) return far_around<M>()(c, k);
  if constexpr (std::is_same_v<T, unsigned> && M == 1)
    if (form == 2) return fuzzed::around1(c, k);
  if constexpr (std::is_same_v<T, unsigned> && M == 2)
    if (form == 2) return fuzzed::around2({at[0], at[1]}, c, k);
  return around<M>()(c, k);
}

template <class T, int N, int M>
std::vector<T> stencil_along(plain<T, N>& in, std::vector<T> result, const step& s, const std::array<int, M>& axes) {
  neighbourhood<T, N, M> near(in, s, axes);
  std::size_t k = 0;
  for_each_index(box::whole(s.part[1].shape()), [&](const extents& at) {
    if (s.n[3] != 0 || near.is_complete(at)) result[k] = around_element<T, M>(near.of(at), at, s);
    ++k;
  });
  return result;
}

}  // namespace

template <class T, int N>
std::vector<T> reference::stencil(const step& s) {
  std::vector<T> before(static_cast<std::size_t>(s.part[1].volume()));
  if (!s.fresh) before = part_of<T, N>(s, 0);
  plain<T, N>& in = get<T, N>(s.slot[1]);
  if constexpr (N == 2)
    if (s.action == verb::overlap_lines) return stencil_along<T, N, 1>(in, before, s, {s.form >= 3 ? 0 : 1});
  std::array<int, N> axes{};
  for (int k = 0; k < N; ++k) axes[static_cast<std::size_t>(k)] = k;
  return stencil_along<T, N, N>(in, before, s, axes);
}

#define TESSERA_STENCILS(type)                                           \
  template std::vector<type> reference::stencil<type, 1>(const step& s); \
  template std::vector<type> reference::stencil<type, 2>(const step& s); \
  template std::vector<type> reference::stencil<type, 3>(const step& s);
TESSERA_STENCILS(unsigned)
TESSERA_STENCILS(double)
#undef TESSERA_STENCILS

}  // namespace tessera::fuzz
