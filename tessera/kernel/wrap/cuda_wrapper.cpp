#include "tessera/kernel/wrap/cuda_wrapper.h"

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/compile/builtin_source.h"
#include "tessera/kernel/wrap/device_text.h"
#include "tessera/kernel/wrap/index_parameters.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {
namespace {

bool is_grid_name(std::string_view word) { return word == "blockIdx" || word == "gridDim"; }

// The device text makes `blockIdx` and `gridDim` these names.
constexpr hidden_parameters place_in_grid = {.hides = is_grid_name,
                                             .declared = "const uint3 __tessera_block, const dim3 __tessera_count",
                                             .passed = "__tessera_block, __tessera_count",
                                             .specifier = "__forceinline__",
                                             .of_kernel = false};

/// Turns the user's kernel itself into `tessera_entry`, so that its attributes and parameters stay what they are.
/// Every new name starts with `__tessera_`, because macros of the user reach it.
class entry_rewriter {
 public:
  entry_rewriter(const kernel_text& kernel, const parsed_kernel& source, const cuda_variant& variant, text_edits& edits)
      : kernel_(kernel),
        source_(source),
        variant_(variant),
        edits_(edits),
        code_(source.parsed.code),
        entry_(source.kernel()) {}

  void rewrite(index_source indices) {
    rewrite_head();
    add_grid_parameter();
    std::string prologue =
        " const uint3 __tessera_block = __tessera_block_index(__tessera_grid);"
        " const dim3 __tessera_count = __tessera_grid_size(__tessera_grid);";
    if (indices == index_source::variables) {
      prologue += " __tessera_place(__tessera_block, __tessera_count);";
      use_own_indices();
    }
    std::string hiding = load_values(prologue);
    if (variant_.private_results) hiding += find_results(prologue);
    if (!hiding.empty()) hide_parameters(prologue, hiding);
    edits_.insert_after(code_[entry_.body.begin - 1], prologue);
  }

  /// What stands behind the user's text.
  [[nodiscard]] std::string tables() const {
    std::string out = cat("\n#line 1 \"tessera/entry\"\nusing __tessera_signature = decltype(&::", kernel_.scope,
                          cuda_entry_symbol, ");\n");
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      out += cat("using __tessera_type_", i, " = typename __tessera_target<typename __tessera_parameter<", i,
                 ", __tessera_signature>::__tessera_type>::__tessera_type;\n");
    out += cat("extern \"C\" __device__ const unsigned long long ", cuda_parameters_symbol, "[] = {\n");
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
      out += cat("  sizeof(__tessera_type_", i, "), alignof(__tessera_type_", i, "),\n");
    out += "  0, 0};\n";
    for (const reduced_parameter& r : variant_.reduced) out += reduction(r);
    return out;
  }

 private:
  static std::string reduction(const reduced_parameter& r) {
    const std::string type = cat("__tessera_type_", r.parameter);
    const std::string operation = cat("__tessera_reduction_", r.parameter);
    return cat("static_assert(__is_trivially_copyable(", type,
               "), \"elements that are reduced must be trivially copyable\");\nstruct ", operation,
               " {\n  using __tessera_type = ", type, ";\n  static __device__ __forceinline__ ", type,
               " __tessera_identity() { return ::", identity_function(r.operation), "<", type,
               ">(); }\n  static __device__ __forceinline__ void __tessera_combine(", type, "& __tessera_a, const ",
               type, "& __tessera_b) { ::", combine_function(r.operation),
               "(__tessera_a, __tessera_b); }\n};\n__tessera_reduction_kernels(", r.parameter, ", ", operation, ")\n");
  }

  // A kernel with internal linkage would lose its name.
  void rewrite_head() {
    bool has_linkage = false;
    for (std::size_t i = entry_.all.begin; i < entry_.name; ++i) {
      const bool linkage = code_[i].is("extern") && code_[i + 1].kind == token_kind::literal;
      has_linkage = has_linkage || linkage;
      if (is_storage(code_[i]) && !linkage) edits_.replace(code_[i], " ");
      const auto found = source_.parsed.macros.find(code_[i].text);
      if (found != source_.parsed.macros.end() && !found->second.has_parameters) replace_macro(code_[i], found->second);
    }
    edits_.replace(code_[entry_.name], cuda_entry_symbol);
    if (!has_linkage) edits_.insert_before(code_[entry_.all.begin], "extern \"C\" ");
  }
  static bool is_storage(const token& t) {
    return t.is("static") || t.is("extern") || t.is("inline") || t.is("__inline__") || t.is("__forceinline__");
  }
  void replace_macro(const token& name, const macro& m) {
    if (std::none_of(m.body.begin(), m.body.end(), is_storage)) return;
    std::string body;
    for (const token& t : m.body)
      if (!is_storage(t) && t.kind != token_kind::literal) body += cat(t.text, " ");
    edits_.replace(name, body);
  }

  void add_grid_parameter() {
    const token_range parameters = entry_.parameters;
    const bool is_void = parameters.end == parameters.begin + 1 && code_[parameters.begin].is("void");
    if (is_void) edits_.replace(code_[parameters.begin], "");
    std::string more = "const tessera_cuda_grid __tessera_grid";
    for (const int p : variant_.loaded) more += cat(", const void* const __tessera_value_", p);
    edits_.insert_before(code_[parameters.end], cat(is_void || parameters.empty() ? "" : ", ", more));
  }

