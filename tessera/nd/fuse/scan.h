#pragma once

#include <string>

#include "tessera/nd/fuse/group.h"

namespace tessera::nd {

class graph;

/// Carries out a scan, or tells how: one launch where sequences are one chunk; else the totals of chunks, the scan of
/// these, and a launch that begins each chunk behind those before it. The order depends on the shape alone. The node
/// has its array afterwards.
[[nodiscard]] std::string describe_scan(graph& owner, const node_ptr& made, group_builder::boundary& edge);
void run_scan(graph& owner, const node_ptr& made, group_builder::boundary& edge, call_site here);

}  // namespace tessera::nd
