#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "tessera/algo/thrust/iterator/ranges.h"

/// Iterators of elements that are computed where they are used. A pair of them is a view of ours, so that chains are
/// one launch together with the algorithm that takes them.
namespace thrust {

template <class T>
class counting_iterator : public detail::facade<counting_iterator<T>, T> {
 public:
  explicit counting_iterator(T first = {}) : first_(first) {}

  [[nodiscard]] T get() const { return first_; }
  void step(std::int64_t k) { first_ = static_cast<T>(first_ + static_cast<T>(k)); }
  [[nodiscard]] std::int64_t distance_from(const counting_iterator& other) const {
    return static_cast<std::int64_t>(first_) - static_cast<std::int64_t>(other.first_);
  }
  [[nodiscard]] tessera::lazy<T> elements(std::int64_t count, tessera::call_site here) const {
    return tessera::lazy<T>(
        tessera::algo::sequence_of(tessera::counting_sequence<T>{first_, count < 0 ? 0 : count}, here));
  }
  template <class P>
  [[nodiscard]] tessera::lazy<T> at(const tessera::lazy<P>& places, tessera::call_site here) const {
    const T first = first_;
    return detail::mapped([first](auto place) { return tessera::to<T>(first + place); }, here, places);
  }

 private:
  T first_;
};

template <class T>
class constant_iterator : public detail::facade<constant_iterator<T>, T> {
 public:
  explicit constant_iterator(const T& value = {}, std::int64_t place = 0) : value_(value), place_(place) {}

  [[nodiscard]] T get() const { return value_; }
  void step(std::int64_t k) { place_ += k; }
  [[nodiscard]] std::int64_t distance_from(const constant_iterator& other) const { return place_ - other.place_; }
  [[nodiscard]] tessera::lazy<T> elements(std::int64_t count, tessera::call_site here) const {
    return detail::repeated(value_, count, here);
  }
  template <class P>
  [[nodiscard]] tessera::lazy<T> at(const tessera::lazy<P>& places, tessera::call_site here) const {
    return detail::repeated(value_, places.size(), here);
  }

 private:
  T value_;
  std::int64_t place_;
};

/// `f` of the elements of another iterator, of zipped ones as a tuple. R is what `f` returns unless it is given.
template <class F, class I, class R = detail::result_t<F, detail::value_t<I>>>
class transform_iterator : public detail::facade<transform_iterator<F, I, R>, R> {
 public:
  transform_iterator(I base, F f) : base_(std::move(base)), f_(std::move(f)) {}

  [[nodiscard]] const I& base() const { return base_; }
  [[nodiscard]] const F& functor() const { return f_; }
  [[nodiscard]] R get() const { return static_cast<R>(f_(detail::value_t<I>(*base_))); }
  void step(std::int64_t k) { base_ += k; }
  [[nodiscard]] std::int64_t distance_from(const transform_iterator& other) const { return base_ - other.base_; }
  [[nodiscard]] tessera::lazy<R> elements(std::int64_t count, tessera::call_site here) const {
    return made_of(detail::elements_from(base_, count, here), here);
  }
  template <class P>
  [[nodiscard]] tessera::lazy<R> at(const tessera::lazy<P>& places, tessera::call_site here) const {
    return made_of(detail::elements_at(base_, places, here), here);
  }

 private:
  template <class T>
  [[nodiscard]] tessera::lazy<R> made_of(const tessera::lazy<T>& elements, tessera::call_site here) const {
    return detail::converted<R>(detail::mapped(f_, here, elements), here);
  }
  I base_;
  F f_;
};

/// Element i is `elements[places[i]]`; what is written goes to these places.
template <class E, class I>
class permutation_iterator : public detail::facade<permutation_iterator<E, I>, detail::value_t<E>> {
 public:
  using takes_elements = void;
  using value_type = detail::value_t<E>;
  permutation_iterator(E elements, I places) : elements_(std::move(elements)), places_(std::move(places)) {}

  [[nodiscard]] const I& base() const { return places_; }
  [[nodiscard]] value_type get() const { return elements_[static_cast<std::int64_t>(*places_)]; }
  void step(std::int64_t k) { places_ += k; }
  [[nodiscard]] std::int64_t distance_from(const permutation_iterator& other) const { return places_ - other.places_; }
  [[nodiscard]] tessera::lazy<value_type> elements(std::int64_t count, tessera::call_site here) const {
    return detail::elements_at(elements_, detail::elements_from(places_, count, here), here);
  }
  template <class P>
  [[nodiscard]] tessera::lazy<value_type> at(const tessera::lazy<P>& places, tessera::call_site here) const {
    return detail::elements_at(elements_, detail::elements_at(places_, places, here), here);
  }
  template <class V>
  void write(const tessera::lazy<V>& values, tessera::call_site here) const {
    const auto places = detail::elements_from(places_, values.size(), here);
    if constexpr (tessera::algo::iterator_like<E>)
      tessera::scatter(values, places, tessera::algo::range_behind(elements_), here);
    else
      elements_.write_at(values, places, here);
  }

 private:
  E elements_;
  I places_;
};

template <class I>
using reverse_iterator = std::reverse_iterator<I>;

// clang-format off
template <class T> [[nodiscard]] counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }
template <class T> [[nodiscard]] constant_iterator<T> make_constant_iterator(const T& value, std::int64_t place = 0) { return constant_iterator<T>(value, place); }
template <class I, class F> [[nodiscard]] transform_iterator<F, I> make_transform_iterator(I base, F f) { return {std::move(base), std::move(f)}; }
template <class E, class I> [[nodiscard]] permutation_iterator<E, I> make_permutation_iterator(E elements, I places) { return {std::move(elements), std::move(places)}; }
template <class I> [[nodiscard]] reverse_iterator<I> make_reverse_iterator(I base) { return reverse_iterator<I>(std::move(base)); }
// clang-format on

}  // namespace thrust
