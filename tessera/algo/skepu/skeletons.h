#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tessera/algo/skeleton/map.h"
#include "tessera/algo/skeleton/map_overlap.h"
#include "tessera/algo/skeleton/map_pairs.h"
#include "tessera/algo/skepu/containers.h"
#include "tessera/algo/skepu/views.h"

/// SkePU's skeletons with its spellings: an instance is made of a function, set up by `set...` and called with its
/// outputs first. Functions are those of our skeletons (TS_FN, TS_DEVICE, lambdas with `auto`, `ts::plus`); one of a
/// TS_DEVICE block is given as `skepu::function<f>`. Calls return at once unless they return a number.
namespace skepu {

/// A function of a TS_DEVICE block as an argument: `skepu::Map<2>(skepu::function<mult>)`.
template <auto F>
inline constexpr tessera::algo::named_function<F> function{};

// clang-format off
enum class Edge { None, Cyclic, Duplicate, Pad };
enum class Overlap { RowWise, ColWise };
// clang-format on

/// Accepted and without effect: calls run on the devices of the context, and give the same results on all.
struct Backend {
  enum class Type { Auto, CPU, OpenMP, OpenCL, CUDA, Hybrid };
  [[nodiscard]] static Type typeFromString(const std::string&) { return Type::Auto; }
};
struct BackendSpec {
  BackendSpec() = default;
  BackendSpec(Backend::Type) {}       // NOLINT: SkePU's programs convert
  BackendSpec(const std::string&) {}  // NOLINT
  void setDevices(std::size_t) {}
  void setCPUThreads(std::size_t) {}
  void setGPUThreads(std::size_t) {}
  void setGPUBlocks(std::size_t) {}
};
inline void setGlobalBackendSpec(const BackendSpec&) {}

namespace detail {

using tessera::algo::container_like;
using tessera::algo::element_t;
using tessera::algo::iterator_like;

/// What all instances have.
class instance {
 public:
  void setBackend(const BackendSpec&) {}
  void resetBackend() {}
};

template <class F>
constexpr void require_text() {
  static_assert(!std::is_pointer_v<F>,
                "a pointer does not tell the function's text: put the function in TS_DEVICE(...) and give "
                "skepu::function<f>");
}

/// An input as our skeletons take it: an iterator stands for the `count` elements behind it.
template <class A>
[[nodiscard]] decltype(auto) input(const A& given, std::int64_t count) {
  if constexpr (iterator_like<A>) {
    const tessera::algo::operand part = tessera::algo::operand_of(given, given + count);
    return tessera::container_part<std::remove_const_t<element_t<A>>, 1>(part.elements, part.part);
  } else {
    (void)count;
    return (given);
  }
}

/// Calls `use(output, inputs...)`; a pair of iterators in front is the output.
template <class Use, class Out, class... Args>
void with_output(const Use& use, const Out& out, const Args&... args) {
  if constexpr (iterator_like<Out>) {
    [&]<class... Rest>(const Out& end, const Rest&... rest) {
      const std::int64_t count = end - out;
      use(input(out, count), input(rest, count)...);
    }(args...);
  } else {
    use(out, input(args, out.size())...);
  }
}

template <class F>
class MapInstance : public instance {
 public:
  explicit MapInstance(F f) : f_(std::move(f)) { require_text<F>(); }
  template <class Out, class... Args>
  const Out& operator()(const Out& out, const Args&... args) const {
    with_output([&](const auto&... all) { tessera::map(f_).into(all...); }, out, args...);
    return out;
  }

 private:
  F f_;
};

template <class F>
class MapPairsInstance : public instance {
 public:
  explicit MapPairsInstance(F f) : f_(std::move(f)) { require_text<F>(); }
  template <class Out, class... Args>
  const Out& operator()(const Out& out, const Args&... args) const {
    tessera::map_pairs(f_).into(out, args...);
    return out;
  }

 private:
  F f_;
};

template <class F, class G>
class MapPairsReduceInstance : public instance {
 public:
  MapPairsReduceInstance(F f, G combine) : f_(std::move(f)), combine_(std::move(combine)) { require_text<F>(); }
  template <class Out, class... Args>
  const Out& operator()(const Out& out, const Args&... args) const {
    tessera::map_pairs_reduce(f_, combine_).into(out, args...);
    return out;
  }

 private:
  F f_;
  G combine_;
};

/// How many axes the neighbourhood has that a function takes.
template <class T>
inline constexpr int region_axes = 0;
template <class T, int N>
inline constexpr int region_axes<tessera::region<T, N>> = N;
template <class Signature>
inline constexpr int axes_in = 0;
template <class R, class... A>
inline constexpr int axes_in<tessera::algo::call_signature<R, A...>> = (region_axes<std::remove_cvref_t<A>> + ... + 0);

template <class F>
class MapOverlapInstance : public instance {
  static constexpr int axes = axes_in<typename tessera::algo::own_signature<F>::type>;