  // The kernel's own body does not go through the variables, where it can see the names of the prologue.
  void use_own_indices() {
    const std::vector<token_range> closed = closed_scopes(source_.parsed, entry_.body);
    const auto is_seen = [&](std::size_t i) {
      return std::none_of(closed.begin(), closed.end(),
                          [&](token_range scope) { return scope.begin <= i && i < scope.end; });
    };
    for (std::size_t i = entry_.body.begin; i < entry_.body.end; ++i)
      if (is_grid_name(code_[i].text) && is_seen(i))
        edits_.replace(code_[i], code_[i].is("blockIdx") ? "__tessera_block" : "__tessera_count");
  }

  // In a block of their own, so that the body may hide them again.
  void hide_parameters(std::string& prologue, const std::string& hiding) {
    prologue += cat(" {", hiding, " {");
    edits_.insert_before(code_[entry_.body.end], "}} ");
  }

  // The declarations that hide the parameters.
  std::string load_values(std::string& prologue) const {
    std::string hiding;
    for (const int i : variant_.loaded) {
      const std::string& name = kernel_.parameters[static_cast<std::size_t>(i)].name;
      if (name.empty()) continue;
      prologue +=
          cat(" decltype(", name, ") __tessera_loaded_", i, " = *(decltype(", name, ")*)__tessera_value_", i, ";");
      hiding += cat(" decltype(", name, ") ", name, " = __tessera_loaded_", i, ";");
    }
    return hiding;
  }
  std::string find_results(std::string& prologue) const {
    std::string hiding;
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
      const parameter& p = kernel_.parameters[i];
      if (!p.is_pointer || p.is_const || p.name.empty()) continue;
      prologue += cat(" decltype(", p.name, ") __tessera_result_", i, " = __tessera_result(", p.name,
                      ", __tessera_grid, ", i, ");");
      hiding += cat(" decltype(", p.name, ") ", p.name, " = __tessera_result_", i, ";");
    }
    return hiding;
  }

  const kernel_text& kernel_;
  const parsed_kernel& source_;
  const cuda_variant& variant_;
  text_edits& edits_;
  const std::vector<token>& code_;
  const declaration& entry_;
};

/// What has no linkage has no name in the module: `static` variables and unnamed namespaces.
void give_linkage(const parsed_kernel& source, text_edits& edits) {
  const std::vector<token>& code = source.parsed.code;
  std::vector<bool> declared(code.size());
  for (const declaration& d : source.parsed.declarations)
    std::fill(declared.begin() + static_cast<std::ptrdiff_t>(d.all.begin),
              declared.begin() + static_cast<std::ptrdiff_t>(d.all.end), true);
  for (std::size_t i = 0; i + 1 < code.size(); ++i)
    if (code[i].is("namespace") && code[i + 1].is("{") && !declared[i]) edits.replace(code[i], "extern \"C++\"");
  for (const settable_variable& v : settable_variables(source)) {
    const token_range all = source.parsed.declarations[v.declaration].all;
    for (std::size_t i = all.begin; i < all.end; ++i)
      if (code[i].is("static")) edits.replace(code[i], " ");
  }
}

/// Headers that stay in the text may use the words that only the variables can serve.
bool may_use_grid(std::string_view header) {
  return header != "cuda_fp16.h" && header != "cuda_bf16.h" && header != "cuComplex.h" && header != "math_constants.h";
}

void append(std::string& out, std::string_view name) {
  out += cat("#line 1 \"tessera/", name, "\"\n", cuda_text(name), "\n");
}

}  // namespace

std::string make_cuda_source(const kernel_text& kernel, const cuda_variant& variant) {
  const parsed_kernel source = take_apart(kernel);
  text_edits edits(kernel.source);
  const std::vector<std::string_view> headers = cut_unneeded(source, device::kernel_language::cuda, edits);
  give_linkage(source, edits);
  const bool hidden = std::any_of(headers.begin(), headers.end(), may_use_grid);
  const index_source indices = hidden ? index_source::variables : add_index_parameters(source, place_in_grid, edits);
  entry_rewriter entry(kernel, source, variant, edits);
  entry.rewrite(indices);

  std::string out;
  if (!headers.empty()) out += "#define __tessera_headers 1\n";
  if (indices == index_source::variables) out += "#define __tessera_variables 1\n";
  append(out, "abi.h");
  append(out, "constants.h");
  append(out, "traits.h");
  append(out, "cuda_standard.h");
  const bool limits = kernel.source.find("numeric_limits") != std::string::npos || !headers.empty();
  if (limits) append(out, "cuda_limits.h");  // Its constants take room in every module.
  if (!variant.reduced.empty())
    out += cat("#line 1 \"tessera/registered_kernels\"\n", device::cuda::registered_kernels(), "\n");
  append(out, "cuda_grid.h");
  for (const auto& [name, value] : kernel.defines) out += cat("#define ", name, " ", value, "\n");
  out += cat("#line 1 \"", quoted(kernel.file), "\"\n", edits.apply(), entry.tables());
  return out;
}

std::string cuda_symbol_name(std::string_view name) {
  if (name.find("::") == std::string_view::npos) return std::string(name);
  std::string mangled = "_ZN";
  while (!name.empty()) {
    const std::size_t end = std::min(name.find("::"), name.size());
    mangled += cat(end, name.substr(0, end));
    name.remove_prefix(std::min(end + 2, name.size()));
  }
  return mangled + "E";
}

}  // namespace tessera::kernels
