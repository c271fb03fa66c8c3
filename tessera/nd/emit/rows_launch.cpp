#include "tessera/nd/emit/rows_launch.h"

#include "tessera/base/text.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/emit/reduce_launch.h"
#include "tessera/nd/emit/rows_function.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/reduce_text.h"
#include "tessera/nd/emit/text/rows_text.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {
namespace {

emitted_kernel emit(graph& owner, const rows_step& step) {
  return emit_kernel(owner, step.rows.elements, rows_text(step),
                     make_annotation(step.rows.elements, step.space, rows_rules(step)), rows_function(step));
}

/// The functions of each stage, whose divisors become numbers of the group's function.
std::vector<stage_functions> make_functions(rows_group& rows) {
  std::vector<stage_functions> made;
  for (const row_stage& stage : rows.stages) {
    const auto first = static_cast<int>(rows.elements.body.constants().size());
    made.push_back({reduction_functions(stage.wanted, rows.count), first});
    add_divisors(rows.elements, made.back().functions.divisors);
  }
  return made;
}

}  // namespace

std::string describe_rows(graph& owner, rows_group rows) {
  const std::vector<stage_functions> functions = make_functions(rows);
  const launch_space space = inner_space(rows.elements, rows, longest_row);
  const rows_step step{rows, functions, space};
  return describe_kernel(owner, rows.elements, rows_text(step),
                         make_annotation(rows.elements, space, rows_rules(step)));
}

void launch_rows(graph& owner, rows_group rows, call_site here) {
  const std::vector<stage_functions> functions = make_functions(rows);
  const launch_space space = inner_space(rows.elements, rows, longest_row);
  const rows_step step{rows, functions, space};
  std::string key = "w";
  append_rows_key(key, step);
  bool is_new = false;
  const emitted_kernel& emitted = owner.kernels().find(
      key, [&] { return emit(owner, step); }, is_new);
  std::vector<argument> arguments = make_arguments(owner, rows.elements, space, here);
  graph_stats& counters = owner.counters();
  for (const node_ptr& n : rows.stored) {
    const simple_distribution where = n->placement.distribution_of(n->shape, owner.devices());
    n->array = owner.ctx().empty(n->shape, dtype::make(n->type), where, here);
    arguments.push_back({n->array});
    counters.declared_bytes += n->bytes();
  }
  emitted.code.launch_with(make_options(emitted, rows.elements, space, reduce_threads, here), arguments);
  ++(is_new ? counters.kernels : counters.reused_kernels);
  ++counters.launches;
  counters.declared_bytes += declared_bytes(rows.elements);
}

}  // namespace tessera::nd