 public:
  explicit MapOverlapInstance(F f) : f_(std::move(f)) {
    require_text<F>();
    static_assert(axes > 0, "a function of MapOverlap takes one skepu::Region1D to Region4D");
  }
  /// One radius per axis, or one for all.
  template <class... R>
  void setOverlap(R... radius) {
    static_assert(sizeof...(R) == axes || sizeof...(R) == 1, "setOverlap takes one radius per axis");
    radius_.fill(0);
    std::size_t at = 0;
    ((radius_[at++] = static_cast<int>(radius)), ...);
    if constexpr (sizeof...(R) == 1) radius_.fill(radius_[0]);
  }
  void setOverlapMode(Overlap mode) { mode_ = mode; }
  void setEdgeMode(Edge edge) { edge_ = edge; }
  template <class T>
  void setPad(const T& value) {
    pad_ = tessera::pad(value);
  }
  template <class Out, class In, class... Args>
  const Out& operator()(const Out& out, const In& in, const Args&... args) const {
    made<In>(std::make_index_sequence<axes>()).into(out, in, args...);
    return out;
  }

 private:
  template <class In, std::size_t... K>
  [[nodiscard]] auto made(std::index_sequence<K...>) const {
    auto stencil = tessera::map_overlap<axes>(f_, {radius_[K]...});
    stencil.edge(edge_ == Edge::Pad         ? pad_
                 : edge_ == Edge::Cyclic    ? tessera::cyclic
                 : edge_ == Edge::Duplicate ? tessera::duplicate
                                            : tessera::none);
    if constexpr (axes == 1 && In::axes == 2)
      stencil.along(mode_ == Overlap::RowWise ? tessera::rows : tessera::columns);
    return stencil;
  }

  F f_;
  std::array<int, static_cast<std::size_t>(axes > 0 ? axes : 1)> radius_{};
  Overlap mode_ = Overlap::RowWise;
  Edge edge_ = Edge::Duplicate;
  tessera::edge_mode pad_ = tessera::pad(0);
};

/// A container as a function of `Call` sees it; other arguments as they are.
template <class A>
[[nodiscard]] decltype(auto) host_view(const A& given) {
  if constexpr (container_like<A>)
    return given.host(tessera::readwrite);
  else
    return (given);
}
template <class T, int N>
[[nodiscard]] std::span<T> passed(const tessera::host_guard<T, N>& guard) {
  return guard;
}
template <class A>
[[nodiscard]] const A& passed(const A& given) {
  return given;
}

template <class F>
class CallInstance : public instance {
 public:
  explicit CallInstance(F f) : f_(std::move(f)) {}
  template <class... Args>
  void operator()(const Args&... args) const {
    const std::tuple<decltype(host_view(args))...> views(host_view(args)...);
    std::apply([&](const auto&... each) { f_(passed(each)...); }, views);
  }

 private:
  F f_;
};

}  // namespace detail

/// `Map<2>(f)(out, x, y, 3.0f)`. The number of arguments that are elements may be left out.
template <int Arity = -1, class F>
[[nodiscard]] detail::MapInstance<F> Map(F f) {
  return detail::MapInstance<F>(std::move(f));
}
/// `MapPairs(f)(matrix, v, w)`, of two vectors.
template <int V = 1, int H = 1, class F>
[[nodiscard]] detail::MapPairsInstance<F> MapPairs(F f) {
  static_assert(V == 1 && H == 1, "MapPairs takes one vector for the rows and one for the columns");
  return detail::MapPairsInstance<F>(std::move(f));
}
/// `MapPairsReduce(f, g)(rows, v, w)`: each row of the pairs combined.
template <int V = 1, int H = 1, class F, class G>
[[nodiscard]] detail::MapPairsReduceInstance<F, G> MapPairsReduce(F f, G combine) {
  static_assert(V == 1 && H == 1, "MapPairsReduce takes one vector for the rows and one for the columns");
  return {std::move(f), std::move(combine)};
}
/// `MapOverlap(f)`, then `setOverlap`, `setEdgeMode`, `setPad` and calls `(out, in, ...)`.
template <class F>
[[nodiscard]] detail::MapOverlapInstance<F> MapOverlap(F f) {
  return detail::MapOverlapInstance<F>(std::move(f));
}
/// One call of `f` on the host: containers are given as `std::span`s that may be changed. Kernels are launched by
/// `ts::call`.
template <class F>
[[nodiscard]] detail::CallInstance<F> Call(F f) {
  return detail::CallInstance<F>(std::move(f));
}

}  // namespace skepu
