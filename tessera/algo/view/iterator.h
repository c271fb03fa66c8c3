#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "tessera/algo/container/element.h"
#include "tessera/algo/container/operand.h"
#include "tessera/base/error.h"

namespace tessera {

/// A random-access iterator over the elements of a container, row by row. On the host it gives element proxies (values,
/// if T is const); a pair of them is a part of a vector for skeletons and algorithms. A change of the container's size
/// makes it invalid; with any TESSERA_CHECK, using one then is an `argument_error`.
template <class T>
class container_iterator {
 public:
  using value_type = std::remove_const_t<T>;
  using difference_type = std::int64_t;
  using reference = std::conditional_t<std::is_const_v<T>, value_type, element<value_type>>;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  container_iterator() = default;
  container_iterator(algo::storage* elements, std::int64_t offset)
      : elements_(elements), offset_(offset), generation_(elements != nullptr ? elements->generation() : 0) {}
  /// Of a container that may be changed to one of a container that may not.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<U, value_type>)
      container_iterator(const container_iterator<U>& other)  // NOLINT: as of std::vector
      : elements_(other.elements()), offset_(other.offset()), generation_(other.generation()) {}

  [[nodiscard]] reference operator*() const { return (*this)[0]; }
  [[nodiscard]] reference operator[](std::int64_t k) const {
    const element<value_type> e(*elements_, offset_ + k, generation_);
    if constexpr (std::is_const_v<T>)
      return e.get();
    else
      return e;
  }

  // clang-format off
  container_iterator& operator+=(std::int64_t k) { offset_ += k; return *this; }
  container_iterator& operator-=(std::int64_t k) { offset_ -= k; return *this; }
  container_iterator& operator++() { return *this += 1; }
  container_iterator& operator--() { return *this -= 1; }
  container_iterator operator++(int) { const container_iterator before = *this; ++*this; return before; }
  container_iterator operator--(int) { const container_iterator before = *this; --*this; return before; }
  // clang-format on
  friend container_iterator operator+(container_iterator i, std::int64_t k) { return i += k; }
  friend container_iterator operator+(std::int64_t k, container_iterator i) { return i += k; }
  friend container_iterator operator-(container_iterator i, std::int64_t k) { return i -= k; }
  friend std::int64_t operator-(const container_iterator& a, const container_iterator& b) {
    return a.offset_ - b.offset_;
  }
  friend bool operator==(const container_iterator& a, const container_iterator& b) {
    return a.offset_ == b.offset_ && a.elements_ == b.elements_;
  }
  friend std::strong_ordering operator<=>(const container_iterator& a, const container_iterator& b) {
    return a.offset_ <=> b.offset_;
  }

  [[nodiscard]] algo::storage* elements() const { return elements_; }
  [[nodiscard]] std::int64_t offset() const { return offset_; }
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// The elements from here to before `last`, see `algo::operand_of`.
  [[nodiscard]] algo::operand operand_to(const container_iterator& last) const {
    return algo::part_between(elements_, {offset_, generation_}, last.elements_, {last.offset_, last.generation_});
  }

 private:
  algo::storage* elements_ = nullptr;
  std::int64_t offset_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace tessera
