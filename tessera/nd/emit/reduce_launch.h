#pragma once

#include "tessera/nd/fuse/reduce.h"

namespace tessera::nd {

/// Carries reductions out: a launch over the elements and, where these are more than one chunk, launches that combine
/// the results of chunks. The stored nodes have their arrays afterwards; `edge` tells what they are computed of.
void launch_reduction(graph& owner, reduce_group reduced, group_builder::boundary& edge, call_site here);

/// The states of all chunks of `chunk` elements, of reductions of the form `inner`: arrays of the shape {rows, chunks}.
[[nodiscard]] std::vector<array_base> launch_chunk_totals(graph& owner, const reduce_group& reduced, std::int64_t chunk,
                                                          call_site here);

}  // namespace tessera::nd
