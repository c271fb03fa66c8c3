#pragma once

#include <string>
#include <vector>

#include "tessera/nd/graph/node.h"

namespace tessera::nd {

class graph;

/// Stores the elements of `roots`, in as few launches as the rules allow (docs/design/0045): which operations are
/// carried out together, and what is stored on the way, follow from the recorded nodes alone.
/// Nodes are let go of as soon as no later launch needs them.
void carry_out(graph& owner, std::vector<node_ptr> roots, call_site here);

/// What `carry_out` would do, as text.
[[nodiscard]] std::string explain_plan(graph& owner, const node_ptr& root);

}  // namespace tessera::nd
