#include "tessera/kernel/analysis/variables.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/analysis/variable_uses.h"
#include "tessera/kernel/source/condition.h"
#include "tessera/kernel/source/parameter_type.h"
#include "tessera/kernel/source/reach.h"

namespace tessera::kernels {
namespace {

using tokens = std::vector<token>;

/// Words of a declaration that are no part of the variable's type.
constexpr std::array<std::string_view, 9> qualifiers = {
    "__constant__", "__device__", "__managed__", "static", "extern", "inline", "volatile", "constexpr", "__shared__"};
constexpr std::array<std::string_view, 4> attributes = {"__align__", "alignas", "__attribute__", "__attribute"};

bool opens(const token& t) { return t.is("(") || t.is("[") || t.is("{"); }
bool closes(const token& t) { return t.is(")") || t.is("]") || t.is("}"); }

/// The position behind the bracket that opens at `i`.
std::size_t after_bracket(const tokens& code, std::size_t i) {
  int depth = 0;
  for (; i < code.size(); ++i) {
    depth += opens(code[i]) ? 1 : closes(code[i]) ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return i;
}

/// The value of a constant at namespace scope, `const int n = 4;`, as tokens; nothing if there is none.
std::optional<tokens> constant_named(const outline& source, std::string_view name) {
  for (const declaration& d : source.declarations) {
    if (d.kind != declaration_kind::other || !is_among(d.names, name)) continue;
    const tokens code = expand_macros(source, d.all);
    const bool constant =
        std::any_of(code.begin(), code.end(), [](const token& t) { return t.is("const") || t.is("constexpr"); });
    for (std::size_t i = 0; constant && i + 1 < code.size(); ++i) {
      if (!code[i].is(name) || !code[i + 1].is("=")) continue;
      tokens value;
      for (std::size_t k = i + 2; k < code.size() && !code[k].is(";") && !code[k].is(","); ++k)
        value.push_back(code[k]);
      return value;
    }
  }
  return std::nullopt;
}

/// Replaces the names of constants by their values; false if a name is left.
bool replace_constants(const outline& source, const tokens& code, tokens& out, int depth) {
  constexpr int deepest = 8;
  for (const token& t : code) {
    if (!t.is_identifier()) {
      out.push_back(t);
      continue;
    }
    const std::optional<tokens> value = depth < deepest ? constant_named(source, t.text) : std::nullopt;
    if (!value) return false;
    token bracket = t;
    bracket.kind = token_kind::punctuation;
    bracket.text = "(";
    out.push_back(bracket);
    if (!replace_constants(source, *value, out, depth + 1)) return false;
    bracket.text = ")";
    out.push_back(bracket);
  }
  return true;
}

std::optional<std::int64_t> extent_of(const outline& source, const tokens& code) {
  tokens plain;
  if (code.empty() || !replace_constants(source, code, plain, 0)) return std::nullopt;
  const std::optional<std::int64_t> value = evaluate_condition(plain, {});
  return value && *value > 0 ? value : std::nullopt;
}

bool is_zero(const token& t) {
  if (t.is("{") || t.is("}") || t.is("(") || t.is(")") || t.is(",") || t.is("=") || t.is("false")) return true;
  if (t.kind != token_kind::number || t.text.starts_with("0x")) return false;
  return std::all_of(t.text.begin(), t.text.end(),
                     [](char c) { return std::string_view("0.fFuUlL").find(c) != std::string_view::npos; });
}

/// Reads one declaration of variables: qualifiers, a type, and declarators behind it.
class declarator_reader {
 public:
  declarator_reader(const outline& source, const token_list& list, std::size_t declaration)
      : source_(source), list_(list), index_(declaration), code_(expand_macros(source, d().all)) {}

  void read(std::vector<file_variable>& out) {
    const auto says = [&](std::string_view word) {
      return std::any_of(code_.begin(), code_.end(), [&](const token& t) { return t.is(word); });
    };
    is_constant_ = says("__constant__");
    if (says("extern") && !says("=")) return;  // defined elsewhere
    if (!code_.empty() && code_.back().is(";")) code_.pop_back();
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= code_.size(); ++i) {
      if (i < code_.size() && opens(code_[i])) i = after_bracket(code_, i) - 1;
      angles_ += i >= code_.size() || behind_name(begin, i) ? 0 : code_[i].is("<") ? 1 : code_[i].is(">") ? -1 : 0;
      if (i < code_.size() && (!code_[i].is(",") || angles_ > 0)) continue;
      read_declarator({code_.data() + begin, std::min(i, code_.size()) - begin}, out);
      begin = i + 1;
    }
  }

 private:
  [[nodiscard]] const declaration& d() const { return source_.declarations[index_]; }

  /// Whether `=` stands between: what follows is a value, in which `<` compares.
  [[nodiscard]] bool behind_name(std::size_t begin, std::size_t i) const {
    return std::any_of(code_.begin() + static_cast<std::ptrdiff_t>(begin),
                       code_.begin() + static_cast<std::ptrdiff_t>(i), [](const token& t) { return t.is("="); });
  }

  void read_declarator(std::span<const token> part, std::vector<file_variable>& out) {
    tokens words;  // of the type, then the name
    std::size_t i = 0;
    for (; i < part.size() && !part[i].is("=") && !part[i].is("[") && !part[i].is("{") && !part[i].is("("); ++i) {
      if (is_among(attributes, part[i].text) && i + 1 < part.size() && part[i + 1].is("(")) {
        i = after_bracket({part.begin(), part.end()}, i + 1) - 1;
        continue;
      }
      if (is_among(qualifiers, part[i].text)) {
        is_constexpr_ = is_constexpr_ || part[i].is("constexpr");
        continue;
      }
      words.push_back(part[i]);
    }
    if (words.empty() || !words.back().is_identifier()) return;
    if (type_.empty()) type_ = type_in_front(words);
    const token name = words.back();
    words.pop_back();
    tokens full = type_;
    for (const token& t : words)
      if (t.is("*") || t.is("&") || (t.is("const") && !full.empty() && full.back().is("*"))) full.push_back(t);
    add(full, name, part.subspan(i), out);
  }

  /// The words of the type that all declarators share: up to the first `*`.
  static tokens type_in_front(const tokens& words) {
    tokens type;
    for (std::size_t i = 0; i + 1 < words.size() && !words[i].is("*") && !words[i].is("&"); ++i)
      type.push_back(words[i]);
    return type;
  }

  void add(const tokens& type, const token& name, std::span<const token> rest, std::vector<file_variable>& out) {
    file_variable v;
    v.name = d().scope + std::string(name.text);
    v.is_constant = is_constant_;
    v.declaration = index_;
    v.line = name.line;
    set_type(v, type, name);
    v.elements = 1;
    std::size_t i = 0;
    const tokens more(rest.begin(), rest.end());
    while (i < more.size() && more[i].is("[")) {
      const std::size_t end = after_bracket(more, i);
      const tokens extent(more.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                          more.begin() + static_cast<std::ptrdiff_t>(end) - 1);
      const std::optional<std::int64_t> n = extent_of(source_, extent);
      v.elements = n && v.elements && *n < (std::int64_t{1} << 32) / *v.elements ? std::optional(*v.elements * *n)
                                                                                 : std::nullopt;
      v.type_text += n ? cat("[", *n, "]") : "[...]";
      ++v.axes;
      i = end;
    }
    const bool given = i < more.size();
    const bool zeros = std::all_of(more.begin() + static_cast<std::ptrdiff_t>(i), more.end(), is_zero);
    using beginning = file_variable::beginning;
    // A structure's own initialisers may say something else than zeros.
    const bool plain = !v.is_struct && zeros;
    v.begins = given          ? (plain ? beginning::zeros : beginning::initialiser)
               : is_constant_ ? beginning::nothing
               : v.is_struct  ? beginning::initialiser
                              : beginning::zeros;
    out.push_back(std::move(v));
  }

  void set_type(file_variable& v, const tokens& type, const token& name) const {
    tokens all = type;
    all.push_back(name);
    v.is_struct = true;
    v.type = dtype::structure(0, 1);
    for (const token& t : type) v.type_text += cat(v.type_text.empty() || t.is("*") ? "" : " ", t.text);
    v.is_const = is_constexpr_;
    bool target = true;  // of a pointer
    for (std::size_t i = type.size(); i-- > 0 && target;) {
      target = !type[i].is("*");
      v.is_const = v.is_const || (target && type[i].is("const"));
    }
    v.holds_addresses = std::any_of(type.begin(), type.end(), [](const token& t) { return t.is("*") || t.is("&"); });
    if (v.holds_addresses) return;
    try {
      const parameter p = parse_parameter(all, source_, list_.position(name));
      v.type = p.type;
      v.is_struct = p.is_struct;
      v.holds_addresses = p.is_pointer;
      v.is_const = v.is_const || (!p.is_pointer && p.is_const);
    } catch (const compile_error&) {
      v.holds_addresses = true;  // an alias of something that no parameter can be
    }
  }

  const outline& source_;
  const token_list& list_;
  std::size_t index_;
  tokens code_;
  tokens type_;
  int angles_ = 0;
  bool is_constant_ = false, is_constexpr_ = false;
};

bool says_device(const outline& source, token_range range) {
  return source.mentions(range, "__constant__") || source.mentions(range, "__device__");
}

/// `__device__ int n(5);` looks like a function that is declared.
bool is_initialised_in_parentheses(const outline& source, const declaration& d) {
  if (d.kind != declaration_kind::prototype || d.parameters.empty()) return false;
  const token& first = source.code[d.parameters.begin];
  return first.kind == token_kind::number || first.kind == token_kind::literal || first.is("-");
}

/// `__constant__ struct pair { int a, b; } p;`.
void refuse_type_with_variable(const outline& source, const declaration& d, const token_list& list) {
  if (d.kind != declaration_kind::type || d.body.empty() || d.body.end + 2 >= d.all.end) return;
  if (!says_device(source, {d.all.begin, d.body.begin - 1})) return;
  throw compile_error(
      cat(list.position(source.code[d.all.begin]),
          ": a variable is declared together with its type; declare the type first, then the variable"));
}

}  // namespace

std::vector<file_variable> list_variables(const outline& source, const token_list& list) {
  std::vector<file_variable> result;
  for (std::size_t n = 0; n < source.declarations.size(); ++n) {
    const declaration& d = source.declarations[n];
    refuse_type_with_variable(source, d, list);
    if (d.kind != declaration_kind::other && !is_initialised_in_parentheses(source, d)) continue;
    const token& first = source.code[d.all.begin];
    if (d.is_template || first.is("using") || first.is("typedef") || !says_device(source, d.all)) continue;
    declarator_reader(source, list, n).read(result);
  }
  return result;
}

std::vector<file_variable> find_variables(const outline& source, const reach& needed, const token_list& list) {
  std::vector<file_variable> result = list_variables(source, list);
  if (result.empty()) return result;
  const variable_uses uses(source);
  for (std::size_t n = 0; n < source.declarations.size(); ++n) {
    const declaration& d = source.declarations[n];
    const bool for_devices = has_qualifier(source, d, "__device__") || has_qualifier(source, d, "__global__") ||
                             d.kind == declaration_kind::type;
    if (!needed.needed[n] && !for_devices) continue;
    for (file_variable& v : result) {
      if (v.declaration == n) continue;
      const variable_uses::answer use = uses.look(n, v);
      v.reached = v.reached || (needed.needed[n] && use.used);
      v.changed = v.changed || (needed.needed[n] && use.changed);
      v.changed_in_file = v.changed_in_file || use.changed;
    }
  }
  return result;
}

std::string variable_reader(const std::string& variable) {
  // From the thread's index on: NVRTC fails where the address of a constant with an initialiser is a constant itself.
  return cat("\n__global__ void ", variable_reader_name, "(unsigned char* __tessera_to) { for (unsigned long long ",
             "__tessera_i = threadIdx.x; __tessera_i < sizeof(::", variable, "); __tessera_i += blockDim.x) ",
             "__tessera_to[__tessera_i] = ((const unsigned char*)&::", variable, ")[__tessera_i]; }\n");
}

}  // namespace tessera::kernels
