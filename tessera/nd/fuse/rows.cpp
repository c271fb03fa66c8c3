#include "tessera/nd/fuse/rows.h"

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/emit/rows_launch.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

constexpr std::int64_t most_kept_bytes = 10;  // per element: 40 KiB of the memory that a GPU's block has

/// From the domain of rows to an array with one element per row.
index_map row_map(const extents& domain, const extents& shape) {
  index_map map{domain, shape.rank(), {}};
  int axis = 0;
  for (int k = 0; k < shape.rank(); ++k)
    if (shape[k] > 1) map.terms[index(k)] = {0, 1, axis++};
  return map;
}

class rows_builder {
 public:
  rows_builder(rows_group& made, group_builder::boundary& edge) : made_(made), builder_(made.map.domain, edge) {}

  void add_stage(const std::vector<node_ptr>& reductions) {
    row_stage stage;
    stage.first_result = results_;
    for (const node_ptr& n : reductions) add_reduction(n, stage);
    made_.stages.push_back(std::move(stage));
  }

  void finish(const rows_request& wanted) {
    for (const node_ptr& n : wanted.elements) {
      const auto value = builder_.value(n, made_.map);
      builder_.made().outputs.push_back({value, builder_.add_store(n, made_.map), n});
    }
    for (const node_ptr& n : wanted.stored)
      made_.finished.push_back(builder_.value(n, row_map(made_.map.domain, n->shape)));
    note_kept();
    made_.elements = std::move(builder_.made());
  }

 private:
  void add_reduction(const node_ptr& n, row_stage& stage) {
    const auto& spec = std::get<reduction_spec>(n->detail);
    const node_ptr& operand = n->operands[0];
    builder_.made().note_operation(*n);
    auto value = builder_.value(operand, made_.map);
    const scalar_kind type = builder_.made().body.type_of(value);
    const std::int64_t size = size_of(type);
    if (operand->kind == node_kind::map && kept_bytes_ + size <= most_kept_bytes) {
      kept_bytes_ += size;
      builder_.keep(operand, made_.map, static_cast<int>(made_.kept.size()));
      made_.kept.push_back({value, type, made_.stages.size()});
    }
    if (type != spec.computed) value = builder_.made().body.apply(kernels::opcode::convert, spec.computed, {value});
    stage.lanes.push_back(value);
    if (spec.by == combiner::argmin || spec.by == combiner::argmax) stage.lanes.push_back(builder_.position());
    stage.wanted.push_back({spec, n->type});
    ++results_;
  }

  void note_kept() {
    std::vector<kernels::expression::value> all;
    for (const row_stage& stage : made_.stages) all.insert(all.end(), stage.lanes.begin(), stage.lanes.end());
    for (const group_output& output : builder_.made().outputs) all.push_back(output.value);
    const std::vector<bool> needed = needed_parameters(builder_.made(), all);
    for (std::size_t k = 0; k < needed.size(); ++k)
      if (const group_parameter& p = builder_.made().parameters[k]; p.from == group_parameter::source::kept)
        made_.kept[index(p.which)].is_used = made_.kept[index(p.which)].is_used || needed[k];
  }

  rows_group& made_;
  group_builder builder_;
  int results_ = 0;
  std::int64_t kept_bytes_ = 0;
};

}  // namespace

bool is_row_reduction(const node& reduced, const extents& shape) {
  if (reduced.kind != node_kind::reduce || reduced.operands[0]->shape != shape) return false;
  const reduction_axes axes(shape, std::get<reduction_spec>(reduced.detail).axes);
  if (axes.form != reduction_form::inner || axes.count < 2 || axes.count > longest_row) return false;
  int next = 0;  // axes must come in their own order
  for (int k = 0; k < shape.rank(); ++k)
    if (shape[k] > 1 && axes.map.terms[index(k)].axis != next++) return false;
  return true;
}

bool is_own_row(const node& reduced, const index_map& map) {
  if (planted("other_row_taken")) return true;
  int next = 0;
  for (int k = 0; k < reduced.shape.rank(); ++k)
    if (reduced.shape[k] > 1 && map.terms[index(k)] != index_map::term{0, 1, next++}) return false;
  return true;
}

rows_group make_rows_group(const rows_request& wanted, group_builder::boundary& edge) {
  const node& first = *wanted.stages[0][0];
  rows_group made;
  static_cast<reduction_axes&>(made) =
      reduction_axes(first.operands[0]->shape, std::get<reduction_spec>(first.detail).axes);
  made.stored = wanted.stored;
  rows_builder builder(made, edge);
  for (const std::vector<node_ptr>& stage : wanted.stages) builder.add_stage(stage);
  builder.finish(wanted);
  return made;
}

void run_rows(graph& owner, const rows_request& wanted, group_builder::boundary& edge, call_site here) {
  launch_rows(owner, make_rows_group(wanted, edge), here);
  for (const node_ptr& n : wanted.elements) store(owner, *n, n->array);
  for (const node_ptr& n : wanted.stored) store(owner, *n, n->array);
}

}  // namespace tessera::nd
