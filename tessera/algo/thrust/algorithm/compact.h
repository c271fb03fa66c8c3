#pragma once

#include "tessera/algo/algorithm/compact/compact.h"
#include "tessera/algo/algorithm/compact/partition.h"
#include "tessera/algo/algorithm/compact/reduce_by_key.h"
#include "tessera/algo/algorithm/compact/unique.h"
#include "tessera/algo/thrust/functional.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/named.h"

/// Algorithms that keep some elements, and results of segments. All wait until it is known how many elements there are,
/// and give the iterators behind their outputs. A function is asked twice about each element.
namespace thrust {
namespace detail {

/// `use(to)` writes some of `all` to an output.
template <class V, class O, class Use>
O kept_of(const lazy<V>& all, const O& out, call_site here, const Use& use) {
  return through<V>(out, all.size(), context_of(all), here, use);
}
template <class V, class A, class B, class Use>
pair<A, B> both_of(const lazy<V>& all, const A& a, const B& b, call_site here, const Use& use) {
  return through_both<V, V>(a, b, all.size(), context_of(all), here, use);
}

}  // namespace detail

inline constexpr detail::named copy_if(
    [](tessera::call_site here, const auto& first, const auto& last, const auto& out, const auto& holds) {
      const auto x = detail::range(first, last, here);
      return detail::kept_of(x, out, here,
                             [&](const auto& to) { return tessera::copy_if(x, to, detail::function_of(holds), here); });
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& stencil, const auto& out,
       const auto& holds) {
      const auto x = detail::range(first, last, here);
      const auto asked = detail::elements_from(stencil, x.size(), here);
      return detail::kept_of(x, out, here, [&](const auto& to) {
        return tessera::copy_if(x, asked, to, detail::function_of(holds), here);
      });
    });
inline constexpr detail::named remove_copy_if(
    [](tessera::call_site here, const auto& first, const auto& last, const auto& out, const auto& holds) {
      const auto x = detail::range(first, last, here);
      return detail::kept_of(x, out, here, [&](const auto& to) {
        return tessera::remove_copy_if(x, to, detail::function_of(holds), here);
      });
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& stencil, const auto& out,
       const auto& holds) {
      const auto x = detail::range(first, last, here);
      const auto asked = detail::elements_from(stencil, x.size(), here);
      return detail::kept_of(x, out, here, [&](const auto& to) {
        return tessera::remove_copy_if(x, asked, to, detail::function_of(holds), here);
      });
    });
inline constexpr detail::named remove_copy(
    // remove_copy(first, last, out, value)
    []<class I>(tessera::call_site here, const I& first, const I& last, const auto& out, const auto& value) {
      const auto x = detail::range(first, last, here);
      return detail::kept_of(x, out, here, [&](const auto& to) {
        return tessera::remove_copy(x, to, static_cast<detail::value_t<I>>(value), here);
      });
    });
/// What lies behind the elements that stay is undefined.
inline constexpr detail::named remove_if(
    [](tessera::call_site here, const auto& first, const auto& last, const auto& holds) {
      return detail::in_place(first, last, here, [&](const auto& x, const auto& y) {
        return tessera::remove_if(x, y, detail::function_of(holds), here);
      });
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& stencil, const auto& holds) {
      const auto asked = detail::elements_from(stencil, last - first, here).stored();
      return detail::in_place(first, last, here, [&](const auto& x, const auto& y) {
        return tessera::remove_if(x, y, asked.begin(), detail::function_of(holds), here);
      });
    });
inline constexpr detail::named remove([](tessera::call_site here, const auto& first, const auto& last,
                                         const auto& value) {
  return detail::in_place(first, last, here, [&](const auto& x, const auto& y) {
    return tessera::remove(x, y, static_cast<detail::element_t<decltype(x)>>(value), here);
  });
});

inline constexpr detail::named partition_copy(
    [](tessera::call_site here, const auto& first, const auto& last, const auto& holding, const auto& others,
       const auto& holds) {
      const auto x = detail::range(first, last, here);
      return detail::both_of(x, holding, others, here, [&](const auto& a, const auto& b) {
        return tessera::partition_copy(x, a, b, detail::function_of(holds), here);
      });
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& stencil, const auto& holding,
       const auto& others, const auto& holds) {
      const auto x = detail::range(first, last, here);
      const auto asked = detail::elements_from(stencil, x.size(), here);
      return detail::both_of(x, holding, others, here, [&](const auto& a, const auto& b) {
        return tessera::partition_copy(x, asked, a, b, detail::function_of(holds), here);
      });
    });
/// Stable.
inline constexpr detail::named partition(
    [](tessera::call_site here, const auto& first, const auto& last, const auto& holds) {
      return detail::in_place(first, last, here, [&](const auto& x, const auto& y) {
        return tessera::partition(x, y, detail::function_of(holds), here);
      });
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& stencil, const auto& holds) {
      const auto asked = detail::elements_from(stencil, last - first, here).stored();
      return detail::in_place(first, last, here, [&](const auto& x, const auto& y) {
        return tessera::partition(x, y, asked.begin(), detail::function_of(holds), here);
      });
    });
inline constexpr detail::named stable_partition_copy = partition_copy;
inline constexpr detail::named stable_partition = partition;

inline constexpr detail::named unique_copy(
    // unique_copy(first, last, out[, same])
    []<class Same = tessera::equal_to>(tessera::call_site here, const auto& first, const auto& last, const auto& out,
                                       const Same& same = {}) {
      const auto x = detail::range(first, last, here);
      return detail::kept_of(
          x, out, here, [&](const auto& to) { return tessera::unique_copy(x, to, detail::function_of(same), here); });
    });
inline constexpr detail::named unique(
    // unique(first, last[, same])
    []<class Same = tessera::equal_to>(tessera::call_site here, const auto& first, const auto& last,
                                       const Same& same = {}) {
      return detail::in_place(first, last, here, [&](const auto& x, const auto& y) {
        return tessera::unique(x, y, detail::function_of(same), here);
      });
    });
inline constexpr detail::named unique_count(
    // unique_count(first, last[, same])
    []<class Same = tessera::equal_to>(tessera::call_site here, const auto& first, const auto& last,
                                       const Same& same = {}) {
      return tessera::unique_count(detail::range(first, last, here), detail::function_of(same), here).get(here);
    });

inline constexpr detail::named unique_by_key_copy(
    // unique_by_key_copy(first, last, values, keys_out, values_out[, same])
    []<class I, class J, class Same = tessera::equal_to>(tessera::call_site here, const I& first, const I& last,
                                                         const J& values, const auto& keys_out, const auto& values_out,
                                                         const Same& same = {}) {
      const auto keys = detail::range(first, last, here);
      const auto all = detail::elements_from(values, keys.size(), here);
      return detail::through_both<detail::value_t<I>, detail::value_t<J>>(
          keys_out, values_out, keys.size(), detail::context_of(keys), here, [&](const auto& a, const auto& b) {
            return tessera::unique_by_key_copy(keys, all, a, b, detail::function_of(same), here);
          });
    });
inline constexpr detail::named unique_by_key(
    // unique_by_key(first, last, values[, same])
    []<class I, class J, class Same = tessera::equal_to>(tessera::call_site here, const I& first, const I& last,
                                                         const J& values, const Same& same = {}) {
      std::int64_t count = 0;
      detail::in_place(values, std::next(values, last - first), here, [&](const auto& v, const auto&) {
        detail::in_place(first, last, here, [&](const auto& x, const auto& y) {
          count = tessera::unique_by_key(x, y, v, detail::function_of(same), here).first - x;
        });
      });
      return pair<I, J>(std::next(first, count), std::next(values, count));
    });
inline constexpr detail::named reduce_by_key(
    // reduce_by_key(first, last, values, keys_out, values_out[, same[, combine]])
    []<class I, class J, class Same = tessera::equal_to, class G = tessera::plus>(
        tessera::call_site here, const I& first, const I& last, const J& values, const auto& keys_out,
        const auto& values_out, const Same& same = {}, const G& combine = {}) {
      const auto keys = detail::range(first, last, here);
      const auto all = detail::elements_from(values, keys.size(), here);
      return detail::through_both<detail::value_t<I>, detail::value_t<J>>(
          keys_out, values_out, keys.size(), detail::context_of(keys), here, [&](const auto& a, const auto& b) {
            return tessera::reduce_by_key(keys, all, a, b, detail::function_of(same), detail::function_of(combine),
                                          here);
          });
    });

}  // namespace thrust
