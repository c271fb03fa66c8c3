#include "tessera/algo/algorithm/parts.h"

#include "tessera/algo/exec/call.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera {

plan::layout part_sizes(const std::vector<std::int64_t>& sizes) {
  plan::layout home;
  home.form = plan::layout::kind::listed;
  std::int64_t begin = 0;
  for (std::size_t device = 0; device < sizes.size(); ++device) {
    if (sizes[device] < 0) throw argument_error(cat("a part of ", sizes[device], " elements"));
    const box bounds({begin}, {begin + sizes[device]});
    home.parts.push_back({bounds, static_cast<int>(device), static_cast<std::int64_t>(device)});
    begin = bounds.hi[0];
  }
  return home;
}

void algo::require_parts(const plan::layout& parts, std::int64_t size, const context& ctx, call_site here) {
  if (parts.form != plan::layout::kind::listed) return;
  const int devices = ctx.engine()->machine().device_count();
  std::int64_t count = 0;
  for (const plan::placed_box& p : parts.parts) {
    count += p.bounds.volume();
    if (p.device < 0 || p.device >= devices)
      throw argument_error(
          cat(label_of("parts", here), ": a part is for device ", p.device, "; the context has 0 to ", devices - 1));
  }
  if (count != size)
    throw argument_error(cat(label_of("parts", here), ": the parts have ", count, " elements, the vector has ", size));
}

}  // namespace tessera
