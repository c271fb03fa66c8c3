#include "tessera/nd/fuse/scan.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/emit/reduce_launch.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/scan_text.h"
#include "tessera/nd/graph/graph.h"
#include "tessera/nd/graph/record.h"

namespace tessera::nd {
namespace {

constexpr std::int64_t most_blocks = 65535;  // of a grid along y

kernels::opcode operation_of(combiner by) {
  return by == combiner::product   ? kernels::opcode::multiply
         : by == combiner::minimum ? kernels::opcode::nan_minimum
         : by == combiner::maximum ? kernels::opcode::nan_maximum
                                   : kernels::opcode::add;
}

annotation_text rules_of(const scan_step& step) {
  const bool has_rows = step.space.launch_axes() > 1;
  const char* more = !step.has_carry ? "" : has_rows ? "read carry[y0:y1, bx - 1]" : "read carry[0, bx - 1]";
  return make_annotation(step.elements, step.space, more);
}

void launch_scan(graph& owner, const scan_step& step, const node* carry, call_site here) {
  std::string key = "s";
  key += static_cast<char>(step.combine);
  key += static_cast<char>(step.has_carry);
  append_text_key(key, step.elements, step.space);
  append_annotation_key(key, step.elements, step.space);
  const auto make = [&] {
    return emit_kernel(owner, step.elements, scan_text(step), rules_of(step), scan_function(step));
  };
  bool is_new = false;
  const emitted_kernel& emitted = owner.kernels().find(key, make, is_new);
  std::vector<argument> arguments = make_arguments(owner, step.elements, step.space, here);
  if (carry != nullptr) arguments.push_back({carry->array});
  emitted.code.launch_with(make_options(emitted, step.elements, step.space, scan_step::threads, here), arguments);
  graph_stats& counters = owner.counters();
  ++(is_new ? counters.kernels : counters.reused_kernels);
  ++counters.launches;
  counters.declared_bytes += declared_bytes(step.elements);
}

/// With about `wanted` rows to a thread block, `least` or more, such that those of a block are a box of what is
/// written.
launch_space space_for(const group& made, std::span<const int> axes, std::int64_t wanted, std::int64_t least) {
  const auto with = [&](std::int64_t tile) {
    return launch_space::along_axes(made, axes, {scan_step::chunk, tile, 1});
  };
  const auto is_aligned = [](const launch_space& space) {
    for (int j = 0; j < space.axes(); ++j)
      if (space.launch_axis(j) == 1 && !space.is_aligned(j)) return false;
    return true;
  };
  for (std::int64_t tile = wanted; tile >= std::max<std::int64_t>(least, 1); --tile)
    if (launch_space space = with(tile); is_aligned(space)) return space;
  // Whole rows of the last axis that is kept, as many as it takes.
  const launch_space one = with(1);
  std::int64_t row = 1;
  for (int j = 0; j < one.axes(); ++j)
    if (one.launch_axis(j) == 1) row = one.space().domain[j];
  for (std::int64_t tile = row * ceil_div(least, row);; tile += row)
    if (launch_space space = with(tile); is_aligned(space)) return space;
}

class stored_only final : public group_builder::boundary {
 public:
  [[nodiscard]] bool is_loaded(const node&) const override { return true; }
  void note_computed(const node&, int) override {}
};

/// What all elements up to the end of each chunk combine to, per row.
node_ptr make_carry(graph& owner, const node_ptr& made, const reduce_group& rows, call_site here) {
  const array_base totals = launch_chunk_totals(owner, rows, scan_step::chunk, here)[0];
  auto carry = std::make_shared<node>();
  carry->kind = node_kind::scan;
  carry->type = made->type;
  carry->shape = totals.shape();
  carry->operands[0] = make_stored(totals, layout(), here);
  carry->detail = scan_spec{std::get<scan_spec>(made->detail).by, 1};
  stored_only edge;
  run_scan(owner, carry, edge, here);
  return carry;
}

/// What a scan is made of.
struct scan_parts {
  reduce_group rows;      ///< Sequences, and for those of several chunks their elements.
  group_builder builder;  ///< Of the elements.
  kernels::expression::value value{};
  kernels::opcode combine;

  scan_parts(const node_ptr& made, reduce_group sequences, group_builder::boundary& edge)
      : rows(std::move(sequences)),
        builder(rows.map.domain, edge),
        value(builder.value(made->operands[0], rows.map)),
        combine(operation_of(std::get<scan_spec>(made->detail).by)) {
    builder.made().note_operation(*made);
    if (builder.made().body.type_of(value) != made->type)
      value = builder.made().body.apply(kernels::opcode::convert, made->type, {value});
  }
  [[nodiscard]] bool has_carry() const { return rows.count > scan_step::chunk; }
  [[nodiscard]] scan_step step(const launch_space& space) { return {builder.made(), space, combine, has_carry()}; }
};

scan_parts parts_of(const node_ptr& made, group_builder::boundary& edge) {
  reduce_group rows;
  static_cast<reduction_axes&>(rows) = reduction_axes::of_sequence(made->shape, std::get<scan_spec>(made->detail).axis);
  return {made, std::move(rows), edge};
}

/// The space of the launch that writes the elements, of which the group then has the access.
launch_space add_last(const node_ptr& made, scan_parts& parts) {
  const reduce_group& rows = parts.rows;
  const int store = parts.builder.add_store(made, rows.map);
  parts.builder.made().outputs.push_back({parts.value, store, nullptr});
  std::vector<int> axes;
  for (int j = 0; j < rows.map.domain.rank(); ++j) axes.push_back(j < rows.kept ? 1 : 0);
  const std::int64_t few = std::clamp<std::int64_t>(scan_step::chunk / rows.count, 1, 64);
  const std::int64_t tile =
      std::max(std::min(few, std::max<std::int64_t>(rows.rows / 64, 1)), ceil_div(rows.rows, most_blocks));
  return space_for(parts.builder.made(), axes, tile, ceil_div(rows.rows, most_blocks));
}

}  // namespace

std::string describe_scan(graph& owner, const node_ptr& made, group_builder::boundary& edge) {
  scan_parts parts = parts_of(made, edge);
  const launch_space space = add_last(made, parts);
  const scan_step step = parts.step(space);
  const std::int64_t chunks = ceil_div(parts.rows.count, scan_step::chunk);
  const std::string before =
      chunks == 1 ? "" : cat("  behind the totals of ", chunks, " chunks of each sequence, and a scan of these\n");
  return before + describe_kernel(owner, step.elements, scan_text(step), rules_of(step));
}

void run_scan(graph& owner, const node_ptr& made, group_builder::boundary& edge, call_site here) {
  const auto& spec = std::get<scan_spec>(made->detail);
  scan_parts parts = parts_of(made, edge);
  node_ptr carry;
  if (parts.has_carry()) {
    reduction_spec along{spec.by, {}, 0, made->type};
    along.axes[index(spec.axis)] = true;
    parts.rows.wanted = {{along, made->type}};
    parts.rows.elements = parts.builder.made();
    parts.rows.elements.outputs.push_back({parts.value, -1, nullptr});
    carry = make_carry(owner, made, parts.rows, here);
  }
  const launch_space space = add_last(made, parts);
  launch_scan(owner, parts.step(space), carry.get(), here);
}

}  // namespace tessera::nd
