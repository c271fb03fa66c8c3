#include "tessera/nd/fuse/reduce.h"

#include "tessera/base/checked.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/emit/reduce_launch.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/fuse/gather.h"
#include "tessera/nd/fuse/scan.h"
#include "tessera/nd/fuse/update.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {

reduction_axes::reduction_axes(const extents& shape, const std::array<bool, max_rank>& is_combined) {
  std::vector<int> axes, combined_axes;
  int last = -1;
  for (int k = 0; k < shape.rank(); ++k) {
    if (shape[k] == 1) continue;
    (is_combined[index(k)] ? combined_axes : axes).push_back(k);
    last = k;
  }
  if (last >= 0 && !is_combined[index(last)] && !combined_axes.empty()) form = reduction_form::outer;
  kept = static_cast<int>(axes.size());
  axes.insert(axes.end() - (form == reduction_form::outer ? 1 : 0), combined_axes.begin(), combined_axes.end());
  combined = std::max(static_cast<int>(combined_axes.size()), 1);  // at least one axis, be it of one element
  map = {extents::uniform(kept + combined, 1), shape.rank(), {}};
  for (std::size_t j = 0; j < axes.size(); ++j) {
    const int to = static_cast<int>(j);
    map.domain[to] = shape[axes[j]];
    map.terms[index(axes[j])] = {0, 1, to};
    const bool is_column = form == reduction_form::outer && to == map.domain.rank() - 1;
    const bool is_row = to < kept - (form == reduction_form::outer ? 1 : 0);
    (is_column ? columns : is_row ? rows : count) *= shape[axes[j]];
  }
}

reduction_axes reduction_axes::of_sequence(const extents& shape, int axis) {
  reduction_axes made;
  made.combined = 1;
  made.count = shape[axis];
  std::vector<std::int64_t> domain;
  made.map.source_rank = shape.rank();
  for (int k = 0; k < shape.rank(); ++k) {
    if (k == axis || shape[k] == 1) continue;
    made.map.terms[index(k)] = {0, 1, made.kept++};
    made.rows *= shape[k];
    domain.push_back(shape[k]);
  }
  domain.push_back(shape[axis]);
  made.map.terms[index(axis)] = {0, 1, made.kept};
  made.map.domain = extents(domain);
  return made;
}

bool can_reduce_together(const node& a, const node& b) {
  return a.operands[0]->shape == b.operands[0]->shape &&
         std::get<reduction_spec>(a.detail).axes == std::get<reduction_spec>(b.detail).axes;
}

std::int64_t reduce_group::chunks() const {
  return ceil_div(count, form == reduction_form::inner ? reduction_order::chunk(count) : reduction_order::rows);
}

void reduce_group::add_finished(group_builder& builder) {
  for (const node_ptr& n : stored) finished.push_back(builder.value(n, index_map::identity(n->shape)));
}

reduce_group make_reduce_group(std::span<const node_ptr> reductions, std::span<const node_ptr> stored,
                               group_builder::boundary& edge) {
  const extents& shape = reductions[0]->operands[0]->shape;
  reduce_group result;
  static_cast<reduction_axes&>(result) = reduction_axes(shape, std::get<reduction_spec>(reductions[0]->detail).axes);
  result.stored.assign(stored.begin(), stored.end());
  const index_map& map = result.map;
  group_builder builder(map.domain, edge);
  for (const node_ptr& n : reductions) {
    const auto& spec = std::get<reduction_spec>(n->detail);
    builder.made().note_operation(*n);
    auto value = builder.value(n->operands[0], map);
    if (builder.made().body.type_of(value) != spec.computed)
      value = builder.made().body.apply(kernels::opcode::convert, spec.computed, {value});
    builder.made().outputs.push_back({value, -1, nullptr});
    if (spec.by == combiner::argmin || spec.by == combiner::argmax)
      builder.made().outputs.push_back({builder.position(), -1, nullptr});
    result.wanted.push_back({spec, n->type});
  }
  if (result.is_one_launch()) result.add_finished(builder);
  result.elements = std::move(builder.made());
  return result;
}

void run_reductions(graph& owner, std::span<const node_ptr> reductions, std::span<const node_ptr> stored,
                    group_builder::boundary& edge, call_site here) {
  launch_reduction(owner, make_reduce_group(reductions, stored, edge), edge, here);
  for (const node_ptr& n : stored) store(owner, *n, n->array);
}

std::string describe_template(graph& owner, const node_ptr& made, group_builder::boundary& edge) {
  switch (made->kind) {
    case node_kind::update:
      return describe_update(owner, made, edge);
    case node_kind::gather:
      return describe_gather(owner, made, edge);
    case node_kind::scan:
      return describe_scan(owner, made, edge);
    default:
      throw error("there is no such operation on arrays");
  }
}

void run_template(graph& owner, const node_ptr& made, group_builder::boundary& edge, call_site here) {
  switch (made->kind) {
    case node_kind::update:
      run_update(owner, made, edge, here);
      break;
    case node_kind::gather:
      run_gather(owner, made, edge, here);
      break;
    case node_kind::scan:
      run_scan(owner, made, edge, here);
      break;
    default:
      throw error("there is no such operation on arrays");
  }
  store(owner, *made, made->array);
}

}  // namespace tessera::nd
