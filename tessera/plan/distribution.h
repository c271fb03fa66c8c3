#pragma once

#include "tessera/base/geometry/box.h"
#include "tessera/plan/layout.h"
#include "tessera/plan/machine.h"
#include "tessera/plan/partition.h"

namespace tessera::plan {

/// The parts of an array of shape `shape` (rank 1 to 8) on a machine, with the copies that are promised besides. Where
/// the layout does not name devices, parts lie on those of the machine's automatic kind. Throws `argument_error` for
/// tiles and halos that are negative or of too many axes, and devices that do not exist.
[[nodiscard]] partition_ptr make_partition(const layout& home, const extents& shape, const machine_table& machine);
/// On `devices` devices of one kind.
[[nodiscard]] partition_ptr make_partition(const layout& home, const extents& shape, int devices);

}  // namespace tessera::plan
