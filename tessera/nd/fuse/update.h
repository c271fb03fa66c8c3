#pragma once

#include <string>

#include "tessera/nd/fuse/group.h"

namespace tessera::nd {

class graph;

/// Gives `made`, which replaces an older version as a whole, the array of that version if nothing else will ever need
/// it and `with`, which makes it, reads it at the written index alone.
void take_old_array(graph& owner, const node_ptr& made, const group& with);
/// The version whose array `made` took has no elements any more. To be called behind the launch.
void finish_overwriting(const node& made);

/// Carries out an update of a part of an array, or tells how it would be done now: in place if nothing else will need
/// the old version and it is read at the written index alone; else beside it, in a new array.
[[nodiscard]] std::string describe_update(graph& owner, const node_ptr& made, group_builder::boundary& edge);
void run_update(graph& owner, const node_ptr& made, group_builder::boundary& edge, call_site here);

}  // namespace tessera::nd
