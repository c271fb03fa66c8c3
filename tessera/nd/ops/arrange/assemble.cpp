#include "tessera/nd/ops/arrange/assemble.h"

#include <algorithm>

#include "tessera/base/index.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {

layout placement_of(std::span<const array> sources) {
  for (const array& each : sources)
    if (const layout own = each.split(); own.kind() == layout::form::axes) return own;
  const auto is_copied = [](const array& each) { return each.split().kind() == layout::form::replicated; };
  return std::all_of(sources.begin(), sources.end(), is_copied) ? layout::replicated() : layout();
}

namespace {

array stored_array(const std::shared_ptr<graph>& owner, const extents& shape, scalar_kind type, const layout& placement,
                   call_site here) {
  const simple_distribution where = placement.distribution_of(shape, owner->devices());
  return {owner, make_stored(owner->ctx().empty(shape, dtype::make(type), where, here), placement, here)};
}

}  // namespace

array new_array(const extents& shape, scalar_kind type, std::span<const array> sources, call_site here) {
  return new_array(shape, type, sources, placement_of(sources), here);
}

array new_array(const extents& shape, scalar_kind type, std::span<const array> sources, const layout& placement,
                call_site here) {
  const std::vector<operand> operands(sources.begin(), sources.end());
  const std::shared_ptr<graph>& owner = common_owner(operands, here);
  const bool is_host = std::all_of(sources.begin(), sources.end(), [](const array& each) { return each.is_host(); });
  const std::int64_t count = in_call(here, [&] { return element_count(shape); });
  if (is_host && owner->is_host_size(count, type))
    return {owner, make_host(type, shape, std::make_shared<host_value>(index(count) * size_of(type)), here)};
  return stored_array(owner, shape, type, placement, here);
}

array undefined_array(const std::shared_ptr<graph>& owner, const extents& shape, scalar_kind type,
                      const layout& placement, call_site here) {
  const std::int64_t count = in_call(here, [&] { return byte_count(shape, size_of(type)); }) / size_of(type);
  if (!placement.is_cut() && owner->is_host_size(count, type))
    return {owner, make_host(type, shape, std::make_shared<host_value>(index(count) * size_of(type)), here)};
  array made = stored_array(owner, shape, type, placement, here);
  if (shape.rank() > 3) made.assign(number(false), here);  // as in new_array_of_parts
  return made;
}

array new_array_of_parts(const extents& shape, scalar_kind type, std::span<const array> sources, call_site here) {
  const array made = new_array(shape, type, sources, here);
  if (shape.rank() > 3 && !made.is_host()) made.assign(number(false), here);
  return made;
}

void write_pieces(const array& to, const array& from, std::span<const std::vector<axis_piece>> axes, call_site here) {
  const int rank = to.rank();
  std::array<std::size_t, max_rank> chosen{};
  for (;;) {
    index_map target = index_map::identity(to.shape()), source = index_map::identity(from.shape());
    for (int k = 0; k < rank; ++k) {
      const axis_piece& piece = axes[index(k)][chosen[index(k)]];
      target.domain[k] = source.domain[k] = piece.count;
      target.terms[index(k)].first = piece.at;
      source.terms[index(k)] = {piece.first, piece.step, piece.step == 0 ? -1 : k};
    }
    if (element_count(target.domain) > 0) to.seen_through(target).assign(from.seen_through(source), here);
    int k = rank - 1;
    for (; k >= 0 && ++chosen[index(k)] == axes[index(k)].size(); --k) chosen[index(k)] = 0;
    if (k < 0) return;
  }
}

}  // namespace tessera::nd
