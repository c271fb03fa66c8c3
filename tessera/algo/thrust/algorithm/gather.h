#pragma once

#include <cstdint>

#include "tessera/algo/algorithm/gather.h"
#include "tessera/algo/algorithm/reorder.h"
#include "tessera/algo/thrust/functional.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/iterator/views.h"
#include "tessera/algo/thrust/named.h"

/// Elements taken from, and put to, other places. Places are counted from the iterator that is given, and lie in what
/// its container has behind it.
namespace thrust {
namespace detail {

/// `source[places[i]]` written through `out`: only what is asked for moves if a container has it.
template <class P, class S, class O>
O gathered(const lazy<P>& places, const S& source, const O& out, call_site here) {
  static_assert(is_of_devices<S>, "what is gathered from has no end on the host: copy it into a device_vector first");
  if constexpr (algo::iterator_like<S>)
    return through<value_t<S>>(out, places.size(), algo::operand_of(source, source).elements->ctx(), here,
                               [&](const auto& to) { tessera::gather(places, algo::range_behind(source), to, here); });
  else
    return write(out, elements_at(source, places, here), here);
}
/// A seed that `random`, a generator as those of the standard library, gives.
template <class G>
[[nodiscard]] std::uint64_t seed_of(G&& random) {
  const auto half = static_cast<std::uint64_t>(random());
  return half << 32 ^ static_cast<std::uint64_t>(random());
}

}  // namespace detail

inline constexpr detail::named gather([](tessera::call_site here, const auto& first, const auto& last,
                                         const auto& source, const auto& out) {
  return detail::gathered(detail::range(first, last, here), source, out, here);
});
/// Other elements of the output stay.
inline constexpr detail::named gather_if(
    // gather_if(first, last, stencil, source, out[, holds])
    []<class Predicate = tessera::identity>(tessera::call_site here, const auto& first, const auto& last,
                                            const auto& stencil, const auto& source, const auto& out,
                                            const Predicate& holds = {}) {
      const auto places = detail::range(first, last, here);
      const auto asked = detail::elements_from(stencil, places.size(), here);
      tessera::gather_if(places, asked, tessera::algo::range_behind(source), out, detail::function_of(holds), here);
      return out + places.size();
    });
/// Of values for one place one wins.
inline constexpr detail::named scatter([](tessera::call_site here, const auto& first, const auto& last, const auto& map,
                                          const auto& out) {
  detail::write(make_permutation_iterator(out, map), detail::range(first, last, here), here);
});
inline constexpr detail::named scatter_if(
    // scatter_if(first, last, map, stencil, out[, holds])
    []<class Predicate = tessera::identity>(tessera::call_site here, const auto& first, const auto& last,
                                            const auto& map, const auto& stencil, const auto& out,
                                            const Predicate& holds = {}) {
      const auto values = detail::range(first, last, here);
      tessera::scatter_if(values, detail::elements_from(map, values.size(), here),
                          detail::elements_from(stencil, values.size(), here), tessera::algo::range_behind(out),
                          detail::function_of(holds), here);
    });

inline constexpr detail::named reverse_copy([](tessera::call_site here, const auto& first, const auto& last,
                                               const auto& out) {
  const auto x = detail::range(first, last, here);
  return detail::write(out, decltype(detail::range(first, last, here))(tessera::algo::reversed(x.elements())), here);
});
inline constexpr detail::named reverse([](tessera::call_site here, const auto& first, const auto& last) {
  detail::in_place(first, last, here, [&](const auto& x, const auto& y) { tessera::reverse(x, y, here); });
});
/// In an order that the next two numbers of `random` choose, alike on any devices and ranks.
inline constexpr detail::named shuffle([](tessera::call_site here, const auto& first, const auto& last, auto&& random) {
  detail::in_place(first, last, here,
                   [&](const auto& x, const auto& y) { tessera::shuffle(x, y, detail::seed_of(random), here); });
});
inline constexpr detail::named shuffle_copy(
    // shuffle_copy(first, last, out, random)
    []<class I>(tessera::call_site here, const I& first, const I& last, const auto& out, auto&& random) {
      const auto x = detail::range(first, last, here);
      return detail::through<detail::value_t<I>>(out, x.size(), detail::context_of(x), here, [&](const auto& to) {
        tessera::shuffle_copy(x, to, detail::seed_of(random), here);
      });
    });

}  // namespace thrust
