#include "tessera/kernel/wrap/cpu_entry.h"

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/strip/strip_text.h"

namespace tessera::kernels {
namespace {

constexpr std::array<char, 3> axis_names = {'x', 'y', 'z'};
constexpr std::int64_t most_threads = 1024;

/// Writes the code that calls the kernel, behind the user's text. Every name starts with `__tessera_`, because macros
/// of the user reach this far.
class entry_writer {
 public:
  entry_writer(const kernel_text& kernel, const parsed_kernel& source, const cpu_variant& variant,
               const loop_plan& plan)
      : kernel_(kernel),
        source_(source),
        variant_(variant),
        plan_(plan),
        use_(plan.use),
        walk_(plan.walk),
        block_(block_sizes(variant)) {}

  std::string write(index_source indices, const std::vector<shared_variable>& shared) {
    out_ += "\n#line 1 \"tessera/entry\"\n";
    write_traits(indices);
    write_entry(shared);
    write_tables();
    for (const reduced_parameter& r : variant_.reduced) write_reduction(r);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string name() const { return cat("::", kernel_.scope, kernel_.name); }
  [[nodiscard]] bool by_rows() const { return variant_.form == tier::row; }
  [[nodiscard]] bool by_loops() const { return variant_.by_loops(); }
  [[nodiscard]] bool has_place() const { return by_loops() && plan_.has_place(); }
  /// The type of parameter `i`, which stands behind the hidden ones.
  [[nodiscard]] std::string type_text(std::size_t i) const {
    return cat("typename __tessera::parameter_of<", by_rows() || has_place() ? i + 1 : i,
               ", __tessera_signature>::type");
  }
  [[nodiscard]] bool reblocks(std::size_t axis) const { return by_loops() && kernel_.features.reblockable[axis]; }
  [[nodiscard]] std::string block_text(std::size_t axis) const {
    return reblocks(axis) ? "__tessera::free_block" : cat(block_[axis], "U");
  }

  void write_traits(index_source indices) {
    out_ += cat("namespace {\nusing __tessera_signature = decltype(&", name(), ");\nstruct __tessera_kernel {\n");
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      out_ += cat("  ", type_text(i), " __tessera_p", i, ";\n");
    out_ += "  dim3 __tessera_grid;\n";
    write_size();
    if (by_loops()) write_loop_traits();
    out_ += cat("  inline __attribute__((always_inline)) void __tessera_run(uint3 __tessera_t, uint3 __tessera_b",
                by_rows()    ? ", unsigned __tessera_n"
                : by_loops() ? ", __tessera_place __tessera_at"
                             : "",
                ") const {\n");
    if (indices == index_source::variables)
      out_ += cat("    ::threadIdx = __tessera_t, ::blockIdx = __tessera_b, ::blockDim = __tessera_size(), ",
                  "::gridDim = __tessera_grid;\n", by_rows() ? "    ::tessera_blocks = __tessera_n;\n" : "");
    write_call(name());
    out_ += "  }\n";
    if (by_loops()) write_strips();
    if (by_loops()) write_sums();
    out_ += "};\n}\n";
  }

  void write_call(const std::string& function) {
    out_ += cat("    ", function, "(__tessera_t, __tessera_b, __tessera_size(), __tessera_grid",
                by_rows()     ? ", __tessera_n"
                : has_place() ? ", __tessera_at"
                              : "");
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) out_ += cat(", __tessera_p", i);
    out_ += ");\n";
  }

  void write_strips() {
    out_ += cat("  static constexpr bool __tessera_has_strip = ", plan_.strips ? "true" : "false", ";\n");
    if (!plan_.strips) return;
    const std::string_view parameters =
        "(uint3 __tessera_t, uint3 __tessera_b, __tessera_place __tessera_at) const {\n";
    const std::string_view specifier = "  inline __attribute__((always_inline)) ";
    out_ += cat(specifier, "bool __tessera_passes", parameters, "    return");
    write_call(cat("::", kernel_.scope, guard_name));
    out_ += cat("  }\n", specifier, "void __tessera_run_strip", parameters);
    write_call(cat("::", kernel_.scope, strip_name));
    out_ += "  }\n";
  }

