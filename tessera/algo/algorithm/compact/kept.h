#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "tessera/algo/algorithm/range.h"
#include "tessera/algo/exec/emit/emission.h"
#include "tessera/algo/view/views.h"

/// What algorithms that keep some elements of a range have in common.
namespace tessera::algo {

/// A range with elements of types `T`, those of one range or of several zipped ones.
template <class... T>
struct elements_of {
  std::vector<sequence> all;

  [[nodiscard]] context ctx() const { return context_of_all(all); }
  /// What `f` gives for each element.
  template <class F>
  [[nodiscard]] sequence mapped(const F& f, call_site here) const {
    return applied_to<T...>(f, all, here);
  }
};
template <range_like R>
[[nodiscard]] elements_of<element_t<R>> elements_in(const R& range, call_site here) {
  return {{sequence_of(range, here)}};
}
template <class... T>
[[nodiscard]] elements_of<T...> elements_in(const zipped<T...>& ranges, call_site) {
  return {ranges.all};
}

/// The elements that are kept, in a new vector, or in one per zipped range.
template <class T>
[[nodiscard]] vector<T> kept_of(const emission& kept, const elements_of<T>& from) {
  const std::vector<operand> out = kept.rooms({dtype_of<T>()}, from.all);
  kept.write(from.all, out);
  return vector<T>(out[0].elements);
}
template <class... T>
requires(sizeof...(T) > 1)
    [[nodiscard]] std::tuple<vector<T>...> kept_of(const emission& kept, const elements_of<T...>& from) {
  const std::vector<operand> out = kept.rooms({dtype_of<T>()...}, from.all);
  kept.write(from.all, out);
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::tuple<vector<T>...>(vector<T>(out[K].elements)...);
  }
  (std::index_sequence_for<T...>());
}

/// Those that `holds` for, or does not.
template <class... T, class Predicate>
[[nodiscard]] emission kept_if(const char* algorithm, const elements_of<T...>& from, const Predicate& holds,
                               bool wanted, const context& ctx, call_site here) {
  return emission(algorithm, from.mapped(holds, here), wanted, ctx, here);
}
/// Those that do not equal `value`.
template <class T>
[[nodiscard]] emission kept_unequal(const char* algorithm, const sequence& all, const T& value, const context& ctx,
                                    call_site here) {
  const sequence same = views::constant(value, all.size, here).elements();
  return emission(algorithm, applied_to<T, T>(equal_to(), {all, same}, here), false, ctx, here);
}

/// Elements of type R as the element type of `out`.
template <class R, output_like Out>
[[nodiscard]] sequence as_elements_of(const Out&, const sequence& values, call_site here) {
  using T = element_t<Out>;
  if constexpr (std::is_same_v<R, T>)
    return values;
  else
    return applied_by<T, R>("tessera::algo::as_type", {type_name<T>()}, {values}, here);
}
/// All elements of an output that can be written.
template <output_like Out>
[[nodiscard]] operand elements_to_write(const Out& out) {
  if constexpr (iterator_like<Out>)
    return operand_of(out, out + (out.elements()->size() - out.offset()));
  else
    return operand_of(out);
}
/// The first elements of outputs, for what is kept of `values`. Iterators are told where it ends, which waits.
template <output_like... Out>
[[nodiscard]] std::vector<operand> beginnings_of(const emission& kept, const std::vector<sequence>& values,
                                                 const Out&... out) {
  if constexpr ((iterator_like<Out> || ...)) static_cast<void>(kept.size());
  return kept.beginnings({elements_to_write(out)...}, values);
}
/// What an algorithm returns that has written `count` elements to `out`: how many, or the iterator behind them.
template <output_like Out>
[[nodiscard]] auto behind(const Out& out, const counted_size& count) {
  if constexpr (iterator_like<Out>)
    return out + count;
  else
    return count;
}
/// Writes the values, of type R, that are kept.
template <class R, output_like Out>
auto write_kept(const emission& kept, const sequence& values, const Out& out, call_site here) {
  const std::vector<sequence> made{as_elements_of<R>(out, values, here)};
  kept.write(made, beginnings_of(kept, made, out));
  return behind(out, kept.count());
}

/// The elements of `part` become those of `from`, which has as many and is another container.
template <class T>
void copy_back(const operand& from, const operand& part, call_site here) {
  store(sequence_of_elements(from, type_name<T>(), here), part);
}
/// What is kept comes to stand at the beginning of `range`; what lies behind it is undefined. Returns how many these
/// are.
template <class T>
std::int64_t keep_in_place(const emission& kept, const elements_of<T>& values, const operand& range, call_site here) {
  const operand part = kept.beginning_of(range);  // waits: the new border is the result
  const std::vector<operand> out = kept.rooms({dtype_of<T>()}, values.all);
  kept.write(values.all, out);
  copy_back<T>(out[0], part, here);
  return kept.size();
}
/// The vector has what is kept, where it is found; returns how many elements went.
template <class T>
counted_size keep_only(const emission& kept, vector<T>& from, call_site here) {
  const std::int64_t size = from.size();
  const std::vector<sequence> all{sequence_of(from, here)};
  const std::vector<operand> out = kept.rooms({dtype_of<T>()}, all);
  if (kept.is_counted() && size == kept.total() && size == kept.size()) return counted_size(0);
  kept.write(all, out);
  operand_of(from).elements->replace(*out[0].elements, kept.algorithm(), here);
  return kept.count().taken_from(size);
}

}  // namespace tessera::algo
