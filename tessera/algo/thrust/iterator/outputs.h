#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "tessera/algo/thrust/iterator/ranges.h"

/// Iterators that are only written through.
namespace thrust {
namespace detail {

/// What they have in common. `Self` also tells `write(values, here)`.
template <class Self>
class output_facade : public stepping<Self> {
 public:
  using value_type = void;
  using reference = void;
  using pointer = void;
  using iterator_category = std::output_iterator_tag;
  using takes_elements = void;
};

}  // namespace detail

/// Takes any elements and keeps none.
class discard_iterator : public detail::output_facade<discard_iterator> {
 public:
  explicit discard_iterator(std::int64_t place = 0) : place_(place) {}

  void step(std::int64_t k) { place_ += k; }
  [[nodiscard]] std::int64_t distance_from(const discard_iterator& other) const { return place_ - other.place_; }
  template <class V>
  void write(const tessera::lazy<V>&, tessera::call_site) const {}

 private:
  std::int64_t place_;
};

/// Writes `f` of each element through another iterator.
template <class F, class O>
class transform_output_iterator : public detail::output_facade<transform_output_iterator<F, O>> {
 public:
  transform_output_iterator(O out, F f) : out_(std::move(out)), f_(std::move(f)) {}

  [[nodiscard]] const O& base() const { return out_; }
  void step(std::int64_t k) { out_ += k; }
  [[nodiscard]] std::int64_t distance_from(const transform_output_iterator& other) const { return out_ - other.out_; }
  template <class V>
  void write(const tessera::lazy<V>& values, tessera::call_site here) const {
    detail::write(out_, detail::mapped(f_, here, values), here);
  }

 private:
  O out_;
  F f_;
};

[[nodiscard]] inline discard_iterator make_discard_iterator(std::int64_t place = 0) { return discard_iterator(place); }
template <class O, class F>
[[nodiscard]] transform_output_iterator<F, O> make_transform_output_iterator(O out, F f) {
  return {std::move(out), std::move(f)};
}

}  // namespace thrust
