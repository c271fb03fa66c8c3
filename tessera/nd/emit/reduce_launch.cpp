#include "tessera/nd/emit/reduce_launch.h"

#include <algorithm>
#include <bit>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/emit/reduce_function.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/reduce_text.h"
#include "tessera/nd/graph/graph.h"
#include "tessera/nd/graph/record.h"

namespace tessera::nd {
namespace {

constexpr std::int64_t most_blocks = launch_space::most_blocks;

/// The least power of two that is no less than n.
std::int64_t power_of_two_from(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))));
}

launch_space space_for(const reduce_group& reduced, std::int64_t chunk) {
  return reduced.form == reduction_form::inner ? inner_space(reduced.elements, reduced, chunk)
                                               : outer_space(reduced.elements, reduced);
}

/// The array whose parts the launch follows: the largest that it reads.
const group_array* largest_input(const group& made) {
  const group_array* found = nullptr;
  for (const group_array& a : made.arrays)
    if (found == nullptr || a.version->size() > found->version->size()) found = &a;
  return found;
}

emitted_kernel emit(graph& owner, const reduce_step& step) {
  return emit_kernel(owner, step.reduced.elements, reduce_text(step),
                     make_annotation(step.reduced.elements, step.space, reduce_rules(step)), reduce_function(step));
}

void launch_step(graph& owner, const reduce_step& step, std::span<const array_base> outputs, call_site here) {
  std::string key = "r";
  append_reduce_key(key, step);
  bool is_new = false;
  const emitted_kernel& emitted = owner.kernels().find(
      key, [&] { return emit(owner, step); }, is_new);
  const group& made = step.reduced.elements;
  std::vector<argument> arguments = make_arguments(owner, made, step.space, here);
  for (const array_base& output : outputs) arguments.push_back({output});
  launch_options options = make_options(emitted, made, step.space, reduce_threads, here);
  if (const group_array* followed = largest_input(made); followed != nullptr && owner.devices() > 1)
    options.split = like(owner.array_of(*followed->version));
  emitted.code.launch_with(options, arguments);
  graph_stats& counters = owner.counters();
  ++(is_new ? counters.kernels : counters.reused_kernels);
  ++counters.launches;
  counters.declared_bytes += declared_bytes(made);
  for (const array_base& output : outputs)
    counters.declared_bytes += output.size() * static_cast<std::int64_t>(output.type().size);
}

/// The states of chunks as the elements of a reduction.
reduce_group group_of_states(const reduce_group& reduced, const std::vector<node_ptr>& states, std::int64_t chunks,
                             group_builder::boundary& edge) {
  reduce_group next;
  next.form = reduced.form;
  next.wanted = reduced.wanted;
  next.stored = reduced.stored;
  next.rows = reduced.rows;
  next.columns = reduced.columns;
  next.count = chunks;
  const bool has_rows = reduced.rows > 1, outer = reduced.form == reduction_form::outer;
  std::vector<std::int64_t> domain;
  if (has_rows) domain.push_back(reduced.rows);
  domain.push_back(chunks);
  if (outer) domain.push_back(reduced.columns);
  next.kept = (has_rows ? 1 : 0) + (outer ? 1 : 0);
  next.combined = 1;
  group_builder builder{extents(domain), edge};
  index_map map{extents(domain), outer ? 3 : 2, {}};
  for (int axis = has_rows ? 0 : 1, j = 0; axis < map.source_rank; ++axis, ++j) map.terms[index(axis)] = {0, 1, j};
  for (const node_ptr& state : states) builder.made().outputs.push_back({builder.value(state, map), -1, nullptr});
  if (next.is_one_launch()) next.add_finished(builder);
  next.elements = std::move(builder.made());
  return next;
}

/// Arrays for the states of chunks.
std::vector<array_base> make_states(graph& owner, const reduce_group& reduced, const reduction_functions& functions,
                                    std::int64_t chunks, call_site here) {
  const extents shape = reduced.form == reduction_form::inner ? extents{reduced.rows, chunks}
                                                              : extents{reduced.rows, chunks, reduced.columns};
  std::vector<array_base> made;
  for (const scalar_kind type : functions.pieces)
    made.push_back(owner.ctx().empty(shape, dtype::make(type), automatic(), here));
  return made;
}

}  // namespace

