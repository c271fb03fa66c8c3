#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tessera/algo/algorithm/gather.h"
#include "tessera/algo/algorithm/range.h"
#include "tessera/algo/thrust/function.h"
#include "tessera/algo/thrust/iterator/facade.h"
#include "tessera/algo/view/views.h"

/// Pairs of iterators as ranges of ours, and what an algorithm writes through any iterator.
namespace thrust::detail {

template <class I>
lazy<value_t<I>> elements_from(const I& first, std::int64_t count, call_site here) {
  using T = value_t<I>;
  if constexpr (algo::iterator_like<I>) {
    return algo::between(first, first + count, here);
  } else if constexpr (is_reverse<I>) {
    static_assert(is_of_devices<I>, "elements of the host in reverse: copy them first");
    return lazy<T>(algo::reversed(elements_from(first.base() - count, count, here).elements()));
  } else if constexpr (computed_iterator<I>) {
    return first.elements(count, here);
  } else {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(count));
    I at = first;
    for (std::int64_t k = 0; k < count; ++k, ++at) values.push_back(*at);
    return lazy<T>(algo::sequence_of(tessera::vector<T>(std::move(values)), here));
  }
}
/// The elements between two iterators.
template <class I, class J>
[[nodiscard]] lazy<value_t<I>> range(const I& first, const J& last, call_site here) {
  return elements_from(first, distance_between(first, last), here);
}
/// Those for algorithms that store what is computed: the container's own where one is.
template <class I, class J>
[[nodiscard]] auto stored_range(const I& first, const J& last, call_site here) {
  if constexpr (algo::iterator_like<I>)
    return algo::range_from(first, last - first);
  else
    return range(first, last, here);
}

template <class I, class P>
lazy<value_t<I>> elements_at(const I& first, const lazy<P>& places, call_site here) {
  if constexpr (algo::iterator_like<I>)
    return tessera::views::permuted(algo::range_behind(first), places, here);
  else
    return first.at(places, here);
}

/// `f` of the elements of ranges.
template <class F, class... T>
[[nodiscard]] auto mapped(const F& f, call_site here, const lazy<T>&... all) {
  return lazy<result_t<F, T...>>(algo::applied_to<T...>(function_of(f), {all.elements()...}, here));
}
template <class T>
[[nodiscard]] lazy<T> repeated(const T& value, std::int64_t count, call_site here) {
  return tessera::views::constant(value, count, here);
}
/// Elements as ones of type T.
template <class T, class V>
[[nodiscard]] lazy<T> converted(const lazy<V>& all, call_site here) {
  if constexpr (std::is_same_v<T, V>)
    return all;
  else
    return lazy<T>(
        algo::applied_by<T, V>("tessera::algo::as_type", {algo::type_name<T>()}, {all.elements()}, here));
}

template <class O, class V>
O write(const O& out, const lazy<V>& values, call_site here) {
  if constexpr (algo::iterator_like<O>) {
    algo::store_as<V>(values.elements(), out, here);
    return out + values.size();
  } else if constexpr (is_reverse<O> && is_of_devices<O>) {
    write(out.base() - values.size(), lazy<V>(algo::reversed(values.elements())), here);
    return out + values.size();
  } else if constexpr (taking_iterator<O>) {
    out.write(values, here);
    return out + values.size();
  } else {
    static_assert(!is_of_devices<O>, "nothing can be written through this iterator");
    const std::vector<V> all = values.to_host(here);
    return std::copy(all.begin(), all.end(), out);
  }
}

/// Where an algorithm writes elements of type V, at most `room` of them: the output itself where a container stands
/// behind it, else memory that is written through it in the end.
template <class V, class O>
class target {
 public:
  target(const O& out, std::int64_t room, const tessera::context& ctx) : out_(out) {
    if constexpr (!is_direct) kept_ = algo::new_output<V, 1>({room}, ctx);
  }
  [[nodiscard]] auto begin() {
    if constexpr (is_direct)
      return out_;
    else
      return kept_->begin();
  }
  /// The iterator behind what is written.
  [[nodiscard]] O finish(std::int64_t count, call_site here) {
    if constexpr (is_direct)
      return out_ + count;
    else
      return detail::write(out_, algo::between(kept_->begin(), kept_->begin() + count, here), here);
  }
  template <class I>
  [[nodiscard]] O finish(const I& end, call_site here) {
    return finish(static_cast<std::int64_t>(end - begin()), here);
  }

 private:
  static constexpr bool is_direct = algo::iterator_like<O>;
  O out_;
  std::optional<tessera::vector<V>> kept_;
};

/// What `use` writes from an iterator of a container on, at most `room` elements of type V, written through `out`. `use`
/// returns the iterator behind them, or nothing if it writes all.
template <class V, class O, class Use>
O through(const O& out, std::int64_t room, const tessera::context& ctx, call_site here, const Use& use) {
  target<V, O> to(out, room, ctx);
  if constexpr (std::is_void_v<decltype(use(to.begin()))>) {
    use(to.begin());
    return to.finish(room, here);
  } else {
    return to.finish(use(to.begin()), here);
  }
}
/// That of two outputs: `use` returns a pair of iterators.
template <class V, class W, class A, class B, class Use>
pair<A, B> through_both(const A& a, const B& b, std::int64_t room, const tessera::context& ctx, call_site here,
                        const Use& use) {
  target<V, A> to_a(a, room, ctx);
  target<W, B> to_b(b, room, ctx);
  const auto ends = use(to_a.begin(), to_b.begin());
  const A end = to_a.finish(ends.first, here);
  return pair<A, B>(end, to_b.finish(ends.second, here));
}

/// The elements of a new vector written through an output.
template <class V, class O>
O written(const tessera::vector<V>& made, const O& out, call_site here) {
  return write(out, algo::between(made.begin(), made.end(), here), here);
}
template <class V, class W, class A, class B>
pair<A, B> written_both(const tessera::vector<V>& first, const tessera::vector<W>& second, const A& a, const B& b,
                        call_site here) {
  const A end = written(first, a, here);
  return pair<A, B>(end, written(second, b, here));
}

/// Calls `change(first, last)` with iterators of a container, which have the elements and are written back where the
/// given ones are of none. `change` returns an iterator or nothing.
template <class I, class J, class Change>
auto in_place(const I& first, const J& last, call_site here, const Change& change) {
  if constexpr (algo::iterator_like<I>) {
    return change(first, first + (last - first));
  } else {
    tessera::vector<value_t<I>> kept = range(first, last, here).stored();
    const auto give_back = [&] { write(first, algo::between(kept.begin(), kept.end(), here), here); };
    if constexpr (std::is_void_v<decltype(change(kept.begin(), kept.end()))>) {
      change(kept.begin(), kept.end());
      give_back();
    } else {
      const std::int64_t place = change(kept.begin(), kept.end()) - kept.begin();
      give_back();
      return std::next(first, place);
    }
  }
}

template <class T>
[[nodiscard]] tessera::context context_of(const lazy<T>& all) {
  return all.elements().ctx();
}

}  // namespace thrust::detail
