#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "tessera/nd/graph/graph.h"
#include "tessera/nd/number.h"

namespace tessera::nd {

/// Nodes, by what they are. Operands have the shape of what is made of them. Those without a graph are not recorded:
/// leaves, which nothing has to be done for.
[[nodiscard]] node_ptr make_fill(scalar_kind type, const extents& shape, const std::array<std::byte, 16>& element,
                                 const layout& placement, call_site here);
[[nodiscard]] node_ptr make_place(const extents& shape, int axis, const layout& placement, call_site here);
[[nodiscard]] node_ptr make_host(scalar_kind type, const extents& shape, std::shared_ptr<const host_value> elements,
                                 call_site here);
[[nodiscard]] node_ptr make_stored(array_base elements, const layout& placement, call_site here);

/// What `map` selects of `base`; `base` itself if that is all of it.
[[nodiscard]] node_ptr record_view(graph& owner, const node_ptr& base, const index_map& map, call_site here);
/// What `elements` selects of the storage of `base`.
[[nodiscard]] node_ptr record_flat(graph& owner, const node_ptr& base, const view& elements, call_site here);
/// An operation; `type` is the type of the result.
[[nodiscard]] node_ptr record_map(graph& owner, kernels::opcode operation, scalar_kind type,
                                  std::span<const node_ptr> operands, call_site here);
/// `base` with `value` in a part of it.
[[nodiscard]] node_ptr record_update(graph& owner, const node_ptr& base, const node_ptr& value, update_part part,
                                     call_site here);
[[nodiscard]] node_ptr record_reduction(graph& owner, const node_ptr& base, const reduction_spec& spec,
                                        scalar_kind type, const extents& shape, call_site here);
[[nodiscard]] node_ptr record_scan(graph& owner, const node_ptr& base, const scan_spec& spec, scalar_kind type,
                                   call_site here);
/// Elements of `source` at the places that `indices`, int64, tells.
[[nodiscard]] node_ptr record_gather(graph& owner, const node_ptr& source, const node_ptr& indices,
                                     const gather_spec& spec, call_site here);

}  // namespace tessera::nd
