#pragma once

#include <functional>
#include <vector>

#include "tests/nd/support.h"

namespace tessera::support {

/// An array as a list of its elements, row-major: what plain loops make of arrays, to compare with.
template <class T>
struct plain_array {
  extents shape;
  std::vector<T> elements;

  [[nodiscard]] const T& at(const extents& place) const { return elements[number_of(place)]; }
  [[nodiscard]] T& at(const extents& place) { return elements[number_of(place)]; }
  [[nodiscard]] std::size_t number_of(const extents& place) const {
    std::int64_t flat = 0;
    for (int k = 0; k < shape.rank(); ++k) flat = flat * shape[k] + place[k];
    return static_cast<std::size_t>(flat);
  }
};

/// Calls `body` with each place of an array, in order.
template <class Body>
void for_each_place(const extents& shape, Body body) {
  if (nd::element_count(shape) == 0) return;
  extents place = extents::uniform(shape.rank(), 0);
  for (;;) {
    body(place);
    int axis = shape.rank() - 1;
    for (; axis >= 0 && ++place[axis] == shape[axis]; --axis) place[axis] = 0;
    if (axis < 0) return;
  }
}

/// The array of `shape` whose element at each place is `element(place)`.
template <class T, class Element>
plain_array<T> plain(const extents& shape, Element element) {
  plain_array<T> made{shape, {}};
  for_each_place(shape, [&](const extents& place) { made.elements.push_back(static_cast<T>(element(place))); });
  return made;
}

/// Elements that tell places apart.
template <class T>
plain_array<T> numbered(const extents& shape, int first = 1) {
  int next = first;
  return plain<T>(shape, [&](const extents&) { return next++; });
}

template <class T>
nd::array from_plain(const plain_array<T>& a, const nd::array_options& options = {}) {
  return nd::from<T>(a.shape, a.elements, options);
}

/// True if the array has the type, the shape and the elements of the plain one.
template <class T>
bool same(const nd::array& a, const plain_array<T>& expected) {
  return a.type() == dtype_of<T>().kind && a.shape() == expected.shape && a.template read<T>() == expected.elements;
}

/// The axes that an array is cut along.
inline std::vector<int> axes_of(const nd::array& a) {
  const nd::layout placement = a.split();
  return {placement.axes().begin(), placement.axes().end()};
}

}  // namespace tessera::support
