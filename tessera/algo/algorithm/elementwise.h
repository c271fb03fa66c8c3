#pragma once

#include <cstdint>
#include <type_traits>

#include "tessera/algo/algorithm/range.h"
#include "tessera/algo/view/views.h"

/// Algorithms that compute each element on its own. Each is one launch, returns at once and moves elements only where
/// ranges are laid out differently. Inputs are containers, parts, views or pairs of iterators; outputs containers,
/// parts or the iterator at their first element. An output may be an input element by element. All throw
/// `argument_error` for ranges of different sizes and for outputs that share other elements with inputs.
namespace tessera {

/// out[i] = f(x[i])
template <algo::range_like R, algo::output_like Out, class F>
void transform(const R& range, const Out& out, const F& f, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  algo::store_as<algo::call_result_t<F, T>>(algo::applied_to<T>(f, {algo::sequence_of(range, here)}, here), out, here);
}
template <algo::iterator_like I, algo::output_like Out, class F>
void transform(const I& first, const I& last, const Out& out, const F& f, call_site here = call_site::current()) {
  transform(algo::range_between(first, last), out, f, here);
}
/// out[i] = f(x[i], y[i])
template <algo::range_like R, algo::range_like S, algo::output_like Out, class F>
void transform(const R& x, const S& y, const Out& out, const F& f, call_site here = call_site::current()) {
  using A = algo::element_t<R>;
  using B = algo::element_t<S>;
  algo::store_as<algo::call_result_t<F, A, B>>(
      algo::applied_to<A, B>(f, {algo::sequence_of(x, here), algo::sequence_of(y, here)}, here), out, here);
}
template <algo::iterator_like I, class Second, algo::output_like Out, class F>
requires(algo::iterator_like<Second> ||
         algo::range_like<Second>) void transform(const I& first, const I& last, const Second& second, const Out& out,
                                                  const F& f, call_site here = call_site::current()) {
  transform(algo::range_between(first, last), algo::ranged(second, last - first), out, f, here);
}

/// out[i] = f(x[i]) where holds(stencil[i]); other elements of `out` stay.
template <algo::range_like R, algo::range_like S, algo::container_like Out, class F, class Predicate>
void transform_if(const R& range, const S& stencil, const Out& out, const F& f, const Predicate& holds,
                  call_site here = call_site::current()) {
  using A = algo::element_t<R>;
  using B = algo::element_t<S>;
  using T = algo::element_t<Out>;
  const algo::op where =
      algo::wrapped("tessera::algo::changed_where", {algo::make_op<A>(f, here), algo::make_op<B>(holds, here)}, {},
                    algo::signature_for<T, A, B, T>(), here);
  const algo::sequence before = algo::sequence_of(out, here);
  algo::store(algo::applied(where, {algo::sequence_of(range, here), algo::sequence_of(stencil, here), before}, here),
              algo::operand_of(out));
}
/// out[i] = f(x[i]) where holds(x[i])
template <algo::range_like R, algo::container_like Out, class F, class Predicate>
void transform_if(const R& range, const Out& out, const F& f, const Predicate& holds,
                  call_site here = call_site::current()) {
  transform_if(range, range, out, f, holds, here);
}
template <algo::iterator_like I, algo::iterator_like Out, class F, class Predicate>
void transform_if(const I& first, const I& last, const Out& out, const F& f, const Predicate& holds,
                  call_site here = call_site::current()) {
  transform_if(algo::range_between(first, last), algo::range_from(out, last - first), f, holds, here);
}
template <algo::iterator_like I, algo::iterator_like S, algo::iterator_like Out, class F, class Predicate>
void transform_if(const I& first, const I& last, const S& stencil, const Out& out, const F& f, const Predicate& holds,
                  call_site here = call_site::current()) {
  const std::int64_t count = last - first;
  transform_if(algo::range_between(first, last), algo::range_from(stencil, count), algo::range_from(out, count), f,
               holds, here);
}

/// out[i] = x[i]
template <algo::range_like R, algo::output_like Out>
void copy(const R& range, const Out& out, call_site here = call_site::current()) {
  algo::store_as<algo::element_t<R>>(algo::sequence_of(range, here), out, here);
}
template <algo::iterator_like I, algo::output_like Out>
void copy(const I& first, const I& last, const Out& out, call_site here = call_site::current()) {
  copy(algo::range_between(first, last), out, here);
}
template <algo::iterator_like I, algo::output_like Out>
void copy_n(const I& first, std::int64_t count, const Out& out, call_site here = call_site::current()) {
  copy(algo::range_from(first, count), out, here);
}

/// x[i] = value
template <algo::container_like C>
void fill(const C& range, const algo::element_t<C>& value, call_site here = call_site::current()) {
  copy(views::constant(value, range.size(), here), range, here);
}
template <algo::iterator_like I>
void fill(const I& first, const I& last, const algo::element_t<I>& value, call_site here = call_site::current()) {
  fill(algo::range_between(first, last), value, here);
}
template <algo::iterator_like I>
void fill_n(const I& first, std::int64_t count, const algo::element_t<I>& value,
            call_site here = call_site::current()) {
  fill(algo::range_from(first, count), value, here);
}

/// x[i] = f(i)
template <algo::container_like C, class F>
void tabulate(const C& range, const F& f, call_site here = call_site::current()) {
  transform(counting<std::int64_t>(0, range.size()), range, f, here);
}
template <algo::iterator_like I, class F>
void tabulate(const I& first, const I& last, const F& f, call_site here = call_site::current()) {
  tabulate(algo::range_between(first, last), f, here);
}

/// x[i] = first + i * step
template <algo::container_like C>
void sequence(const C& range, std::type_identity_t<algo::element_t<C>> first = 0,
              std::type_identity_t<algo::element_t<C>> step = 1, call_site here = call_site::current()) {
  using T = algo::element_t<C>;
  const std::int64_t n = range.size();
  const auto same = [&](T value) { return views::constant(value, n, here).elements(); };
  algo::store(algo::applied_by<T, T, T, std::int64_t>("tessera::algo::progression", {},
                                                      {same(first), same(step), algo::places(n, here)}, here),
              algo::operand_of(range));
}
template <algo::iterator_like I>
void sequence(const I& first, const I& last, std::type_identity_t<algo::element_t<I>> start = 0,
              std::type_identity_t<algo::element_t<I>> step = 1, call_site here = call_site::current()) {
  sequence(algo::range_between(first, last), start, step, here);
}

/// out[i] = holds(stencil[i]) ? value : x[i]
template <algo::range_like R, algo::range_like S, algo::output_like Out, class Predicate>
void replace_copy_if(const R& range, const S& stencil, const Out& out, const Predicate& holds,
                     const algo::element_t<R>& value, call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  using B = algo::call_result_t<Predicate, algo::element_t<S>>;
  const algo::sequence where = algo::applied_to<algo::element_t<S>>(holds, {algo::sequence_of(stencil, here)}, here),
                       replacement = views::constant(value, range.size(), here).elements();
  algo::store_as<T>(algo::applied_by<T, B, T, T>("tessera::algo::chosen", {},
                                                 {where, replacement, algo::sequence_of(range, here)}, here),
                    out, here);
}
template <algo::range_like R, algo::output_like Out, class Predicate>
void replace_copy_if(const R& range, const Out& out, const Predicate& holds, const algo::element_t<R>& value,
                     call_site here = call_site::current()) {
  replace_copy_if(range, range, out, holds, value, here);
}
template <algo::iterator_like I, algo::output_like Out, class Predicate>
void replace_copy_if(const I& first, const I& last, const Out& out, const Predicate& holds,
                     const algo::element_t<I>& value, call_site here = call_site::current()) {
  replace_copy_if(algo::range_between(first, last), out, holds, value, here);
}
/// x[i] = holds(x[i]) ? value : x[i]
template <algo::container_like C, class Predicate>
void replace_if(const C& range, const Predicate& holds, const algo::element_t<C>& value,
                call_site here = call_site::current()) {
  replace_copy_if(range, range, holds, value, here);
}
template <algo::iterator_like I, class Predicate>
void replace_if(const I& first, const I& last, const Predicate& holds, const algo::element_t<I>& value,
                call_site here = call_site::current()) {
  replace_if(algo::range_between(first, last), holds, value, here);
}

/// out[i] = x[i] == before ? value : x[i]
template <algo::range_like R, algo::output_like Out>
void replace_copy(const R& range, const Out& out, const algo::element_t<R>& before, const algo::element_t<R>& value,
                  call_site here = call_site::current()) {
  const auto wanted = views::constant(before, range.size(), here);
  replace_copy_if(range, views::zip(range, wanted) | views::transform(equal_to(), here), out, identity(), value, here);
}
template <algo::iterator_like I, algo::output_like Out>
void replace_copy(const I& first, const I& last, const Out& out, const algo::element_t<I>& before,
                  const algo::element_t<I>& value, call_site here = call_site::current()) {
  replace_copy(algo::range_between(first, last), out, before, value, here);
}
/// x[i] = x[i] == before ? value : x[i]
template <algo::container_like C>
void replace(const C& range, const algo::element_t<C>& before, const algo::element_t<C>& value,
             call_site here = call_site::current()) {
  replace_copy(range, range, before, value, here);
}
template <algo::iterator_like I>
void replace(const I& first, const I& last, const algo::element_t<I>& before, const algo::element_t<I>& value,
             call_site here = call_site::current()) {
  replace(algo::range_between(first, last), before, value, here);
}

/// The elements of two ranges exchanged; a copy of one of them and two launches more.
template <algo::container_like A, algo::container_like B>
void swap_ranges(const A& a, const B& b, call_site here = call_site::current()) {
  const vector<algo::element_t<A>> kept = lazy<algo::element_t<A>>(algo::sequence_of(a, here)).stored();
  copy(b, a, here);
  copy(kept, b, here);
}
template <algo::iterator_like I, algo::iterator_like J>
void swap_ranges(const I& first, const I& last, const J& other, call_site here = call_site::current()) {
  swap_ranges(algo::range_between(first, last), algo::range_from(other, last - first), here);
}

/// out[0] = x[0], out[i] = subtract(x[i], x[i - 1]). `out` is not `range`.
template <algo::range_like R, algo::output_like Out, class Op = minus>
void adjacent_difference(const R& range, const Out& out, const Op& subtract = {},
                         call_site here = call_site::current()) {
  using T = algo::element_t<R>;
  using D = algo::call_result_t<Op, T, T>;
  const algo::op difference = algo::wrapped("tessera::algo::difference", {algo::make_op<T, T>(subtract, here)}, {},
                                            algo::signature_for<D, T, T, std::int64_t>(), here);
  const algo::sequence own = algo::used_in(algo::context_of_output(out), algo::sequence_of(range, here));
  algo::store_as<D>(algo::applied(difference, {own, algo::shifted(own, -1), algo::places(own.size, here)}, here), out,
                    here);
}
template <algo::iterator_like I, algo::output_like Out, class Op = minus>
void adjacent_difference(const I& first, const I& last, const Out& out, const Op& subtract = {},
                         call_site here = call_site::current()) {
  adjacent_difference(algo::range_between(first, last), out, subtract, here);
}

}  // namespace tessera
