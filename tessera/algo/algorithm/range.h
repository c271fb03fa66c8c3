#pragma once

#include <cstdint>
#include <type_traits>

#include "tessera/algo/skeleton/outputs.h"
#include "tessera/algo/view/part.h"
#include "tessera/algo/view/sequence.h"

namespace tessera::algo {

/// What algorithms write to: a container or a part of one, or the elements from an iterator on.
template <class X>
concept output_like = container_like<X> || iterator_like<X>;

/// The elements between two iterators as a range that can be written.
template <iterator_like I>
[[nodiscard]] container_part<element_t<I>, 1> range_between(const I& first, const I& last) {
  const operand part = operand_of(first, last);
  return {part.elements, part.part};
}
/// The `count` elements from an iterator on.
template <iterator_like I>
[[nodiscard]] container_part<element_t<I>, 1> range_from(const I& first, std::int64_t count) {
  return range_between(first, first + count);
}
/// The elements from an iterator to the end of its container.
template <iterator_like I>
[[nodiscard]] container_part<element_t<I>, 1> range_behind(const I& first) {
  return range_from(first, first.elements()->size() - first.offset());
}
/// A range as it is, an iterator as the range of `count` elements from it on.
template <range_like R>
[[nodiscard]] const R& ranged(const R& range, std::int64_t) {
  return range;
}
template <iterator_like I>
[[nodiscard]] auto ranged(const I& first, std::int64_t count) {
  return range_from(first, count);
}

/// The operator `name` of device/algorithms.h applied to the elements of ranges with elements of types `Args`.
template <class R, class... Args>
[[nodiscard]] sequence applied_by(const std::string& name, const std::vector<std::string>& arguments,
                                  const std::vector<sequence>& all, call_site here) {
  return applied(wrapped(name, {}, arguments, signature_for<R, Args...>(), here), all, here);
}

/// Elements of type R, converted to the element type of `out`, written there.
template <class R, output_like Out>
void store_as(const sequence& elements, const Out& out, call_site here) {
  using T = element_t<Out>;
  const operand to = output_operand(out, {elements.size});
  if constexpr (std::is_same_v<R, T>)
    store(elements, to);
  else
    store(applied_by<T, R>("tessera::algo::as_type", {type_name<T>()}, {elements}, here), to);
}

}  // namespace tessera::algo
