#include "tessera/kernel/wrap/cpu_wrapper.h"

#include <array>
#include <stdexcept>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/barrier/write.h"
#include "tessera/kernel/flat/flatten.h"
#include "tessera/kernel/index/index_use.h"
#include "tessera/kernel/wrap/index_parameters.h"
#include "tessera/kernel/wrap/prelude.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {
namespace {

constexpr std::array<char, 3> axis_names = {'x', 'y', 'z'};
constexpr std::int64_t most_threads = 1024;

constexpr hidden_parameters indices_of_a_thread = {
    .hides = is_index_name,
    .declared = "const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim, const dim3 gridDim",
    .passed = "threadIdx, blockIdx, blockDim, gridDim",
    .specifier = {},
    .of_kernel = true};

bool is_row_name(std::string_view word) { return is_index_name(word) || word == "tessera_blocks"; }

constexpr hidden_parameters indices_of_a_row = {
    .hides = is_row_name,
    .declared =
        "const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim, const dim3 gridDim, "
        "const unsigned tessera_blocks",
    .passed = "threadIdx, blockIdx, blockDim, gridDim, tessera_blocks",
    .specifier = {},
    .of_kernel = true};

/// What a tier adds to the kernel's text.
struct tier_parts {
  std::string_view driver;  ///< The file put before it.
  std::string_view run;     ///< The function of it that runs a launch.
};
tier_parts parts_of(tier form) {
  if (form == tier::loop) return {"loop_driver.h", "run_loops"};
  if (form == tier::split) return {"split_driver.h", "run_split"};
  if (form == tier::row) return {"row_driver.h", "run_rows"};
  return {"fiber_driver.h", "run_fibers"};
}

std::array<std::int64_t, 3> block_of(const cpu_variant& variant) {
  std::array<std::int64_t, 3> block = {1, 1, 1};
  if (variant.block.rank() > 3) throw argument_error(cat("a block has at most 3 axes: ", to_string(variant.block)));
  std::int64_t threads = 1;
  for (int a = 0; a < variant.block.rank(); ++a) {
    const std::int64_t size = variant.block[a];
    if (size < 1 || size > most_threads || (threads *= size) > most_threads)
      throw argument_error(cat("a block has 1 to ", most_threads, " threads, not ", to_string(variant.block)));
    block[static_cast<std::size_t>(a)] = size;
  }
  return block;
}

/// Writes the code that calls the kernel, behind the user's text. Every name starts with `__tessera_`, because macros
/// of the user reach this far.
class entry_writer {
 public:
  entry_writer(const kernel_text& kernel, const parsed_kernel& source, const cpu_variant& variant)
      : kernel_(kernel), source_(source), variant_(variant), block_(block_of(variant)) {}

  std::string write(index_source indices, const std::vector<shared_variable>& shared) {
    out_ += "\n#line 1 \"tessera/entry\"\n";
    write_traits(indices);
    write_entry(shared);
    write_tables();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string name() const { return cat("::", kernel_.scope, kernel_.name); }
  [[nodiscard]] bool by_rows() const { return variant_.form == tier::row; }
  /// The type of parameter `i`, which stands behind the hidden ones.
  [[nodiscard]] std::string type_text(std::size_t i) const {
    return cat("typename __tessera::parameter_of<", by_rows() ? i + 1 : i, ", __tessera_signature>::type");
  }
  [[nodiscard]] bool reblocks(std::size_t axis) const {
    return variant_.form == tier::loop && kernel_.features.reblockable[axis];
  }
  [[nodiscard]] std::string block_text(std::size_t axis) const {
    return reblocks(axis) ? "__tessera::free_block" : cat(block_[axis], "U");
  }

  void write_traits(index_source indices) {
    out_ += cat("namespace {\nusing __tessera_signature = decltype(&", name(), ");\nstruct __tessera_kernel {\n");
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      out_ += cat("  ", type_text(i), " __tessera_p", i, ";\n");
    out_ += "  dim3 __tessera_grid;\n";
    write_size();
    if (variant_.form == tier::loop) write_loop_traits();
    out_ += cat("  inline __attribute__((always_inline)) void __tessera_run(uint3 __tessera_t, uint3 __tessera_b",
                by_rows() ? ", unsigned __tessera_n" : "", ") const {\n");
    if (indices == index_source::variables)
      out_ += cat("    ::threadIdx = __tessera_t, ::blockIdx = __tessera_b, ::blockDim = __tessera_size(), ",
                  "::gridDim = __tessera_grid;\n", by_rows() ? "    ::tessera_blocks = __tessera_n;\n" : "");
    out_ += cat("    ", name(), "(__tessera_t, __tessera_b, __tessera_size(), __tessera_grid",
                by_rows() ? ", __tessera_n" : "");
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) out_ += cat(", __tessera_p", i);
    out_ += ");\n  }\n};\n}\n";
  }

