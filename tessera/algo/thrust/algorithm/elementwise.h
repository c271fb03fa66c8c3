#pragma once

#include <cstdint>
#include <iterator>

#include "tessera/algo/algorithm/elementwise.h"
#include "tessera/algo/thrust/functional.h"
#include "tessera/algo/thrust/iterator/ranges.h"
#include "tessera/algo/thrust/named.h"

/// Algorithms that compute each element on its own: names, arguments and results of Thrust. See algorithm/elementwise.h
/// of ours. Elements that the host has are copied to the devices, and results that it gets are waited for.
namespace thrust {
namespace detail {

template <class V, class B>
[[nodiscard]] lazy<V> chosen(const lazy<B>& where, const V& value, const lazy<V>& others, call_site here) {
  return lazy<V>(algo::applied_by<V, B, V, V>(
      "tessera::algo::chosen", {},
      {where.elements(), repeated(value, others.size(), here).elements(), others.elements()}, here));
}
template <class V>
[[nodiscard]] auto equal_elements(const lazy<V>& all, const V& value, call_site here) {
  return mapped(tessera::equal_to(), here, all, repeated(value, all.size(), here));
}

/// Between memory of the host and a container without a copy in between.
template <class I, class J, class O>
O copied(const I& first, const J& last, const O& out, call_site here) {
  if constexpr (!is_of_devices<I> && !is_of_devices<O>) {
    return std::copy(first, last, out);
  } else if constexpr (!is_of_devices<I> && algo::iterator_like<O>) {
    const std::int64_t count = distance_between(first, last);
    std::copy(first, last, algo::range_from(out, count).host(tessera::write, here).begin());
    return out + count;
  } else if constexpr (algo::iterator_like<I> && !is_of_devices<O>) {
    const auto elements = algo::range_between(first, last).host(tessera::read, here);
    return std::copy(elements.begin(), elements.end(), out);
  } else {
    return write(out, range(first, last, here), here);
  }
}

template <class T, class S, class O, class F, class Predicate>
O changed_where(const lazy<T>& all, const lazy<S>& stencil, const O& out, const F& f, const Predicate& holds,
                call_site here) {
  using V = value_t<O>;
  const lazy<V> before = elements_from(out, all.size(), here);
  const algo::op where =
      algo::wrapped("tessera::algo::changed_where",
                    {algo::make_op<T>(function_of(f), here), algo::make_op<S>(function_of(holds), here)}, {},
                    algo::signature_for<V, T, S, V>(), here);
  return write(out, lazy<V>(algo::applied(where, {all.elements(), stencil.elements(), before.elements()}, here)), here);
}

/// The elements that a function of the host gives one after the other.
template <class O, class F>
O generated(const O& out, std::int64_t count, F f, call_site here) {
  if constexpr (algo::iterator_like<O>) {
    const auto elements = algo::range_from(out, count).host(tessera::write, here);
    std::generate(elements.begin(), elements.end(), f);
    return out + count;
  } else {
    std::vector<std::remove_cvref_t<std::invoke_result_t<F&>>> values(static_cast<std::size_t>(count));
    std::generate(values.begin(), values.end(), f);
    return write(out, elements_from(values.begin(), count, here), here);
  }
}

}  // namespace detail

inline constexpr detail::named transform(
    [](tessera::call_site here, const auto& first, const auto& last, const auto& out, const auto& f) {
      return detail::write(out, detail::mapped(f, here, detail::range(first, last, here)), here);
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& second, const auto& out,
       const auto& f) {
      const auto x = detail::range(first, last, here);
      return detail::write(out, detail::mapped(f, here, x, detail::elements_from(second, x.size(), here)), here);
    });
inline constexpr detail::named transform_if(
    [](tessera::call_site here, const auto& first, const auto& last, const auto& out, const auto& f,
       const auto& holds) {
      const auto x = detail::range(first, last, here);
      return detail::changed_where(x, x, out, f, holds, here);
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& stencil, const auto& out,
       const auto& f, const auto& holds) {
      const auto x = detail::range(first, last, here);
      return detail::changed_where(x, detail::elements_from(stencil, x.size(), here), out, f, holds, here);
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& second, const auto& stencil,
       const auto& out, const auto& f, const auto& holds) {
      const auto x = detail::range(first, last, here);
      const auto result = detail::mapped(f, here, x, detail::elements_from(second, x.size(), here));
      return detail::changed_where(result, detail::elements_from(stencil, x.size(), here), out, identity<>(), holds,
                                   here);
    });

inline constexpr detail::named copy([](tessera::call_site here, const auto& first, const auto& last, const auto& out) {
  return detail::copied(first, last, out, here);
});
inline constexpr detail::named copy_n([](tessera::call_site here, const auto& first, std::int64_t count,
                                         const auto& out) {
  return detail::copied(first, std::next(first, count), out, here);
});
inline constexpr detail::named uninitialized_copy = copy;
inline constexpr detail::named uninitialized_copy_n = copy_n;

inline constexpr detail::named fill_n(
    // fill_n(first, count, value)
    []<class O>(tessera::call_site here, const O& first, std::int64_t count, const auto& value) {
      const auto converted = static_cast<detail::value_t<O>>(value);
      return detail::write(first, detail::repeated(converted, count, here), here);
    });
inline constexpr detail::named fill([](tessera::call_site here, const auto& first, const auto& last,
                                       const auto& value) { fill_n.at(here, first, last - first, value); });
inline constexpr detail::named uninitialized_fill = fill;
inline constexpr detail::named uninitialized_fill_n = fill_n;

/// `f` is called on the host, once per element and in order, as by std::generate; on several ranks it gives each the
/// same values. `tabulate` computes elements on the devices.
inline constexpr detail::named generate_n([](tessera::call_site here, const auto& first, std::int64_t count,
                                             const auto& f) { return detail::generated(first, count, f, here); });
inline constexpr detail::named generate([](tessera::call_site here, const auto& first, const auto& last,
                                           const auto& f) { detail::generated(first, last - first, f, here); });

inline constexpr detail::named tabulate([](tessera::call_site here, const auto& first, const auto& last,
                                           const auto& f) {
  const tessera::lazy<std::int64_t> places(tessera::algo::places(last - first, here));
  detail::write(first, detail::mapped(f, here, places), here);
});
inline constexpr detail::named sequence(
    // sequence(first, last[, start[, step]])
    []<class I, class T = detail::value_t<I>>(tessera::call_site here, const I& first, const I& last,
                                              const T& start = T(0), const T& step = T(1)) {
      using V = detail::value_t<I>;
      const std::int64_t n = last - first;
      const auto same = [&](const T& value) { return detail::repeated(static_cast<V>(value), n, here).elements(); };
      detail::write(
          first,
          tessera::lazy<V>(tessera::algo::applied_by<V, V, V, std::int64_t>(
              "tessera::algo::progression", {}, {same(start), same(step), tessera::algo::places(n, here)}, here)),
          here);
    });

inline constexpr detail::named replace_copy_if(
    []<class I>(tessera::call_site here, const I& first, const I& last, const auto& out, const auto& holds,
                const auto& value) {
      const auto x = detail::range(first, last, here);
      return detail::write(
          out, detail::chosen(detail::mapped(holds, here, x), static_cast<detail::value_t<I>>(value), x, here), here);
    },
    []<class I>(tessera::call_site here, const I& first, const I& last, const auto& stencil, const auto& out,
                const auto& holds, const auto& value) {
      const auto x = detail::range(first, last, here);
      const auto where = detail::mapped(holds, here, detail::elements_from(stencil, x.size(), here));
      return detail::write(out, detail::chosen(where, static_cast<detail::value_t<I>>(value), x, here), here);
    });
inline constexpr detail::named replace_if(
    [](tessera::call_site here, const auto& first, const auto& last, const auto& holds, const auto& value) {
      replace_copy_if.at(here, first, last, first, holds, value);
    },
    [](tessera::call_site here, const auto& first, const auto& last, const auto& stencil, const auto& holds,
       const auto& value) { replace_copy_if.at(here, first, last, stencil, first, holds, value); });
inline constexpr detail::named replace_copy(
    // replace_copy(first, last, out, before, value)
    []<class I>(tessera::call_site here, const I& first, const I& last, const auto& out, const auto& before,
                const auto& value) {
      using T = detail::value_t<I>;
      const auto x = detail::range(first, last, here);
      return detail::write(
          out, detail::chosen(detail::equal_elements(x, static_cast<T>(before), here), static_cast<T>(value), x, here),
          here);
    });
inline constexpr detail::named replace([](tessera::call_site here, const auto& first, const auto& last,
                                          const auto& before, const auto& value) {
  replace_copy.at(here, first, last, first, before, value);
});

inline constexpr detail::named swap_ranges([](tessera::call_site here, const auto& first, const auto& last,
                                              const auto& other) {
  const auto kept = detail::range(first, last, here).stored();
  detail::write(first, detail::elements_from(other, last - first, here), here);
  return detail::write(other, detail::range(kept.begin(), kept.end(), here), here);
});

/// The output may be the input.
inline constexpr detail::named adjacent_difference(
    // adjacent_difference(first, last, out[, subtract])
    []<class I, class O, class Op = tessera::minus>(tessera::call_site here, const I& first, const I& last,
                                                    const O& out, const Op& subtract = {}) {
      using T = detail::value_t<I>;
      const auto x = detail::range(first, last, here);
      const auto with = [&](const auto& input) {
        return detail::through<detail::result_t<Op, T, T>>(
            out, x.size(), detail::context_of(x), here,
            [&](const auto& to) { tessera::adjacent_difference(input, to, detail::function_of(subtract), here); });
      };
      if constexpr (std::is_same_v<I, O>)
        if (first == out) return with(x.stored());
      return with(x);
    });

}  // namespace thrust
