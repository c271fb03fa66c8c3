#include "tessera/kernel/wrap/loop_text.h"

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/write.h"
#include "tessera/kernel/index/uniform_loops.h"
#include "tessera/kernel/strip/strip_text.h"

namespace tessera::kernels {
namespace {

std::map<std::size_t, std::string> find_summed(const kernel_text& kernel, const std::vector<accumulation>& calls) {
  std::map<std::size_t, std::string> result;
  // The loop works on a copy of the arguments for each thread, which must cost nothing.
  for (const parameter& p : kernel.parameters)
    if (p.is_struct && !p.is_pointer) return {};
  for (const accumulation& a : calls) {
    std::size_t parameter = 0;
    while (kernel.parameters[parameter].name != a.name) ++parameter;
    const dtype type = kernel.parameters[parameter].type;
    const bool number = type.is_integer() || type == dtype_of<float>() || type == dtype_of<double>();
    const std::string& element = result.emplace(parameter, a.element).first->second;
    if (a.element.empty() || element != a.element || !number || parameter >= 64) return {};
  }
  return result;
}

constexpr std::string_view before_sum = "((decltype(";
std::string behind_sum(const direct_sum& sum) {
  return cat(sum.wide ? "" : ", 0LL", "))__tessera_at.", "xyz"[static_cast<std::size_t>(sum.axis)], ")");
}

/// The tokens of `range`, with sums as `replace_sums` has them.
std::string counted(const outline& source, token_range range, const index_use& use) {
  std::string text;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const char* const at = source.code[i].text.data();
    for (const direct_sum& sum : use.direct)
      if (sum.first.text.data() == at) text += before_sum;
    text += cat(source.code[i].text, " ");
    for (const direct_sum& sum : use.direct)
      if (sum.last.text.data() == at) text += behind_sum(sum);
  }
  return text;
}

}  // namespace

loop_plan plan_loops(const kernel_text& kernel, const parsed_kernel& source) {
  std::vector<std::string_view> scalars;  // in the order of parameters; what is none has no name
  for (const parameter& p : kernel.parameters)
    scalars.push_back(p.is_pointer || !p.type.is_integer() ? std::string_view() : p.name);
  loop_plan plan{find_index_use(source.parsed, source.kernel()),
                 std::nullopt,
                 {},
                 first_turns(source.parsed, source.kernel(), scalars),
                 {},
                 find_function(source.parsed, strip_name).has_value()};
  for (const parameter& p : kernel.parameters) {
    if (!p.accumulates) continue;
    const std::vector<accumulation> calls = find_accumulations(source.parsed, source.kernel(), p.name);
    plan.accumulations.insert(plan.accumulations.end(), calls.begin(), calls.end());
  }
  plan.summed = find_summed(kernel, plan.accumulations);
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
    edits.insert_after(source.code[a.call + 1], cat("__tessera_at.owner(", parameter, "), "));
  }
}

void replace_sums(const index_use& use, text_edits& edits) {
  for (const direct_sum& sum : use.direct) {
    edits.insert_before(sum.first, std::string(before_sum));
    edits.insert_after(sum.last, behind_sum(sum));
  }
}

std::string write_strip(const parsed_kernel& source, const loop_plan& plan, text_edits& edits) {
  barrier_plan cuts = plan_strip(source);
  for (const std::string_view name : {guard_name, strip_name}) {
    const declaration& d = source.parsed.declarations[find_function(source.parsed, name).value()];
    const index_use use = plan.use.direct.empty() ? index_use{} : find_index_use(source.parsed, d);
    replace_sums(use, edits);
    if (name == guard_name) continue;
    edits.insert_after(source.parsed.code[d.body.begin - 1], " __tessera_begin_strip");
    for (carried_variable& v : cuts.carried) {
      v.of_lane.clear();  // strips need not begin with a warp
      if (!v.declaration.empty())
        v.declaration = cat(v.type, " ", v.name, " = ", counted(source.parsed, v.initial, use));
    }
  }
  write_split(source.parsed, cuts, false, edits);
  return cat("#define __tessera_counter ", plan.is_wide() ? "long long" : "int", "\n");
}

}  // namespace tessera::kernels
