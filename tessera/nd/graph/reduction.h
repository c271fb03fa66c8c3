#pragma once

#include <array>
#include <cstdint>

#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"

namespace tessera::nd {

/// How elements are combined. `variance` gives the mean of the squared distances from the mean.
enum class combiner : std::uint8_t { sum, product, minimum, maximum, any, all, argmin, argmax, mean, variance };

/// A reduction along some axes.
struct reduction_spec {
  combiner by{};
  std::array<bool, max_rank> axes{};  ///< Those that are combined.
  double correction = 0;              ///< variance: subtracted from the number of elements that divides.
  scalar_kind computed{};             ///< The type in which elements are combined.
  bool operator==(const reduction_spec&) const = default;
};

/// A running combination along one axis.
struct scan_spec {
  combiner by{};
  int axis = 0;
  bool operator==(const scan_spec&) const = default;
};

}  // namespace tessera::nd
