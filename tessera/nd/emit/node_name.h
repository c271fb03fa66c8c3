#pragma once

#include <string>

#include "tessera/nd/graph/node.h"

namespace tessera::nd {

/// What a node is, for `explain`: "sqrt", "sum", "a written part".
[[nodiscard]] std::string name_of(const node& n);

}  // namespace tessera::nd
