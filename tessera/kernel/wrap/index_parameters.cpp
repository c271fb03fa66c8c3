#include "tessera/kernel/wrap/index_parameters.h"

#include <algorithm>
#include <set>

#include "tessera/base/text.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {
namespace {

/// True for the bracket of a lambda that captures nothing by default.
bool is_closed_lambda(const std::vector<token>& code, std::size_t i) {
  if (!code[i].is("[") || i == 0 || i + 2 >= code.size()) return false;
  const token& before = code[i - 1];
  const token& next = code[i + 1];
  const bool subscript = (before.is_identifier() && !before.is("return")) || before.is("]") || before.is(")");
  const bool attribute = before.is("[") || next.is("[");
  const bool open = next.is("=") || (next.is("&") && (code[i + 2].is("]") || code[i + 2].is(",")));
  return !subscript && !attribute && !open;
}

/// Decides which functions get hidden parameters and rewrites them.
class index_rewriter {
 public:
  index_rewriter(const parsed_kernel& source, const hidden_parameters& hidden, text_edits& edits)
      : source_(source), code_(source.parsed.code), hidden_(hidden), edits_(edits) {}

  [[nodiscard]] bool possible() {
    find_functions();
    return can_rewrite_helpers();
  }

  index_source run() {
    index_source result = index_source::parameters;
    if (!possible()) {
      result = index_source::variables;
      names_.clear();
    }
    for (std::size_t i = 0; i < declarations().size(); ++i) {
      const declaration& d = declarations()[i];
      if (!source_.needed.needed[i]) continue;
      if (is_helper(d) || (i == source_.needed.kernel && hidden_.of_kernel)) add_parameters(d);
      if (is_helper(d) && !hidden_.specifier.empty()) add_specifier(i);
      if (i == source_.needed.kernel || (is_helper(d) && d.kind == declaration_kind::function)) add_arguments(d.body);
    }
    return result;
  }

 private:
  [[nodiscard]] const std::vector<declaration>& declarations() const { return source_.parsed.declarations; }

  [[nodiscard]] bool is_helper(const declaration& d) const {
    const bool callable = d.kind == declaration_kind::function || d.kind == declaration_kind::prototype;
    return callable && d.name < d.all.end && names_.contains(code_[d.name].text);
  }

  [[nodiscard]] bool needs_indices(token_range range) const {
    const std::vector<token> tokens = expand_macros(source_.parsed, range);
    return std::any_of(tokens.begin(), tokens.end(),
                       [&](const token& t) { return hidden_.hides(t.text) || names_.contains(t.text); });
  }

  // The functions that mention an index, or call one that does.
  void find_functions() {
    bool grown = true;
    while (grown) {
      grown = false;
      for (std::size_t i = 0; i < declarations().size(); ++i) {
        const declaration& d = declarations()[i];
        const bool candidate =
            source_.needed.needed[i] && i != source_.needed.kernel && d.kind == declaration_kind::function;
        if (candidate && !names_.contains(code_[d.name].text) && needs_indices(d.body))
          grown = names_.insert(code_[d.name].text).second;
      }
    }
  }

  // False if an index or a function that needs one is mentioned where no hidden parameter can be.
  [[nodiscard]] bool can_rewrite_helpers() const {
    for (std::size_t i = 0; i < declarations().size(); ++i) {
      const declaration& d = declarations()[i];
      if (!source_.needed.needed[i]) continue;
      const bool rewritten = i == source_.needed.kernel || is_helper(d);
      if (!rewritten && needs_indices(d.all)) return false;
      if (rewritten && d.name > d.all.begin && i != source_.needed.kernel &&
          (code_[d.name - 1].is("::") || code_[d.name - 1].is("operator")))
        return false;
      if (rewritten && (!plain_calls_only(d.body) || needs_indices_in_closed_scope(d.body))) return false;
    }
    for (const auto& [name, m] : source_.parsed.macros)
      for (const token& t : m.body)
        if (names_.contains(t.text)) return false;
    return true;
  }

