#include "tessera/plan/distribution.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/plan/promised_copies.h"

namespace tessera::plan {
namespace {

extents automatic_tile(const extents& shape, int devices) {
  int axis = 0;
  while (axis < shape.rank() && shape[axis] < devices) ++axis;
  if (axis == shape.rank()) axis = static_cast<int>(std::max_element(shape.begin(), shape.end()) - shape.begin());
  extents tile = shape;
  tile[axis] = ceil_div(shape[axis], devices);
  return tile;
}

extents explicit_tile(const extents& asked, const extents& shape) {
  if (asked.rank() > shape.rank())
    throw argument_error(cat("a distribution of ", asked.rank(), " axes for an array of ", shape.rank()));
  extents tile = shape;
  for (int k = 0; k < asked.rank(); ++k) {
    if (asked[k] < 0) throw argument_error(cat("a distribution's tile is negative: ", to_string(asked)));
    if (asked[k] > 0) tile[k] = asked[k];
  }
  return tile;
}

void check_device(int device, int devices) {
  if (device < 0 || device >= devices)
    throw argument_error(cat("device ", device, " does not exist; there are ", devices));
}

/// The widths of all axes of `shape`: one width is meant for all of them, of several those that are missing are 0.
extents halo_widths(const extents& asked, const extents& shape) {
  if (asked.rank() > shape.rank())
    throw argument_error(cat("a halo of ", asked.rank(), " axes for an array of ", shape.rank()));
  extents widths = extents::uniform(shape.rank(), asked.rank() == 1 ? asked[0] : 0);
  for (int k = 0; k < asked.rank(); ++k) widths[k] = asked[k];
  for (const std::int64_t w : widths)
    if (w < 0) throw argument_error(cat("a halo is negative: ", to_string(asked)));
  return widths;
}

/// The devices of a machine, and those that parts lie on where the program names none.
struct device_choice {
  int count = 0;
  const std::vector<int>* automatic = nullptr;  ///< Null: all.
  [[nodiscard]] int parts() const { return automatic ? static_cast<int>(automatic->size()) : count; }
};

std::shared_ptr<partition> make_parts(const layout& home, const extents& shape, const device_choice& devices) {
  extents tile = shape;
  switch (home.form) {
    case layout::kind::tiles:
      tile = explicit_tile(home.tile, shape);
      break;
    case layout::kind::on_device:
      check_device(home.device, devices.count);
      return std::make_shared<listed_parts>(shape, std::vector{partition::piece{box::whole(shape), home.device, 0}});
    case layout::kind::listed:
      for (const partition::piece& p : home.parts) check_device(p.device, devices.count);
      return std::make_shared<listed_parts>(shape, home.parts);
    default:
      tile = automatic_tile(shape, devices.parts());
  }
  for (int k = 0; k < shape.rank(); ++k) tile[k] = std::max<std::int64_t>(tile[k], 1);
  return std::make_shared<tiling>(shape, tile, devices.parts(), home.cyclic,
                                  devices.automatic ? *devices.automatic : std::vector<int>());
}

promised_ptr make_promise(const layout& home, const extents& shape, const device_choice& devices) {
  const extents widths = halo_widths(home.halo, shape);
  if (devices.count == 1) return nullptr;
  if (home.form == layout::kind::replicated) return std::make_shared<promised_copies>(shape, devices.count);
  if (std::all_of(widths.begin(), widths.end(), [](std::int64_t w) { return w == 0; })) return nullptr;
  return std::make_shared<promised_copies>(make_parts(home, shape, devices), shape, widths);
}

partition_ptr make_partition_on(const layout& home, const extents& shape, const device_choice& devices) {
  std::shared_ptr<partition> made = make_parts(home, shape, devices);
  made->promise(make_promise(home, shape, devices));
  return made;
}

}  // namespace

partition_ptr make_partition(const layout& home, const extents& shape, const machine_table& machine) {
  return make_partition_on(
      home, shape, {machine.device_count(), machine.has_several_kinds() ? &machine.automatic_devices() : nullptr});
}

partition_ptr make_partition(const layout& home, const extents& shape, int devices) {
  return make_partition_on(home, shape, {devices, nullptr});
}

}  // namespace tessera::plan
