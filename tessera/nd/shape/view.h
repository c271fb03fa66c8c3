#pragma once

#include <cstdint>
#include <optional>

#include "tessera/base/geometry/box.h"
#include "tessera/nd/shape/index_map.h"

namespace tessera::nd {

/// A map from the indices of an array to elements of a storage, which lie one behind the other: element x is at
/// offset + sum(x[k] * strides[k]). What an index map selects of a view is a view, and some of other shapes are.
struct view {
  extents shape;
  extents strides;  ///< In elements: 0 where an axis repeats one, negative where it runs backwards.
  std::int64_t offset = 0;

  /// All of a storage, row-major.
  [[nodiscard]] static view whole(const extents& shape);

  [[nodiscard]] int rank() const { return shape.rank(); }
  [[nodiscard]] std::int64_t size() const;
  /// True if elements lie one behind the other in the order of indices.
  [[nodiscard]] bool is_contiguous() const;
  /// True if several indices have one element, so that nothing can be written through the view.
  [[nodiscard]] bool repeats() const;
  [[nodiscard]] std::int64_t element(const extents& index) const;
  bool operator==(const view&) const = default;
};

/// The number of elements of an array. Throws `argument_error` if that is more than an int64.
[[nodiscard]] std::int64_t element_count(const extents& shape);

/// Their bytes. Throws `argument_error` if these are more than an int64.
[[nodiscard]] std::int64_t byte_count(const extents& shape, std::uint32_t element_size);

/// What `map`, whose source is `v`, selects.
[[nodiscard]] view selected(const view& v, const index_map& map);

/// `wanted` with the extent that is -1, if one is, such that there are `size` elements.
[[nodiscard]] extents complete_shape(const extents& wanted, std::int64_t size, call_site here = {});
/// The elements of `v` in their order with another shape of as many; nothing if they would have to move.
[[nodiscard]] std::optional<view> reshaped(const view& v, const extents& shape);

}  // namespace tessera::nd
