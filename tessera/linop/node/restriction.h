#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tessera/linop/dims.h"

namespace tessera::linop {

/// Elements [lo, hi) of an axis of `whole` elements.
struct axis_range {
  std::int64_t lo = 0, hi = 0, whole = 0;
  [[nodiscard]] std::int64_t count() const { return hi - lo; }
  bool operator==(const axis_range&) const = default;
};
/// For each dimension of a list its range, if not all of it.
using axis_ranges = std::vector<std::optional<axis_range>>;

/// A part of an operator: of y these elements alone, from these elements of x, the others being zero.
struct restriction {
  axis_ranges in, out;  ///< By the places of `signature`.

  [[nodiscard]] bool is_whole() const;
  [[nodiscard]] restriction reversed() const { return {out, in}; }
  /// This restriction of what `outer` has left.
  [[nodiscard]] restriction within(const restriction& outer) const;
  /// The range of a dimension, if it is restricted alike wherever it occurs. Throws nothing; `differs` is set where
  /// input and output have different ranges.
  [[nodiscard]] std::optional<axis_range> of(const dim& d, const signature& s, bool& differs) const;
};

}  // namespace tessera::linop
