#include "tessera/nd/graph/record.h"

#include <algorithm>

#include "tessera/base/index.h"

namespace tessera::nd {
namespace {

std::shared_ptr<node> make(node_kind kind, scalar_kind type, const extents& shape, call_site here) {
  if (kind != node_kind::view) static_cast<void>(byte_count(shape, size_of(type)));  // views may repeat elements
  auto made = std::make_shared<node>();
  made->kind = kind;
  made->type = type;
  made->shape = shape;
  made->site = here;
  return made;
}

/// The layout of what is made of `operands`, one by one: that of the first that has one.
layout common_layout(std::span<const node_ptr> operands) {
  for (const node_ptr& operand : operands)
    if (operand->placement.kind() == layout::form::axes || operand->placement.kind() == layout::form::listed)
      return operand->placement;
  const auto is_copied = [](const node_ptr& n) { return n->placement.kind() == layout::form::replicated; };
  return std::all_of(operands.begin(), operands.end(), is_copied) ? layout::replicated() : layout();
}

}  // namespace

node_ptr make_fill(scalar_kind type, const extents& shape, const std::array<std::byte, 16>& element,
                   const layout& placement, call_site here) {
  auto made = make(node_kind::fill, type, shape, here);
  made->detail = element;
  made->placement = placement;
  return made;
}

node_ptr make_place(const extents& shape, int axis, const layout& placement, call_site here) {
  auto made = make(node_kind::place, scalar_kind::int64, shape, here);
  made->detail = axis;
  made->placement = placement;
  return made;
}

node_ptr make_host(scalar_kind type, const extents& shape, std::shared_ptr<const host_value> elements, call_site here) {
  auto made = make(node_kind::stored, type, shape, here);
  made->host = std::move(elements);
  made->placement = layout::replicated();
  return made;
}

node_ptr make_stored(array_base elements, const layout& placement, call_site here) {
  auto made = make(node_kind::stored, elements.type().kind, elements.shape(), here);
  made->array = std::move(elements);
  made->placement = placement;
  return made;
}

node_ptr record_view(graph& owner, const node_ptr& base, const index_map& map, call_site here) {
  if (map.is_identity(base->shape)) return base;
  auto made = make(base->kind == node_kind::fill ? node_kind::fill : node_kind::view, base->type, map.domain, here);
  made->placement = base->placement.through(map, base->shape);
  if (base->kind == node_kind::fill) {
    made->detail = base->detail;
    return made;
  }
  made->operands[0] = base;
  made->detail = map;
  made->is_internal = true;
  return owner.add(std::move(made));
}

node_ptr record_flat(graph& owner, const node_ptr& base, const view& elements, call_site here) {
  auto made = make(node_kind::flat, base->type, elements.shape, here);
  made->operands[0] = base;
  made->detail = elements;
  made->is_internal = true;
  return owner.add(std::move(made));
}

node_ptr record_map(graph& owner, kernels::opcode operation, scalar_kind type, std::span<const node_ptr> operands,
                    call_site here) {
  auto made = make(node_kind::map, type, operands[0]->shape, here);
  made->operation = operation;
  std::copy(operands.begin(), operands.end(), made->operands.begin());
  made->placement = common_layout(operands);
  return owner.add(std::move(made));
}

node_ptr record_update(graph& owner, const node_ptr& base, const node_ptr& value, update_part part, call_site here) {
  auto made = make(node_kind::update, base->type, base->shape, here);
  made->operands = {base, value, nullptr};
  made->detail = std::move(part);
  made->placement = base->placement;
  return owner.add(std::move(made));
}

node_ptr record_reduction(graph& owner, const node_ptr& base, const reduction_spec& spec, scalar_kind type,
                          const extents& shape, call_site here) {
  auto made = make(node_kind::reduce, type, shape, here);
  made->operands[0] = base;
  made->detail = spec;
  return owner.add(std::move(made));
}

node_ptr record_scan(graph& owner, const node_ptr& base, const scan_spec& spec, scalar_kind type, call_site here) {
  auto made = make(node_kind::scan, type, base->shape, here);
  made->operands[0] = base;
  made->detail = spec;
  made->placement = base->placement;
  return owner.add(std::move(made));
}

node_ptr record_gather(graph& owner, const node_ptr& source, const node_ptr& indices, const gather_spec& spec,
                       call_site here) {
  auto made = make(node_kind::gather, source->type, spec.source.domain, here);
  made->operands = {source, indices, nullptr};
  made->detail = std::make_shared<const gather_spec>(spec);
  made->placement = indices->placement.through(spec.indices, indices->shape);
  return owner.add(std::move(made));
}

}  // namespace tessera::nd
