#include "tessera/kernel/wrap/loop_text.h"

#include "tessera/base/text.h"
#include "tessera/kernel/index/uniform_loops.h"

namespace tessera::kernels {

loop_plan plan_loops(const kernel_text& kernel, const parsed_kernel& source) {
  std::vector<std::string_view> scalars;  // in the order of parameters; what is none has no name
  for (const parameter& p : kernel.parameters)
    scalars.push_back(p.is_pointer || !p.type.is_integer() ? std::string_view() : p.name);
  loop_plan plan{find_index_use(source.parsed, source.kernel()),
                 std::nullopt,
                 {},
                 first_turns(source.parsed, source.kernel(), scalars)};
  for (const parameter& p : kernel.parameters) {
    if (!p.accumulates) continue;
    const std::vector<accumulation> calls = find_accumulations(source.parsed, source.kernel(), p.name);
    plan.accumulations.insert(plan.accumulations.end(), calls.begin(), calls.end());
  }
  if (!kernel.features.grid_stride) return plan;
  plan.walk = find_grid_stride(source.parsed, source.needed);
  // A counter of 64 bits goes on where the sum that it began as would wrap.
  plan.use.wide = plan.use.counted_in[0] != wide_index::none;
  return plan;
}

void replace_walk(const outline& source, const grid_stride& walk, text_edits& edits) {
  const auto blank = [&](token_range range) {
    for (std::size_t i = range.begin; i < range.end; ++i) edits.replace(source.code[i], " ");
  };
  const std::size_t head = walk.loop.begin;
  blank(walk.step);
  if (walk.is_while) {
    edits.replace(source.code[head], "if");
    return;
  }
  edits.replace(source.code[head], "{");
  edits.replace(source.code[head + 1], " ");
  edits.insert_before(source.code[walk.condition.begin], "if (");
  edits.replace(source.code[walk.condition.end], ")");
  edits.replace(source.code[walk.step.end], " do {");
  edits.insert_after(source.code[walk.loop.end - 1], "} while (0); }");
}

void replace_atomics(const kernel_text& kernel, const outline& source, const loop_plan& plan, text_edits& edits) {
  for (const accumulation& a : plan.accumulations) {
    std::size_t parameter = 0;
    while (kernel.parameters[parameter].name != a.name) ++parameter;
    if (parameter >= 64) continue;  // has no bit
    edits.insert_before(source.code[a.call], "__tessera_");
    edits.insert_after(source.code[a.call + 1], cat("__tessera_at.own >> ", parameter, " & 1, "));
  }
}

void replace_sums(const index_use& use, text_edits& edits) {
  for (const direct_sum& sum : use.direct) {
    edits.insert_before(sum.first, "((decltype(");
    edits.insert_after(sum.last,
                       cat(sum.wide ? "" : ", 0LL", "))__tessera_at.", "xyz"[static_cast<std::size_t>(sum.axis)], ")"));
  }
}

}  // namespace tessera::kernels