  // Runs threads beside each other whose atomics go to variables. Their order is free unless the launch says otherwise.
  void write_sums() {
    out_ += cat("  static constexpr bool __tessera_sums = ", plan_.summed.empty() ? "false" : "true", ";\n");
    if (plan_.summed.empty()) return;
    std::string variables, places, clauses, results;
    for (const auto& [parameter, element] : plan_.summed) {
      const reduce_op op = *kernel_.parameters[parameter].accumulates;
      const std::string variable = cat("__tessera_v", parameter), pointer = cat("__tessera_p", parameter);
      variables += cat("    auto ", variable, " = ", pointer, "[", element, "];\n");
      places += cat(" __tessera_k.", pointer, " = &", variable, " - ", element, ";");
      clauses += cat(" reduction(",
                     op == reduce_op::add   ? "+"
                     : op == reduce_op::min ? "min"
                                            : "max",
                     " : ", variable, ")");
      results += cat("    ", pointer, "[", element, "] = ", variable, ";\n");
    }
    const std::string loop = cat(
        "for (__tessera_x __tessera_g = __tessera_begin; __tessera_g < __tessera_end; ++__tessera_g) {\n"
        "        __tessera_kernel __tessera_k = *this;",
        places,
        "\n        __tessera::call(__tessera_k, __tessera::place<__tessera_x>{__tessera_g, __tessera_b}, __tessera_y, "
        "__tessera_z, __tessera_accumulated, true);\n      }\n");
    out_ +=
        cat("  template <class __tessera_x, class __tessera_py, class __tessera_pz>\n"
            "  inline __attribute__((always_inline)) void __tessera_sum(__tessera_x __tessera_begin, __tessera_x "
            "__tessera_end, unsigned __tessera_b, __tessera_py __tessera_y, __tessera_pz __tessera_z) const {\n",
            variables, "    if (__tessera_in_order) {\n      ", loop, "    } else {\n      _Pragma(\"omp simd", clauses,
            "\") ", loop, "    }\n", results, "  }\n");
  }

  // Texts that take a row at a time read the block's size from the launch: one serves all.
  void write_size() {
    if (by_rows()) {
      out_ += "  dim3 __tessera_block;\n  dim3 __tessera_size() const { return __tessera_block; }\n";
      return;
    }
    const std::string size = cat("dim3(", block_text(0), ", ", block_text(1), ", ", block_text(2), ")");
    out_ += cat("  uint3 __tessera_block_index;\n",
                by_loops() ? "  unsigned long long __tessera_own;\n  unsigned __tessera_in_order;\n" : "",
                "  static constexpr dim3 __tessera_size() { return ", size, "; }\n");
  }

  void write_loop_traits() {
    const auto choose = [](const auto& of) {
      return cat("__tessera_a == 0 ? ", of(0), " : __tessera_a == 1 ? ", of(1), " : ", of(2));
    };
    out_ += cat("  static constexpr bool __tessera_reblock(int __tessera_a) { return ",
                choose([&](std::size_t a) { return reblocks(a) ? "true" : "false"; }), "; }\n");
    out_ += cat("  static constexpr unsigned __tessera_block(int __tessera_a) { return ",
                choose([&](std::size_t a) { return reblocks(a) ? std::string("1U") : block_text(a); }), "; }\n");
    out_ += cat("  static constexpr int __tessera_margin = ", use_.margin,
                ";\n  static constexpr bool __tessera_wide = ", plan_.is_wide() ? "true" : "false", ";\n");
    constexpr std::array<std::string_view, 3> types = {"int", "long long", "unsigned long long"};
    write_walk();
    unsigned long long accumulated = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(kernel_.parameters.size(), 64); ++i)
      if (kernel_.parameters[i].accumulates) accumulated |= 1ULL << i;
    out_ += cat("  static constexpr unsigned long long __tessera_accumulated = ", accumulated, "ULL;\n");
    out_ += "  bool __tessera_enters() const { return true";
    for (const std::string& turn : plan_.first_turns) out_ += cat(" && ", turn);
    out_ += "; }\n";
    for (std::size_t a = 0; a < 3; ++a)
      out_ += cat("  auto __tessera_bound_", axis_names[a], "() const { return ",
                  a == 0 && walk_ ? cat("(", walk_->bound, ")") : bound_text(use_.bounds[a]), "; }\n",
                  "  using __tessera_index_", axis_names[a], " = ", types[static_cast<std::size_t>(use_.counted_in[a])],
                  ";\n");
  }

