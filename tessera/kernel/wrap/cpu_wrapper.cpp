#include "tessera/kernel/wrap/cpu_wrapper.h"

#include <array>
#include <stdexcept>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/analysis/shared_atomics.h"
#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/barrier/write.h"
#include "tessera/kernel/flat/flatten.h"
#include "tessera/kernel/strip/strip_text.h"
#include "tessera/kernel/wrap/cpu_entry.h"
#include "tessera/kernel/wrap/index_parameters.h"
#include "tessera/kernel/wrap/loop_text.h"
#include "tessera/kernel/wrap/prelude.h"
#include "tessera/kernel/wrap/rewrite.h"
#include "tessera/kernel/wrap/unrolling.h"

namespace tessera::kernels {
namespace {

constexpr std::array<char, 3> axis_names = {'x', 'y', 'z'};

constexpr hidden_parameters indices_of_a_thread = {
    .hides = is_index_name,
    .declared = "const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim, const dim3 gridDim",
    .passed = "threadIdx, blockIdx, blockDim, gridDim",
    .specifier = {},
    .of_kernel = true};

constexpr hidden_parameters indices_and_place = {
    .hides = is_index_name,
    .declared =
        "const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim, const dim3 gridDim, "
        "const __tessera_place __tessera_at",
    .passed = "threadIdx, blockIdx, blockDim, gridDim, __tessera_at",
    .specifier = {},
    .of_kernel = true};

const std::vector<std::size_t> no_calls;

bool is_row_name(std::string_view word) { return is_index_name(word) || word == "tessera_blocks"; }

constexpr hidden_parameters indices_of_a_row = {
    .hides = is_row_name,
    .declared =
        "const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim, const dim3 gridDim, "
        "const unsigned tessera_blocks",
    .passed = "threadIdx, blockIdx, blockDim, gridDim, tessera_blocks",
    .specifier = {},
    .of_kernel = true};

void refuse_assembly(const kernel_text& kernel, const parsed_kernel& source) {
  if (!kernel.features.inline_assembly || kernel.features.whole_rows) return;
  for (const token& t : source.parsed.code)
    if (t.is("asm") || t.is("__asm__") || t.is("__asm"))
      throw compile_error(cat(source.list.position(t), ": kernel `", kernel.name,
                              "`: assembly for GPUs cannot run on a CPU; use the intrinsic function for it"));
}

std::string write_form(const kernel_text& kernel, const parsed_kernel& source, const cpu_variant& variant);

/// The text of tier `split` is made from the flat one.
std::string write_split_form(const kernel_text& kernel, const cpu_variant& variant) try {
  const kernel_text flat = flatten(kernel);
  return write_form(flat, take_apart(flat), variant);
} catch (const cut_refused& refused) {
  throw std::logic_error(cat("kernel `", kernel.name, "` cannot be cut at its barriers: ", refused.reason));
}

/// The text of tier `loop` with a function for strips of threads.
std::string write_strip_form(const kernel_text& kernel, const cpu_variant& variant) {
  const std::optional<kernel_text> with = add_strips(kernel);
  if (!with) throw std::logic_error(cat("kernel `", kernel.name, "` has no strips"));
  parsed_kernel source = take_apart(*with);
  for (const std::string_view name : {guard_name, strip_name})
    source.needed.needed[find_function(source.parsed, name).value()] = true;
  return write_form(*with, source, variant);
}

std::string write_form(const kernel_text& kernel, const parsed_kernel& source, const cpu_variant& variant) {
  const bool by_rows = variant.form == tier::row;
  if (by_rows != kernel.features.whole_rows)
    throw std::logic_error(cat("kernel `", kernel.name, "` cannot run as ", to_string(variant.form)));
  refuse_assembly(kernel, source);
  std::string out;
  text_edits edits(kernel.source);
  cut_unneeded(source, device::kernel_language::cpu, edits);
  force_inlining(source, edits);
  const loop_plan plan = variant.by_loops() ? plan_loops(kernel, source) : loop_plan{};
  replace_sums(plan.use, edits);
  if (plan.strips) out += write_strip(source, plan, edits);
  if (planted("strip_unguarded")) out += "#define __tessera_guarded(passes) true\n";
  replace_atomics(kernel, source.parsed, plan, edits);
  const bool atomics = !variant.instrumented && kernel.features.needs_block();
  for (const std::size_t call : atomics ? find_shared_atomics(source.parsed, source.kernel()) : no_calls)
    edits.insert_before(source.parsed.code[call], "__tessera_shared_");
  if (plan.walk) replace_walk(source.parsed, *plan.walk, edits);
  const index_source indices = add_index_parameters(source,
                                                    by_rows            ? indices_of_a_row
                                                    : plan.has_place() ? indices_and_place
                                                                       : indices_of_a_thread,
                                                    edits);
  const std::vector<shared_variable> shared = replace_extern_shared(source, edits);

  if (indices == index_source::variables) out += "#define __tessera_tls 1\n";
  if (variant.form == tier::split) {
    if (variant.instrumented) throw std::logic_error("an instrumented kernel is not cut at its barriers");
    const barrier_plan plan = plan_barriers(source.parsed, source.needed);
    // Loops give the index to the kernel's own text and to functions with parameters for it, to no other code.
    if (!plan.refusal.empty() || indices == index_source::variables)
      throw std::logic_error(
          cat("kernel `", kernel.name, "` cannot be cut at its barriers: ", kernel.features.unsplit));
    const std::array<std::int64_t, 3> block = block_sizes(variant);
    write_split(source.parsed, plan, block[0] % 32 == 0, edits);
    if (planted("lane_of_other_warp"))
      out += "#define __tessera_warp_seen(first) (first < 32U ? first : first - 32U)\n";
    for (std::size_t a = 0; a < 3; ++a) out += cat("#define __tessera_size_", axis_names[a], " ", block[a], "U\n");
  }
  out += make_prelude(source, tier_parts::of(variant).driver, variant.instrumented);
  for (const auto& [name, value] : kernel.defines) out += cat("#define ", name, " ", value, "\n");
  out += cat("#line 1 \"", quoted(kernel.file), "\"\n", with_unrolling(edits.apply()));
  out += write_cpu_entry(kernel, source, variant, plan, indices, shared);
  return out;
}

}  // namespace

std::string_view to_string(tier form) {
  constexpr std::array<std::string_view, 4> names = {"loop", "split", "fiber", "row"};
  return names[static_cast<std::size_t>(form)];
}

tier choose_tier(const feature_set& features, std::string_view forced) {
  const bool known = forced.empty() || forced == "loop" || forced == "split" || forced == "fiber";
  if (!known) throw argument_error(cat("TESSERA_CPU_TIER is `", forced, "`; it may be loop, split or fiber"));
  if (features.whole_rows) return tier::row;
  if (forced == "fiber") return tier::fiber;
  if (!features.needs_block()) return tier::loop;
  return features.unsplit.empty() ? tier::split : tier::fiber;
}

std::string tier_reason(const feature_set& features, std::string_view forced) {
  const tier chosen = choose_tier(features, forced);
  if (chosen == tier::row) return "its text for CPUs takes rows of blocks";
  if (chosen == tier::split)
    return cat("cut at its ", features.warp_functions ? "barriers and warp functions" : "barriers",
               " into loops over threads");
  if (chosen == tier::loop)
    return cat("no barriers, warp functions or shared memory",
               features.strips ? "; threads beside each other take the turns of loops together" : "",
               forced == "split" ? "; so there is nothing to split at" : "");
  std::string uses;
  const auto add = [&](bool used, std::string_view feature) {
    if (used) uses += cat(uses.empty() ? "" : ", ", feature);
  };
  add(features.barriers, "barriers");
  add(features.warp_functions, "warp functions");
  add(features.static_shared || features.extern_shared, "shared memory");
  if (uses.empty() || features.unsplit.empty()) return "asked for";
  return cat("it uses ", uses, " and is not split: ", features.unsplit);
}

std::string make_cpu_source(const kernel_text& kernel, const cpu_variant& variant) {
  if (variant.form == tier::split) return write_split_form(kernel, variant);
  if (variant.by_loops() && kernel.features.strips) return write_strip_form(kernel, variant);
  return write_form(kernel, take_apart(kernel), variant);
}

device::source_desc choose_cpu_source(const kernel_text& kernel, const extents& block, std::string_view forced,
                                      const std::vector<reduced_parameter>& reduced) {
  const parsed_kernel source = take_apart(kernel);
  const tier chosen = choose_tier(kernel.features, forced);
  device::source_desc result;
  result.text = make_cpu_source(kernel, {chosen, block, false, reduced});
  if (chosen == tier::split) result.otherwise = write_form(kernel, source, {tier::fiber, block, false, reduced});
  if (chosen == tier::loop && kernel.features.strips)
    result.otherwise = write_form(kernel, source, {chosen, block, false, reduced});
  if (chosen == tier::row) result.subject = cat("the CPU text of kernel `", kernel.name, "`");
  result.flags = cpu_flags(kernel);
  if (!kernel.include_directory.empty()) result.include_paths.push_back(kernel.include_directory);
  return result;
}

device::source_desc instrumented_cpu_source(const kernel_text& kernel, const extents& block,
                                            const std::vector<reduced_parameter>& reduced) {
  const tier form = kernel.features.whole_rows ? tier::row : kernel.features.needs_block() ? tier::fiber : tier::loop;
  device::source_desc result;
  result.text = make_cpu_source(kernel, {form, block, true, reduced});
  if (form == tier::row) result.subject = cat("the CPU text of kernel `", kernel.name, "`");
  result.flags = cpu_access_flags(kernel);
  if (!kernel.include_directory.empty()) result.include_paths.push_back(kernel.include_directory);
  return result;
}

std::vector<std::string> cpu_flags(const kernel_text& kernel) {
  const char* const contract = kernel.fused.value_or(false) ? "-ffp-contract=fast" : "-ffp-contract=off";
  return {"-std=c++20",      "-O2",           "-march=native",       "-fno-math-errno", "-fno-trapping-math",
          contract,          "-fopenmp-simd", "-funswitch-loops",    "-fPIC",           "-shared",
          "-fno-exceptions", "-fno-rtti",     "-fvisibility=hidden", "-nostdlib",       "-w"};
}

std::vector<std::string> cpu_access_flags(const kernel_text& kernel) {
  std::vector<std::string> flags = cpu_flags(kernel);
  for (std::string& flag : flags)
    if (flag == "-O2") flag = "-O1";
  for (std::string& flag : cpu_line_flags()) flags.push_back(std::move(flag));
  flags.emplace_back(device::instrument_flag);
  return flags;
}

std::vector<std::string> cpu_line_flags() { return {"-gdwarf-4", "-g1", "-gz=none"}; }

}  // namespace tessera::kernels
