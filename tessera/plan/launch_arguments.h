#pragma once

#include <cstddef>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"

namespace tessera::plan {

/// A box of an array that a launch passes for one parameter of its kernel.
struct launch_array {
  int parameter = 0;
  array_id array;
  box slice;
  bool by_value = false;  ///< The parameter is no pointer: it gets the one element of the slice.
};

/// The bytes of a parameter that is passed by value, of exactly its size.
struct launch_scalar {
  int parameter = 0;
  std::vector<std::byte> value;
};

}  // namespace tessera::plan