  // Texts that take a row at a time read the block's size from the launch: one serves all.
  void write_size() {
    if (by_rows()) {
      out_ += "  dim3 __tessera_block;\n  dim3 __tessera_size() const { return __tessera_block; }\n";
      return;
    }
    const std::string size = cat("dim3(", block_text(0), ", ", block_text(1), ", ", block_text(2), ")");
    out_ += cat("  uint3 __tessera_block_index;\n  static constexpr dim3 __tessera_size() { return ", size, "; }\n");
  }

  void write_loop_traits() {
    const auto choose = [](const auto& of) {
      return cat("__tessera_a == 0 ? ", of(0), " : __tessera_a == 1 ? ", of(1), " : ", of(2));
    };
    out_ += cat("  static constexpr bool __tessera_reblock(int __tessera_a) { return ",
                choose([&](std::size_t a) { return reblocks(a) ? "true" : "false"; }), "; }\n");
    out_ += cat("  static constexpr unsigned __tessera_block(int __tessera_a) { return ",
                choose([&](std::size_t a) { return reblocks(a) ? std::string("1U") : block_text(a); }), "; }\n");
    const index_use use = find_index_use(source_.parsed, source_.kernel());
    out_ += cat("  static constexpr int __tessera_margin = ", use.margin,
                ";\n  static constexpr bool __tessera_wide = ", use.wide ? "true" : "false", ";\n");
    for (std::size_t a = 0; a < 3; ++a)
      out_ += cat("  auto __tessera_bound_", axis_names[a], "() const { return ", bound_text(use.bounds[a]), "; }\n");
  }

  // The bound with parameters replaced by the members that hold them.
  [[nodiscard]] std::string bound_text(const std::vector<token>& bound) const {
    if (bound.empty()) return "__tessera::no_bound{}";
    std::string text = "(";
    for (std::size_t k = 0; k < bound.size(); ++k) {
      const bool member = k > 0 && bound[k - 1].is(".");
      text += bound[k].is_identifier() && !member ? parameter_text(bound[k].text) : std::string(bound[k].text);
      text += ' ';
    }
    return text + ")";
  }
  [[nodiscard]] std::string parameter_text(std::string_view parameter_name) const {
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      if (kernel_.parameters[i].name == parameter_name) return cat("__tessera_p", i);
    return std::string(parameter_name);
  }

  void write_entry(const std::vector<shared_variable>& shared) {
    out_ += "__tessera_export void tessera_entry(const tessera_cpu_launch* __tessera_l) {\n";
    for (const shared_variable& s : shared) out_ += cat("  ::", s.name, " = (", s.type, ")__tessera_l->shared;\n");
    out_ += "  const __tessera_kernel __tessera_k{";
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      out_ += cat("*(", type_text(i), "*)__tessera_l->params[", i, "], ");
    out_ += cat(dimensions("grid_dim"), ", ", by_rows() ? dimensions("block_dim") : "{}", "};\n");
    out_ += cat("  __tessera::", parts_of(variant_.form).run, "(__tessera_k, __tessera_l);\n}\n");
  }

  static std::string dimensions(std::string_view member) {
    return cat("dim3(__tessera_l->", member, "[0], __tessera_l->", member, "[1], __tessera_l->", member, "[2])");
  }

