#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "tessera/base/geometry/box.h"

namespace tessera::algo {

class storage;

/// What skeletons and algorithms work on: a box of the elements of a container. Containers, their parts, and pairs of
/// iterators are made into one by `operand_of`; `elements->for_launch(mode, part, here)` is then what a launch takes.
struct operand {
  std::shared_ptr<storage> elements;
  box part;

  [[nodiscard]] extents shape() const { return part.shape(); }
  [[nodiscard]] std::int64_t size() const { return part.volume(); }
};

/// Containers, parts of containers: anything that stands for a box of elements.
template <class X>
concept container_like = requires(const X& x) {
  typename X::value_type;
  { x.as_operand() } -> std::same_as<operand>;
};

/// Iterators of containers.
template <class I>
concept iterator_like = requires(const I& i) {
  typename I::value_type;
  { i.operand_to(i) } -> std::same_as<operand>;
};

template <container_like X>
[[nodiscard]] operand operand_of(const X& x) {
  return x.as_operand();
}
/// first <= x < last. Throws `argument_error` for iterators of two containers, for ranges outside of the container, and
/// in check mode for iterators from before a change of its size.
template <iterator_like I>
[[nodiscard]] operand operand_of(const I& first, const I& last) {
  return first.operand_to(last);
}

/// Where an iterator stands.
struct iterator_position {
  std::int64_t offset = 0;
  std::uint64_t generation = 0;
};
/// The operand of two iterators; of vectors, or all elements of another container.
[[nodiscard]] operand part_between(storage* first, iterator_position lo, storage* last, iterator_position hi);

/// The element type of a container, part or iterator.
template <class X>
using element_t = typename std::remove_cvref_t<X>::value_type;

}  // namespace tessera::algo
