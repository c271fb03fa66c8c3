#include <algorithm>
#include <set>

#include "tessera/base/text.h"
#include "tessera/kernel/rewrite.h"

namespace tessera::kernels {
namespace {

constexpr std::string_view hidden_parameters =
    "const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim, const dim3 gridDim";
constexpr std::string_view hidden_arguments = "threadIdx, blockIdx, blockDim, gridDim";

/// Decides which functions get hidden parameters and rewrites them.
class index_rewriter {
 public:
  index_rewriter(const parsed_kernel& source, text_edits& edits)
      : source_(source), code_(source.parsed.code), edits_(edits) {}

  index_source run() {
    find_functions();
    index_source result = index_source::parameters;
    if (!can_rewrite_helpers()) {
      result = index_source::thread_local_;
      names_.clear();
    }
    for (std::size_t i = 0; i < declarations().size(); ++i) {
      const declaration& d = declarations()[i];
      if (!source_.needed.needed[i]) continue;
      if (i == source_.needed.kernel || is_helper(d)) add_parameters(d);
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
                       [&](const token& t) { return is_index_name(t.text) || names_.contains(t.text); });
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
      if (rewritten && !plain_calls_only(d.body)) return false;
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
    edits_.insert_after(open, cat(hidden_parameters, none ? "" : ", "));
  }

  void add_arguments(token_range body) {
    for (std::size_t i = body.begin; i < body.end; ++i) {
      if (!names_.contains(code_[i].text)) continue;
      const std::size_t open = open_parenthesis(i);
      const bool none = source_.parsed.match[open] == open + 1;
      edits_.insert_after(code_[open], cat(hidden_arguments, none ? "" : ", "));
    }
  }

  const parsed_kernel& source_;
  const std::vector<token>& code_;
  text_edits& edits_;
  std::set<std::string_view> names_;
};

}  // namespace

index_source add_index_parameters(const parsed_kernel& source, text_edits& edits) {
  return index_rewriter(source, edits).run();
}

}  // namespace tessera::kernels