  void write_tables() {
    out_ += "__tessera_export const tessera_parameter_layout tessera_parameters[] = {\n";
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
      const std::string type = cat("__tessera_target<", type_text(i), ">::__tessera_type");
      out_ += cat("  {sizeof(", type, "), alignof(", type, ")},\n");
    }
    out_ += "  {0, 0}};\n__tessera_export const tessera_symbol tessera_symbols[] = {\n";
    for (const settable_variable& v : settable_variables(source_))
      out_ += cat("  {\"", v.name, "\", (void*)&::", v.name, ", sizeof(::", v.name, ")},\n");
    out_ += "  {nullptr, nullptr, 0}};\n";
  }

  const kernel_text& kernel_;
  const parsed_kernel& source_;
  const cpu_variant& variant_;
  std::array<std::int64_t, 3> block_;
  std::string out_;
};

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

std::string write_form(const kernel_text& kernel, const parsed_kernel& source, const cpu_variant& variant) {
  const bool by_rows = variant.form == tier::row;
  if (by_rows != kernel.features.whole_rows)
    throw std::logic_error(cat("kernel `", kernel.name, "` cannot run as ", to_string(variant.form)));
  refuse_assembly(kernel, source);
  text_edits edits(kernel.source);
  cut_unneeded(source, device::kernel_language::cpu, edits);
  force_inlining(source, edits);
  const index_source indices = add_index_parameters(source, by_rows ? indices_of_a_row : indices_of_a_thread, edits);
  const std::vector<shared_variable> shared = replace_extern_shared(source, edits);

  std::string out;
  if (indices == index_source::variables) out += "#define __tessera_tls 1\n";
  if (variant.form == tier::split) {
    const barrier_plan plan = plan_barriers(source.parsed, source.needed);
    // Loops give the index to the kernel's own text and to functions with parameters for it, to no other code.
    if (!plan.refusal.empty() || indices == index_source::variables)
      throw std::logic_error(
          cat("kernel `", kernel.name, "` cannot be cut at its barriers: ", kernel.features.unsplit));
    write_split(source.parsed, plan, edits);
    const std::array<std::int64_t, 3> block = block_of(variant);
    if (planted("lane_of_other_warp"))
      out += "#define __tessera_warp_seen(first) (first < 32U ? first : first - 32U)\n";
    for (std::size_t a = 0; a < 3; ++a) out += cat("#define __tessera_size_", axis_names[a], " ", block[a], "U\n");
  }
  out += make_prelude(source, parts_of(variant.form).driver);
  for (const auto& [name, value] : kernel.defines) out += cat("#define ", name, " ", value, "\n");
  out += cat("#line 1 \"", quoted(kernel.file), "\"\n", edits.apply());
  out += entry_writer(kernel, source, variant).write(indices, shared);
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
  return write_form(kernel, take_apart(kernel), variant);
}

device::source_desc choose_cpu_source(const kernel_text& kernel, const extents& block, std::string_view forced) {
  const parsed_kernel source = take_apart(kernel);
  const tier chosen = choose_tier(kernel.features, forced);
  device::source_desc result;
  result.text = make_cpu_source(kernel, {chosen, block});
  if (chosen == tier::split) result.otherwise = write_form(kernel, source, {tier::fiber, block});
  if (chosen == tier::row) result.subject = cat("the CPU text of kernel `", kernel.name, "`");
  result.flags = cpu_flags(kernel);
  if (!kernel.include_directory.empty()) result.include_paths.push_back(kernel.include_directory);
  return result;
}

std::vector<std::string> cpu_flags(const kernel_text& kernel) {
  const char* const contract = kernel.fused.value_or(false) ? "-ffp-contract=fast" : "-ffp-contract=off";
  return {"-std=c++20",    "-O2",   "-march=native", "-fno-math-errno", "-fno-trapping-math", contract,
          "-fopenmp-simd", "-fPIC", "-shared",       "-fno-exceptions", "-fno-rtti",          "-fvisibility=hidden",
          "-nostdlib",     "-w"};
}

std::vector<std::string> cpu_line_flags() { return {"-gdwarf-4", "-g1", "-gz=none"}; }

}  // namespace tessera::kernels
