#pragma once

#include "tessera/nd/fuse/group.h"

namespace tessera::nd {

class graph;

/// The elements of `values` where `mask`, of the same shape, is true, in their order, as a stored array with one axis.
/// Chunks of elements are counted, the counts come to the host, and a launch per device writes the elements of its
/// chunks where they belong: nothing moves between devices but the counts.
[[nodiscard]] node_ptr run_compress(graph& owner, const node_ptr& mask, const node_ptr& values, call_site here);

}  // namespace tessera::nd