  [[nodiscard]] bool plain_calls_only(token_range body) const {
    for (std::size_t i = body.begin; i < body.end; ++i) {
      if (!names_.contains(code_[i].text)) continue;
      const bool member = i > 0 && (code_[i - 1].is(".") || code_[i - 1].is("->"));
      if (member || open_parenthesis(i) == 0) return false;
    }
    return true;
  }

  [[nodiscard]] bool needs_indices_in_closed_scope(token_range body) const {
    const std::vector<token_range> closed = closed_scopes(source_.parsed, body);
    return std::any_of(closed.begin(), closed.end(), [&](token_range scope) { return needs_indices(scope); });
  }

  // The parenthesis of the call whose name stands at i, behind template arguments if there are any; 0 if none.
  [[nodiscard]] std::size_t open_parenthesis(std::size_t i) const {
    std::size_t k = i + 1;
    if (k < code_.size() && code_[k].is("<")) {
      int depth = 0;
      for (; k < code_.size() && !code_[k].is(";"); ++k) {
        depth += code_[k].is("<") ? 1 : code_[k].is(">") ? -1 : code_[k].is(">>") ? -2 : 0;
        if (depth <= 0) break;
      }
      ++k;
    }
    return k < code_.size() && code_[k].is("(") ? k : 0;
  }

  void add_parameters(const declaration& d) {
    const token& open = code_[d.parameters.begin - 1];
    const bool is_void = d.parameters.end == d.parameters.begin + 1 && code_[d.parameters.begin].is("void");
    if (is_void) edits_.replace(code_[d.parameters.begin], "");
    const bool none = is_void || d.parameters.empty();
    edits_.insert_after(open, cat(hidden_.declared, none ? "" : ", "));
  }

  void add_specifier(std::size_t i) {
    const declaration& d = declarations()[i];
    const std::size_t at = specifier_position(source_.parsed, d);
    const bool unwanted =
        source_.needed.recursive[i] || source_.parsed.mentions(source_.parsed.head(d), "__noinline__");
    if (at < d.name && !unwanted) edits_.insert_before(code_[at], cat(hidden_.specifier, " "));
  }

  void add_arguments(token_range body) {
    for (std::size_t i = body.begin; i < body.end; ++i) {
      if (!names_.contains(code_[i].text)) continue;
      const std::size_t open = open_parenthesis(i);
      const bool none = source_.parsed.match[open] == open + 1;
      edits_.insert_after(code_[open], cat(hidden_.passed, none ? "" : ", "));
    }
  }

  const parsed_kernel& source_;
  const std::vector<token>& code_;
  const hidden_parameters& hidden_;
  text_edits& edits_;
  std::set<std::string_view> names_;
};

}  // namespace

std::vector<token_range> closed_scopes(const outline& source, token_range body) {
  std::vector<token_range> result;
  for (std::size_t i = body.begin; i < body.end; ++i) {
    const token& t = source.code[i];
    if (!is_closed_lambda(source.code, i) && !t.is("struct") && !t.is("class") && !t.is("union")) continue;
    std::size_t open = i;
    while (open < body.end && !source.code[open].is("{") && !source.code[open].is(";")) ++open;
    if (open < body.end && source.code[open].is("{")) result.push_back({open, source.match[open]});
  }
  return result;
}

bool can_pass_indices(const parsed_kernel& source) {
  const std::string unchanged;
  text_edits none(unchanged);
  const hidden_parameters indices{.hides = is_index_name, .declared = {}, .passed = {}, .specifier = {}};
  return index_rewriter(source, indices, none).possible();
}

index_source add_index_parameters(const parsed_kernel& source, const hidden_parameters& hidden, text_edits& edits) {
  return index_rewriter(source, hidden, edits).run();
}

}  // namespace tessera::kernels
