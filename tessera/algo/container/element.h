#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "tessera/algo/container/storage.h"

namespace tessera {

/// An element of a container: reads when it is converted, writes when it is assigned to, both for `+=`, `++` and
/// `swap`. `auto e = v[3]` is such a reference, `int e = v[3]` and `v[3].get()` are the value.
template <class T>
class element {
 public:
  using value_type = T;
  element(algo::storage& elements, std::int64_t offset, std::uint64_t generation)
      : elements_(&elements), offset_(offset), generation_(generation) {}
  element(const element&) = default;

  [[nodiscard]] T get() const { return elements_->get<T>(offset_, generation_); }
  operator T() const { return get(); }  // NOLINT: a proxy is its value

  const element& operator=(const T& value) const {
    elements_->set<T>(offset_, value, generation_);
    return *this;
  }
  element& operator=(const element& other) {  // NOLINT: the value is copied, also to itself
    *this = other.get();
    return *this;
  }
  const element& operator=(const element& other) const {  // NOLINT: as of std::vector<bool>::reference in C++23
    return *this = other.get();
  }

  // clang-format off
  template <class U> const element& operator+=(const U& x) const { return *this = static_cast<T>(get() + static_cast<T>(x)); }
  template <class U> const element& operator-=(const U& x) const { return *this = static_cast<T>(get() - static_cast<T>(x)); }
  template <class U> const element& operator*=(const U& x) const { return *this = static_cast<T>(get() * static_cast<T>(x)); }
  template <class U> const element& operator/=(const U& x) const { return *this = static_cast<T>(get() / static_cast<T>(x)); }
  template <class U> const element& operator%=(const U& x) const { return *this = static_cast<T>(get() % static_cast<T>(x)); }
  template <class U> const element& operator&=(const U& x) const { return *this = static_cast<T>(get() & static_cast<T>(x)); }
  template <class U> const element& operator|=(const U& x) const { return *this = static_cast<T>(get() | static_cast<T>(x)); }
  template <class U> const element& operator^=(const U& x) const { return *this = static_cast<T>(get() ^ static_cast<T>(x)); }
  // clang-format on
  const element& operator++() const { return *this += T(1); }
  const element& operator--() const { return *this -= T(1); }
  T operator++(int) const {  // NOLINT: the value before
    const T before = get();
    *this = static_cast<T>(before + T(1));
    return before;
  }
  T operator--(int) const {  // NOLINT: the value before
    const T before = get();
    *this = static_cast<T>(before - T(1));
    return before;
  }

  /// Exchanges values, as std::sort and others do through iterators.
  friend void swap(const element& a, const element& b) {
    const T kept = a.get();
    a = b.get();
    b = kept;
  }
  friend void swap(const element& a, T& b) {
    const T kept = a.get();
    a = b;
    b = kept;
  }
  friend void swap(T& a, const element& b) { swap(b, a); }

  // Numbers compare by conversion, with numbers of any type.
  friend bool operator==(const element& a,
                         const element& b) requires(!std::is_arithmetic_v<T> && std::equality_comparable<T>) {
    return a.get() == b.get();
  }
  friend bool operator==(const element& a,
                         const T& b) requires(!std::is_arithmetic_v<T> && std::equality_comparable<T>) {
    return a.get() == b;
  }

 private:
  algo::storage* elements_;
  std::int64_t offset_;
  std::uint64_t generation_;
};

}  // namespace tessera