  // The kernel compares its counter with the bound in the type that the two have in common.
  void write_walk() {
    out_ += cat("  static constexpr bool __tessera_strided = ", walk_ ? "true" : "false", ";\n");
    if (!walk_) return;
    const wide_index wide = use_.counted_in[0];
    const std::string_view derived = wide == wide_index::none        ? "unsigned"
                                     : wide == wide_index::is_signed ? "long long"
                                                                     : "unsigned long long";
    const std::string_view counter = walk_->counter_type == "auto" ? derived : std::string_view(walk_->counter_type);
    out_ += cat("  long long __tessera_walk_end() const { return __tessera::walk_end<", wide != wide_index::none,
                ">(+(true ? (", walk_->bound, ") : (", counter, ")0), ", walk_->inclusive, "); }\n");
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
    if (variant_.instrumented) out_ += "  __tessera::begin_accesses(__tessera_l->accesses);\n";
    for (const shared_variable& s : shared) out_ += cat("  ::", s.name, " = (", s.type, ")__tessera_l->shared;\n");
    out_ += "  const __tessera_kernel __tessera_k{";
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      out_ += cat("*(", type_text(i), "*)__tessera_l->params[", i, "], ");
    out_ += cat(dimensions("grid_dim"), ", ",
                by_rows()    ? dimensions("block_dim")
                : by_loops() ? "{}, __tessera_l->own, __tessera_l->in_order"
                             : "{}",
                "};\n");
    out_ += cat("  __tessera::", tier_parts::of(variant_).run, "(__tessera_k, __tessera_l);\n",
                variant_.instrumented ? "  __tessera::end_accesses();\n" : "", "}\n");
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

  // Elements may lie at any distance; those that lie together are a loop that the compiler knows.
  void write_reduction(const reduced_parameter& r) {
    const std::string element = cat("__tessera_element_", r.parameter);
    const std::string combine = cat("::", combine_function(r.operation), "(*(", element,
                                    "*)((char*)__tessera_t + __tessera_i * __tessera_to), *(const ", element,
                                    "*)((const char*)__tessera_s + __tessera_i * __tessera_from));\n");
    const std::string loop = "for (long long __tessera_i = 0; __tessera_i < __tessera_n; ++__tessera_i) ";
    out_ += cat("using ", element, " = __tessera_target<", type_text(static_cast<std::size_t>(r.parameter)),
                ">::__tessera_type;\nstatic_assert(__is_trivially_copyable(", element,
                "), \"elements that are reduced must be trivially copyable\");\n");
    out_ += cat("static void __tessera_identity_of_", r.parameter, "(void* __tessera_e) {\n  const ", element,
                " __tessera_v = ::", identity_function(r.operation), "<", element,
                ">();\n  __builtin_memcpy(__tessera_e, &__tessera_v, sizeof __tessera_v);\n}\n");
    out_ += cat("static void __tessera_combine_all_", r.parameter,
                "(void* __tessera_t, long long __tessera_to, const void* __tessera_s, long long __tessera_from, ",
                "long long __tessera_n) {\n  if (__tessera_to == (long long)sizeof(", element,
                ") && __tessera_from == (long long)sizeof(", element, ")) {\n    ", element, "* const __tessera_a = (",
                element, "*)__tessera_t;\n    const ", element, "* const __tessera_b = (const ", element,
                "*)__tessera_s;\n    ", loop, "::", combine_function(r.operation),
                "(__tessera_a[__tessera_i], __tessera_b[__tessera_i]);\n    return;\n  }\n  ", loop, combine, "}\n");
    out_ += cat("__tessera_export const tessera_cpu_reduction tessera_reduction_", r.parameter, " = {sizeof(", element,
                "), &__tessera_identity_of_", r.parameter, ", &__tessera_combine_all_", r.parameter, "};\n");
  }

  const kernel_text& kernel_;
  const parsed_kernel& source_;
  const cpu_variant& variant_;
  const loop_plan& plan_;
  const index_use& use_;
  const std::optional<grid_stride>& walk_;
  std::array<std::int64_t, 3> block_;
  std::string out_;
};

}  // namespace

tier_parts tier_parts::of(const cpu_variant& variant) {
  const tier form = variant.form;
  if (form == tier::loop && variant.instrumented) return {"thread_driver.h", "run_threads"};
  if (form == tier::loop) return {"loop_driver.h", "run_loops"};
  if (form == tier::split) return {"split_driver.h", "run_split"};
  if (form == tier::row) return {"row_driver.h", "run_rows"};
  return {"fiber_driver.h", "run_fibers"};
}

std::array<std::int64_t, 3> block_sizes(const cpu_variant& variant) {
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

std::string write_cpu_entry(const kernel_text& kernel, const parsed_kernel& source, const cpu_variant& variant,
                            const loop_plan& plan, index_source indices, const std::vector<shared_variable>& shared) {
  return entry_writer(kernel, source, variant, plan).write(indices, shared);
}

}  // namespace tessera::kernels
