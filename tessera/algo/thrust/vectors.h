#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "tessera/algo/container/vector.h"
#include "tessera/algo/thrust/iterator/ranges.h"

/// Thrust's vectors: ours and that of the standard library with conversions between them. Elements of ours are right on
/// the host and on all devices at any time.
namespace thrust {

template <class T>
class device_vector : public tessera::vector<T> {
  using base = tessera::vector<T>;

 public:
  using base::base;
  device_vector() = default;
  device_vector(base other) : base(std::move(other)) {}  // NOLINT: algorithms of ours return vectors
  device_vector(std::initializer_list<T> values) : base(values) {}
  template <class U>
  device_vector(const std::vector<U>& values) : base(values.begin(), values.end()) {}  // NOLINT: as of Thrust
  template <class U>
  requires(!std::is_same_v<U, T>) device_vector(const tessera::vector<U>& other)  // NOLINT
      : device_vector(other.begin(), other.end()) {}
  /// Of iterators of devices, and of those that compute elements: one launch.
  template <class I>
  requires(detail::is_of_devices<I>) device_vector(const I& first, const I& last) : base() {
    assign(first, last);
  }
  device_vector& operator=(std::initializer_list<T> values) {
    base::assign(values);
    return *this;
  }

  using base::assign;
  template <class I>
  requires(detail::is_of_devices<I>) void assign(const I& first, const I& last,
                                                 tessera::call_site here = tessera::call_site::current()) {
    const auto all = detail::range(first, last, here);
    static_cast<base&>(*this) = detail::converted<T>(all, here).stored();
  }
  /// What stands for a pointer to the first element: an iterator. Memory of devices has no address: an element may be on
  /// any of them, and moves.
  using base::data;
  [[nodiscard]] auto data() { return this->begin(); }
  [[nodiscard]] auto data() const { return this->begin(); }
};

template <class T>
class host_vector : public std::vector<T> {
  using base = std::vector<T>;

 public:
  using base::base;
  host_vector() = default;
  host_vector(base other) : base(std::move(other)) {}  // NOLINT: it is one
  template <class U>
  requires(!std::is_same_v<U, T>) host_vector(const std::vector<U>& other)  // NOLINT: as of Thrust
      : base(other.begin(), other.end()) {}
  template <class U>
  host_vector(const tessera::vector<U>& other) {  // NOLINT
    *this = other;
  }
  /// Waits for the elements.
  template <class U>
  host_vector& operator=(const tessera::vector<U>& other) {
    const auto elements = other.host(tessera::read);
    this->assign(elements.begin(), elements.end());
    return *this;
  }
  using base::operator=;
  /// Of iterators of devices; waits for the elements.
  template <class I>
  requires(detail::is_of_devices<I>) host_vector(const I& first, const I& last)
      : base(detail::converted<T>(detail::range(first, last, {}), {}).to_host()) {}
};

/// Ours are reached from the host as they are.
template <class T>
using universal_vector = device_vector<T>;
/// A pointer into a `device_vector`: an iterator of it.
template <class T>
using device_ptr = tessera::container_iterator<T>;
template <class T>
using device_reference = tessera::element<T>;

template <class T, class U>
[[nodiscard]] bool operator==(const tessera::vector<T>& a, const std::vector<U>& b) {
  const auto elements = a.host(tessera::read);
  return std::equal(elements.begin(), elements.end(), b.begin(), b.end());
}

}  // namespace thrust
