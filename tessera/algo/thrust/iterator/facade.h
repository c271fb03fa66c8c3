#pragma once

#include <compare>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "tessera/algo/container/operand.h"
#include "tessera/algo/view/sequence.h"

namespace thrust::detail {

namespace algo = tessera::algo;
using algo::element_t;
using tessera::call_site;
using tessera::lazy;

/// The arithmetic of random-access iterators. `Self` tells `step(k)` and `distance_from(other)`.
template <class Self>
class stepping {
 public:
  using difference_type = std::int64_t;
  // clang-format off
  Self& operator+=(std::int64_t k) { self().step(k); return self(); }
  Self& operator-=(std::int64_t k) { self().step(-k); return self(); }
  Self& operator++() { return *this += 1; }
  Self& operator--() { return *this -= 1; }
  Self operator++(int) { const Self before = self(); ++*this; return before; }
  Self operator--(int) { const Self before = self(); --*this; return before; }
  // clang-format on
  friend Self operator+(Self i, std::int64_t k) { return i += k; }
  friend Self operator+(std::int64_t k, Self i) { return i += k; }
  friend Self operator-(Self i, std::int64_t k) { return i -= k; }
  friend std::int64_t operator-(const Self& a, const Self& b) { return a.distance_from(b); }
  friend bool operator==(const Self& a, const Self& b) { return a.distance_from(b) == 0; }
  friend std::strong_ordering operator<=>(const Self& a, const Self& b) { return a.distance_from(b) <=> 0; }

 private:
  [[nodiscard]] Self& self() { return static_cast<Self&>(*this); }
};

/// What iterators have whose elements are computed where they are used. `Self` also tells `get()`: on the host an
/// element is a value.
template <class Self, class T>
class facade : public stepping<Self> {
 public:
  using value_type = T;
  using reference = T;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  [[nodiscard]] T operator*() const { return self().get(); }
  [[nodiscard]] T operator[](std::int64_t k) const { return *(self() + k); }

 private:
  [[nodiscard]] const Self& self() const { return static_cast<const Self&>(*this); }
};

/// An iterator whose elements the library computes: `elements(count, here)` is a `ts::lazy`.
template <class I>
concept computed_iterator = requires(const I& i) {
  i.elements(std::int64_t{}, call_site{});
};
/// One that takes what is computed: `write(values, here)`.
template <class I>
concept taking_iterator = requires {
  typename I::takes_elements;
};
template <class I>
inline constexpr bool is_reverse = false;
template <class I>
inline constexpr bool is_reverse<std::reverse_iterator<I>> = true;

/// Iterators that are not of memory of the host.
template <class I>
inline constexpr bool is_of_devices = algo::iterator_like<I> || computed_iterator<I> || taking_iterator<I>;
template <class I>
inline constexpr bool is_of_devices<std::reverse_iterator<I>> = is_of_devices<I>;

template <class I>
using value_t = std::remove_cv_t<typename std::iterator_traits<I>::value_type>;

/// The `count` elements from an iterator on; those of the host are copied to the devices.
template <class I>
[[nodiscard]] lazy<value_t<I>> elements_from(const I& first, std::int64_t count, call_site here);
/// Element i is that at `places[i]`, counted from an iterator.
template <class I, class P>
[[nodiscard]] lazy<value_t<I>> elements_at(const I& first, const lazy<P>& places, call_site here);
/// Writes `values` from an iterator on; returns the one behind the last.
template <class O, class V>
O write(const O& out, const lazy<V>& values, call_site here);

/// The number of elements between two iterators.
template <class I, class J>
[[nodiscard]] std::int64_t distance_between(const I& first, const J& last) {
  if constexpr (requires { last - first; })
    return static_cast<std::int64_t>(last - first);
  else
    return static_cast<std::int64_t>(std::distance(first, last));
}

}  // namespace thrust::detail
