#pragma once

#include <optional>

#include "tessera/algo/function/op.h"
#include "tessera/algo/view/sequence.h"

namespace tessera::algo {

/// Values, the places where they go, and, if not all do, for each whether it does. They have one size.
struct scattered_values {
  sequence values;
  sequence places;
  std::optional<sequence> where{};
};

/// out[places[i]] = values[i], as `last` shows it, by one launch that has all of `out` where it runs. Places outside
/// are left out; of equal ones one wins.
void scatter_in_place(const scattered_values& from, const operand& out, const op& last);

}  // namespace tessera::algo
