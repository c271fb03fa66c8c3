#pragma once

#include <string>

#include "tessera/nd/emit/launch_space.h"
#include "tessera/nd/fuse/reduce.h"

namespace tessera::nd {

/// Carries reductions out: a launch over the elements and, where these are more than one chunk, launches that combine
/// the results of chunks. The stored nodes have their arrays afterwards; `edge` tells what they are computed of.
void launch_reduction(graph& owner, reduce_group reduced, group_builder::boundary& edge, call_site here);

/// The first launch as text: the kernel and its annotation; and how many results of chunks others combine.
[[nodiscard]] std::string describe_reduction(graph& owner, reduce_group reduced);

/// The states of all chunks of `chunk` elements, of reductions of the form `inner`: arrays of the shape {rows, chunks}.
[[nodiscard]] std::vector<array_base> launch_chunk_totals(graph& owner, const reduce_group& reduced, std::int64_t chunk,
                                                          call_site here);

/// The launch over sequences, the last axes of a domain, of which a thread block has `chunk` elements.
[[nodiscard]] launch_space inner_space(const group& elements, const reduction_axes& axes, std::int64_t chunk);
/// The launch over sequences across the last axis of a domain, of which a thread block has some pieces.
[[nodiscard]] launch_space outer_space(const group& elements, const reduction_axes& axes);
/// Appends the divisors of reductions to the numbers of a group's function.
void add_divisors(group& made, const std::vector<double>& divisors);

}  // namespace tessera::nd
