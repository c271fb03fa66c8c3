#pragma once

#include "tessera/plan/split/cuts.h"

/// Launches that the user has cut along one axis, with the device of each part.
namespace tessera::plan {

/// The axis along which the slabs of a launch lie. Throws `argument_error` if the launch does not have the one asked
/// for.
[[nodiscard]] int slab_axis(const launch_shape& shape);

/// The slabs of a launch that have threads, in ascending order.
[[nodiscard]] std::vector<slab> ascending_slabs(const launch_shape& shape);

/// Cuts between the slabs of `shape.split`. Throws `argument_error` if one of them names a device that does not exist,
/// lies outside the launch, or begins or ends within a thread block; and if together they leave something out or
/// overlap, naming the first place.
[[nodiscard]] grid_cuts cuts_by_slabs(const launch_shape& shape, int devices);

/// Throws `argument_error` if there is no such device.
void check_device(const launch_shape& shape, int device, int devices);

}  // namespace tessera::plan
