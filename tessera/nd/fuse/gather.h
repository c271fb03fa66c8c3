#pragma once

#include <string>

#include "tessera/nd/fuse/group.h"

namespace tessera::nd {

class graph;

/// Carries out a gather, or tells how: one launch that may read all of the source. What the index array is made of is
/// computed in it. The node has its array afterwards.
[[nodiscard]] std::string describe_gather(graph& owner, const node_ptr& made, group_builder::boundary& edge);
void run_gather(graph& owner, const node_ptr& made, group_builder::boundary& edge, call_site here);

}  // namespace tessera::nd
