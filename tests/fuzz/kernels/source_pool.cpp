#include "tests/fuzz/kernels/source_pool.h"

#include "tessera/base/text.h"
#include "tests/fuzz/generate/launch.h"
#include "tests/fuzz/kernels/source_entry.h"
#include "tests/fuzz/print/pool_variables.h"
#include "tests/fuzz/program/text.h"

namespace tessera::fuzz {
namespace {

const source_entry& entry_of(const launch_op& o) { return source_entries()[static_cast<std::size_t>(o.source)]; }

bool uses_blocks(const rule& r) {
  for (const index_spec& i : r.indices)
    if (i.first && !i.first->terms.empty() && i.first->terms.front().name >= name_bi) return true;
  return false;
}

/// Leaves only the names that occur: binding a block's name has consequences of its own.
void drop_unused_names(kernel& k) {
  std::vector<int> place(k.names.size(), -1);
  std::vector<bound> used;
  const auto rename = [&](std::optional<index_expr>& e) {
    if (!e) return;
    for (index_expr::term& t : e->terms) {
      int& p = place[static_cast<std::size_t>(t.name)];
      if (p < 0) {
        p = static_cast<int>(used.size());
        used.push_back(k.names[static_cast<std::size_t>(t.name)]);
      }
      t.name = p;
    }
  };
  for (parameter& p : k.parameters)
    for (rule& r : p.rules)
      for (index_spec& i : r.indices) rename(i.first), rename(i.last);
  k.names = std::move(used);
}

/// Elements between neighbours on `axis`.
std::int64_t pitch_of(const plain_handle& h, std::size_t axis) {
  const int_list& shape = h.array->shape;
  return axis + 1 < shape.size() ? volume({shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end()}) : 1;
}

source_shapes shapes_of(const std::vector<plain_handle>& arguments) {
  source_shapes s;
  for (const plain_handle& h : arguments) s.shapes.push_back(shape_of(h.part));
  for (std::size_t axis = 0; axis < 2; ++axis)
    for (const plain_handle& h : arguments) s.pitch.push_back(pitch_of(h, axis));
  return s;
}

/// As launch_op::drawn_for has it.
int_list key_of(const int_list& threads, const std::vector<plain_handle>& arguments) {
  int_list key = threads;
  for (const plain_handle& h : arguments) {
    if (!h.array) continue;
    const int_list shape = shape_of(h.part);
    key.insert(key.end(), shape.begin(), shape.end());
    key.push_back(pitch_of(h, 0));
    key.push_back(pitch_of(h, 1));
  }
  return key;
}

/// Arrays of the wanted types and ranks, or nothing.
std::optional<std::vector<argument_spec>> draw_arguments(random_source& random, const reference& state,
                                                         const source_entry& e) {
  std::vector<argument_spec> result;
  for (const source_entry::need& need : e.arrays) {
    std::optional<argument_spec> found;
    constexpr int tries = 8;
    for (int n = 0; n < tries && !found; ++n) {
      found = draw_argument(random, state, 30);
      if (found && (state.at(found->slot).array->type != need.type || found->part.lo.size() != need.rank))
        found.reset();
    }
    if (!found) return std::nullopt;
    result.push_back(std::move(*found));
  }
  return result;
}

}  // namespace

std::vector<bound> standard_names() {
  std::vector<bound> names;
  for (const bound::kind from : {bound::kind::global, bound::kind::block})
    for (int axis = 0; axis < 3; ++axis) names.push_back({from, axis, std::nullopt});
  return names;
}

const std::vector<source_entry>& source_entries() {
  static const std::vector<source_entry> all = [] {
    std::vector<source_entry> list = element_kernels();
    for (source_entry& e : stencil_kernels()) list.push_back(std::move(e));
    for (source_entry& e : block_kernels()) list.push_back(std::move(e));
    for (source_entry& e : row_kernels()) list.push_back(std::move(e));
    for (source_entry& e : variable_kernels()) list.push_back(std::move(e));
    for (source_entry& e : loop_kernels()) list.push_back(std::move(e));
    for (source_entry& e : registered_kernels()) list.push_back(std::move(e));
    return list;
  }();
  return all;
}

std::optional<launch_op> draw_source_launch(random_source& random, const reference& state) {
  launch_op l;
  constexpr int tries = 6;
  for (int n = 0; n < tries; ++n) {
    l.source = static_cast<int>(random.in(0, static_cast<std::int64_t>(source_entries().size()) - 1));
    const source_entry& e = entry_of(l);
    auto arguments = draw_arguments(random, state, e);
    if (!arguments) continue;
    l.arguments = std::move(*arguments);
    l.block = e.block;
    std::vector<plain_handle> handles;
    for (const argument_spec& o : l.arguments) handles.push_back(state.resolve(o));
    e.size(random, shapes_of(handles), l.threads, l.scalars);
    l.drawn_for = key_of(l.threads, handles);
    draw_form(random, state, l);
    return l;
  }
  return std::nullopt;
}

bool suits_source(const launch_op& o, const std::vector<plain_handle>& arguments) {
  const int_list key = key_of(o.threads, arguments);
  if (key.size() != o.drawn_for.size()) return false;
  const std::size_t axes = o.threads.size();
  for (std::size_t k = 0; k < key.size(); ++k)
    if (k < axes ? key[k] > o.drawn_for[k] : key[k] != o.drawn_for[k]) return false;
  return true;
}

std::optional<kernel> source_kernel(const launch_op& o) {
  const source_entry& e = entry_of(o);
  if (o.arguments.size() != e.arrays.size()) return std::nullopt;
  kernel k;
  k.names = standard_names();
  const auto rules = e.rules(o.scalars);
  for (std::size_t p = 0; p < e.arrays.size(); ++p) {
    parameter q;
    q.type = e.arrays[p].type;
    q.op = e.op;
    q.rules = rules[p];
    for (rule& r : q.rules) r.leader = e.by_block && uses_blocks(r) && modifies(r.mode);
    q.is_const = !modifies(q.rules.front().mode);
    k.parameters.push_back(std::move(q));
  }
  drop_unused_names(k);
  return k;
}

thread_body source_body(const launch_op& o) {
  // The grid as the launch has it: `gridDim` counts blocks, padded or not.
  return [&e = entry_of(o), g = grid{o.threads, o.block}, scalars = o.scalars](std::span<const memory_view> arrays,
                                                                               std::span<const std::int64_t> x) {
    if (!e.by_block || is_leader(g, x)) e.reference(g, arrays, scalars, x);
  };
}

tessera::kernel load_source(context& c, const launch_op& o, std::vector<argument>& arguments) {
  const source_entry& e = entry_of(o);
  for (const std::int64_t v : o.scalars) arguments.push_back(argument::from(static_cast<std::int32_t>(v)));
  const std::string annotation = text_of(*source_kernel(o), {o.threads, o.block}).annotation;
  tessera::kernel k = c.compile(
      e.text, e.name, {.annotation = annotation, .cpu_source = e.cpu_text, .reductions = reductions_of(e.op)});
  if (o.scalars.size() > 2) prepare_variables(c, k, e.text, static_cast<int>(o.scalars[2]));
  return k;
}

std::string source_text(const launch_op& o) {
  const source_entry& e = entry_of(o);
  const std::string annotation = text_of(*source_kernel(o), {o.threads, o.block}).annotation;
  std::string reductions;
  for (const registered_reduction& r : reductions_of(e.op))
    reductions += cat("{\"", r.name, "\", \"", r.identity, "\", R\"(", r.combine, ")\"}");
  return cat("compile(R\"(", e.text, ")\", \"", e.name, "\", {.annotation = \"", annotation, "\", .cpu_source = R\"(",
             e.cpu_text, ")\", .reductions = {", reductions, "}})");
}

std::string preparation_text(const launch_op& o, const std::string& kernel) {
  if (o.scalars.size() <= 2) return {};
  return cat("tessera::fuzz::prepare_variables(ctx, ", kernel, ", R\"(", entry_of(o).text, ")\", ", o.scalars[2], ");");
}

}  // namespace tessera::fuzz
