#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "tessera/algo/skeleton/associative.h"
#include "tessera/algo/skeleton/outputs.h"
#include "tessera/algo/view/part.h"
#include "tessera/algo/view/sequence.h"

namespace tessera::algo {

/// What algorithms write to: a container or a part of one, or the elements from an iterator on.
template <class X>
concept output_like = container_like<X> || iterator_like<X>;

/// The context of an output.
template <output_like Out>
[[nodiscard]] context context_of_output(const Out& out) {
  if constexpr (iterator_like<Out>)
    return out.elements()->ctx();
  else
    return operand_of(out).elements->ctx();
}

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

/// The functor `name` of device/algorithms.h, `Functor<F>` on the host, applied to the elements of ranges; `part` is
/// the operator of `f`. Applied at once if `f` runs on the host.
template <template <class> class Functor, class R, class... Args, class F>
[[nodiscard]] sequence applied_with(const std::string& name, const F& f, const op& part,
                                    const std::vector<sequence>& all, call_site here) {
  if constexpr (is_host_callable<F>) {
    using functor = Functor<std::remove_cvref_t<decltype(*f.function())>>;
    const op made = host_op<Args...>(std::make_shared<const functor>(functor{*f.function()}), f.kernels(), f.number());
    return sequence_of_elements(called_on_host(made, all, dtype_of<R>(), here), type_name<R>(), here);
  } else {
    return applied(wrapped(name, {part}, {}, signature_for<R, Args...>(), here), all, here);
  }
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