launch_space inner_space(const group& elements, const reduction_axes& axes, std::int64_t chunk) {
  std::vector<int> along;
  for (int j = 0; j < elements.domain.rank(); ++j) along.push_back(j < axes.kept ? 1 : 0);
  // Short sequences share a block, so that one has something to do.
  const std::int64_t few =
      std::clamp<std::int64_t>(reduction_order::piece / std::max<std::int64_t>(axes.count, 1), 1, 64);
  const std::int64_t rows =
      std::max(std::min(few, std::max<std::int64_t>(axes.rows / 64, 1)), ceil_div(axes.rows, most_blocks));
  return launch_space::along_axes(elements, along, {chunk, rows, 1});
}

launch_space outer_space(const group& elements, const reduction_axes& axes) {
  std::vector<int> along;
  const int rank = elements.domain.rank();
  for (int j = 0; j < rank; ++j) along.push_back(j == rank - 1 ? 0 : j < axes.kept - 1 ? 2 : 1);
  const auto share = [](std::int64_t parts) { return std::max<std::int64_t>(ceil_div(parts, most_blocks), 1); };
  const std::int64_t all = ceil_div(axes.count, reduction_order::rows);
  const std::int64_t wide = std::min<std::int64_t>(reduce_threads, power_of_two_from(axes.columns));
  const std::int64_t pieces = std::max(share(all), std::min(all, reduce_threads / wide));
  const std::int64_t rows = std::max(share(axes.rows), std::min(axes.rows, reduce_threads / wide / pieces));
  launch_space made = launch_space::along_axes(elements, along, {wide, pieces * reduction_order::rows, rows});
  made.set_pieces(pieces);
  return made;
}

void add_divisors(group& made, const std::vector<double>& divisors) {
  for (const double& d : divisors)
    static_cast<void>(made.body.constant(scalar_kind::float64, std::as_bytes(std::span(&d, 1))));
}

std::vector<array_base> launch_chunk_totals(graph& owner, const reduce_group& reduced, std::int64_t chunk,
                                            call_site here) {
  const reduction_functions functions(reduced.wanted, reduced.count);
  const launch_space space = space_for(reduced, chunk);
  std::vector<array_base> outputs = make_states(owner, reduced, functions, ceil_div(reduced.count, chunk), here);
  launch_step(owner, {reduced, functions, space, false, 0}, outputs, here);
  return outputs;
}

std::string describe_reduction(graph& owner, reduce_group reduced) {
  const reduction_functions functions(reduced.wanted, reduced.count);
  const std::int64_t chunks = reduced.chunks();
  const int first_divisor = static_cast<int>(reduced.elements.body.constants().size());
  add_divisors(reduced.elements, functions.divisors);
  const launch_space space = space_for(reduced, reduction_order::chunk(reduced.count));
  const reduce_step step{reduced, functions, space, chunks == 1, first_divisor};
  return cat(describe_kernel(owner, reduced.elements, reduce_text(step),
                             make_annotation(reduced.elements, space, reduce_rules(step))),
             chunks == 1 ? "" : cat("  and what combines ", chunks, " results of chunks for each of its own\n"));
}

void launch_reduction(graph& owner, reduce_group reduced, group_builder::boundary& edge, call_site here) {
  const reduction_functions of_elements(reduced.wanted, reduced.count);
  const reduction_functions of_states = of_elements.of_pieces();
  const reduction_functions* functions = &of_elements;
  for (;;) {
    const std::int64_t chunks = reduced.chunks();
    const int first_divisor = static_cast<int>(reduced.elements.body.constants().size());
    add_divisors(reduced.elements, functions->divisors);
    const launch_space space = space_for(reduced, reduction_order::chunk(reduced.count));
    const reduce_step step{reduced, *functions, space, chunks == 1, first_divisor};
    std::vector<array_base> outputs;
    if (step.is_last) {
      for (const node_ptr& n : reduced.stored) {
        const simple_distribution where = n->placement.distribution_of(n->shape, owner.devices());
        n->array = owner.ctx().empty(n->shape, dtype::make(n->type), where, here);
        outputs.push_back(n->array);
      }
      return launch_step(owner, step, outputs, here);
    }
    outputs = make_states(owner, reduced, *functions, chunks, here);
    launch_step(owner, step, outputs, here);
    std::vector<node_ptr> states;
    for (const array_base& output : outputs) states.push_back(make_stored(output, layout(), here));
    reduced = group_of_states(reduced, states, chunks, edge);
    functions = &of_states;
  }
}

}  // namespace tessera::nd
