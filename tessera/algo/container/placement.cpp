#include "tessera/algo/container/placement.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {

plan::layout usual_layout(const context& ctx, const extents& shape, const dtype& type) {
  constexpr std::int64_t least_bytes = 64 << 10, chunk = 4096;
  const plan::machine_table& machine = ctx.engine()->machine();
  plan::layout home;
  if (machine.settings().small == 0) return home;
  const std::int64_t elements = box::whole(shape).volume();
  home.form = plan::layout::kind::tiles;
  if (elements * type.size < least_bytes) return home;  // one tile: all axes are whole
  if (shape.rank() > 1) return {};
  const auto devices = static_cast<std::int64_t>(machine.automatic_devices().size());
  home.tile = {ceil_div(ceil_div(elements, devices), chunk) * chunk};
  return home;
}

}  // namespace tessera::algo
