#include "tessera/kernel/flat/inlined_call.h"

#include <algorithm>
#include <array>
#include <map>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/flat/variables.h"

namespace tessera::kernels {
namespace {

struct function_parameter {
  std::string type;
  std::string_view name;
  token_range initial;  ///< Its default.
  bool is_reference = false;
};

class call_inliner {
 public:
  call_inliner(const parsed_kernel& source, std::size_t call, std::size_t number, std::string_view target)
      : source_(source.parsed),
        kernel_(source.kernel()),
        needed_(source.needed),
        call_(call),
        number_(number),
        target_(target) {}

  inlined_call run() {
    function_ = find_function();
    open_ = find_parenthesis();
    bind_template();
    read_parameters();
    bind_arguments();
    cut_shared();
    refuse_captures();
    const std::string result = result_type();
    if (fits(result)) {
      out_.value = target_;
    } else if (result != "void") {
      out_.value = cat("__tessera_r", number_);
      out_.before = cat(result, " ", out_.value, "; ");
    }
    out_.before += cat("{ ", bound_, body(), " } ");
    return std::move(out_);
  }

 private:
  [[nodiscard]] const token& at(std::size_t i) const { return source_.code[i]; }
  /// Whether the target can take the place of a result of this type.
  [[nodiscard]] bool fits(const std::string& result) const {
    if (target_.empty() || !given_.empty() || type_of_variable(source_, kernel_, target_) != result) return false;
    return renamed_.contains(target_) || !source_.holds(function_->all, {target_});
  }
  [[nodiscard]] std::string name() const { return std::string(at(call_).text); }
  [[noreturn]] void refuse(std::string_view reason) const {
    refuse_cut(source_, call_, cat("threads meet in function `", name(), "`, ", reason));
  }

  const declaration* find_function() {
    const declaration* found = nullptr;
    for (std::size_t n = 0; n < source_.declarations.size(); ++n) {
      const declaration& d = source_.declarations[n];
      if (d.kind != declaration_kind::function || !source_.name_of(d).is(at(call_).text)) continue;
      if (found != nullptr) refuse("of which there are several");
      if (needed_.recursive[n]) refuse("which calls itself");
      const bool member = d.name > 0 && at(d.name - 1).is("::");
      if (member) refuse("which belongs to a type");
      found = &d;
    }
    if (found == nullptr) refuse("which is not a plain one");
    return found;
  }

  /// Behind template arguments, which it notes.
  std::size_t find_parenthesis() {
    std::size_t i = call_ + 1;
    if (at(i).is("<")) {
      std::size_t begin = i + 1;
      int depth = 0;
      for (; i < source_.code.size() && !at(i).is(";"); ++i) {
        depth += at(i).is("<") ? 1 : at(i).is(">") ? -1 : at(i).is(">>") ? -2 : 0;
        const bool end = depth <= 0;
        if (!end && !(depth == 1 && at(i).is(","))) continue;
        explicit_.push_back(source_.text({begin, i}));
        begin = i + 1;
        if (end) break;
      }
      ++i;
    }
    const token& before = at(call_ - 1);
    if (!at(i).is("(") || before.is(".") || before.is("->") || before.is("::")) refuse("which is not simply called");
    return i;
  }

  /// `template <class T, int N>`, with arguments that are written or those of a variable's type.
  void bind_template() {
    if (!function_->is_template) return;
    std::size_t i = function_->all.begin + 2;
    std::vector<std::string_view> names;
    for (int depth = 1; i < function_->name && depth > 0; ++i) {
      depth += at(i).is("<") ? 1 : at(i).is(">") ? -1 : 0;
      const bool last = at(i + 1).is(",") || at(i + 1).is(">") || at(i + 1).is("=");
      if (depth == 1 && at(i).is_identifier() && last && !at(i - 1).is("=")) names.push_back(at(i).text);
    }
    head_begin_ = i;
    if (explicit_.empty() && names.size() == 1) explicit_.push_back(deduced(names.front()));
    if (explicit_.size() != names.size()) refuse("a template whose arguments are not written");
    for (std::size_t k = 0; k < names.size(); ++k) renamed_[names[k]] = explicit_[k];
  }

  /// The type of the variable that is given for the first parameter of type `type`.
  std::string deduced(std::string_view type) {
    const std::vector<token_range> given = arguments_of(source_, open_);
    std::vector<token_range> declared = arguments_of(source_, function_->parameters.begin - 1);
    for (std::size_t k = 0; k < std::min(given.size(), declared.size()); ++k) {
      token_range d = declared[k];
      if (at(d.begin).is("const")) ++d.begin;
      const bool plain = d.end - d.begin >= 2 && at(d.begin).is(type) && at(d.end - 1).is_identifier() &&
                         (d.end - d.begin == 2 || (d.end - d.begin == 3 && at(d.begin + 1).is("&")));
      if (!plain) continue;
      if (given[k].end == given[k].begin + 1)
        if (const auto found = type_of_variable(source_, kernel_, at(given[k].begin).text)) return *found;
      break;
    }
    refuse("a template whose arguments are not written");
  }

  void read_parameters() {
    for (const token_range range : arguments_of(source_, function_->parameters.begin - 1)) {
      function_parameter p;
      std::size_t end = range.begin;
      while (end < range.end && !at(end).is("=")) ++end;
      if (end < range.end) p.initial = {end + 1, range.end};
      if (end == range.begin + 1 && at(range.begin).is("void")) continue;
      std::size_t name = end;
      while (name > range.begin && !at(name - 1).is_identifier()) --name;
      if (name <= range.begin + 1) refuse("a parameter of which has no name");
      --name;
      if (name + 1 != end && !(name + 3 == end && at(name + 1).is("["))) refuse("a parameter of which is not plain");
      p.name = at(name).text;
      p.is_reference = at(name - 1).is("&");
      p.type = replaced({range.begin, name}) + (name + 3 == end ? "*" : "");
      parameters_.push_back(p);
    }
  }

  void bind_arguments() {
    const std::vector<token_range> given = arguments_of(source_, open_);
    if (given.size() > parameters_.size()) refuse("with other arguments than it takes");
    std::map<std::string_view, std::string> names;
    bool in_place = false;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const function_parameter& p = parameters_[k];
      const token_range value = k < given.size() ? given[k] : p.initial;
      if (value.empty()) refuse("with other arguments than it takes");
      const bool variable = value.end == value.begin + 1 && at(value.begin).is_identifier();
      if (p.is_reference) {
        if (!variable) refuse("with a reference to no variable");
        names[p.name] = at(value.begin).text;
        given_.insert(at(value.begin).text);
        continue;
      }
      if (k < given.size() && variable && at(value.begin).is(target_) && !in_place && works_on_target(p)) {
        names[p.name] = target_;
        in_place = true;
        continue;
      }
      const std::string inside = cat("__tessera_p", number_, "_", p.name);
      arguments_ += cat(p.type, " ", inside, " = ", source_.text(value), "; ");
      names[p.name] = inside;
    }
    for (const auto& [from, to] : names) renamed_[from] = to;
    bound_ = arguments_;
  }

  /// Whether a parameter that begins as the target, in `v = f(v);`, can be the target itself.
  [[nodiscard]] bool works_on_target(const function_parameter& p) const {
    const std::string result = result_type();
    if (p.type != result || type_of_variable(source_, kernel_, target_) != result) return false;
    const auto is_target = [&](const function_parameter& other) { return other.name == target_; };
    const auto is_reference = [](const function_parameter& other) { return other.is_reference; };
    if (std::any_of(parameters_.begin(), parameters_.end(), is_reference)) return false;
    return std::any_of(parameters_.begin(), parameters_.end(), is_target) || !source_.holds(function_->all, {target_});
  }

  /// Shared variables of a function are one for all its calls.
  void cut_shared() {
    for (const placed_statement& s : all_statements(source_, function_->body)) {
      if (at(s.range.begin).is("{") || !source_.holds(s.range, {"__shared__"})) continue;
      if (source_.holds(s.range, {"if", "for", "while", "extern"})) continue;
      token_range rest = s.range;
      while (rest.begin < rest.end && (at(rest.begin).is("__shared__") || at(rest.begin).is("static"))) ++rest.begin;
      const auto declared = read_declaration(source_, rest);
      if (!declared) refuse("whose shared variables are not plain");
      for (const declarator& d : *declared) {
        const std::string name = cat("__tessera_s_", at(call_).text, "_", at(d.name).text);
        for (std::size_t i = d.name + 1; i < s.range.end && !at(i).is(";"); ++i)
          if (at(i).is_identifier() && declares(function_->body, at(i).text))
            refuse("whose shared variables are not plain");
        out_.shared += cat("__shared__ ", replaced_text(d.type), " ", name, replaced_text(d.extents), "; ");
        renamed_[at(d.name).text] = name;
      }
      cut_.push_back(s.range);
    }
  }

  [[nodiscard]] bool declares(token_range body, std::string_view word) const {
    const std::vector<local_variable> locals = local_variables(source_, body);
    return std::any_of(locals.begin(), locals.end(),
                       [&](const local_variable& v) { return v.name == word && !renamed_.contains(word); });
  }

  /// A name that the function takes from outside must not be one of the kernel's own, nor be hidden by the body.
  void refuse_captures() {
    const std::vector<local_variable> own = local_variables(source_, function_->body);
    std::vector<local_variable> others = local_variables(source_, kernel_.body);
    for (const token_range p : arguments_of(source_, kernel_.parameters.begin - 1))
      if (!p.empty()) others.push_back({at(p.end - 1).text, {}});
    const auto among = [](const std::vector<local_variable>& names, std::string_view word) {
      return std::any_of(names.begin(), names.end(), [&](const local_variable& v) { return v.name == word; });
    };
    for (std::size_t i = function_->body.begin; i < function_->body.end; ++i) {
      const std::string_view word = at(i).text;
      const bool member = at(i - 1).is(".") || at(i - 1).is("->");
      if (!at(i).is_identifier() || member || renamed_.contains(word) || among(own, word)) continue;
      if (among(others, word)) refuse(cat("which means another `", word, "` than the kernel"));
    }
    for (const function_parameter& p : parameters_)
      if (among(own, p.name)) refuse(cat("which declares `", p.name, "` again"));
    for (std::string_view word : given_)
      if (among(own, word)) refuse(cat("which declares another `", word, "`"));
  }

  [[nodiscard]] std::string result_type() const {
    static constexpr std::array<std::string_view, 13> qualifiers = {
        "static",       "inline",    "__inline__", "__inline",      "__forceinline__", "__device__",  "__host__",
        "__noinline__", "constexpr", "extern",     "[[nodiscard]]", "const",           "__restrict__"};
    std::string type;
    for (std::size_t i = std::max(head_begin_, function_->all.begin); i < function_->name; ++i) {
      if (is_among(qualifiers, at(i).text) || at(i).kind == token_kind::literal) continue;
      if (at(i).is("__attribute__") || at(i).is("[")) refuse("whose head is not plain");
      type += cat(type.empty() ? "" : " ", replaced({i, i + 1}));
    }
    if (type.empty() || type.find("auto") != std::string::npos || type.find('&') != std::string::npos)
      refuse("whose type is not plain");
    return type;
  }

  /// The body's tokens, with its one `return` as an assignment.
  [[nodiscard]] std::string body() const {
    const token_range body = function_->body;
    std::string text;
    std::size_t last = body.begin;
    for (std::size_t i = body.begin; i < body.end; i = statement_end(source_, i, body.end)) last = i;
    for (std::size_t i = body.begin; i < body.end; ++i) {
      const auto cut = std::find_if(cut_.begin(), cut_.end(), [&](token_range r) { return r.begin == i; });
      if (cut != cut_.end()) {
        i = cut->end - 1;
        continue;
      }
      if (at(i).is("return")) {
        if (i != last) refuse("which may return before its end");
        const bool is_there = at(i + 2).is(";") && replaced({i + 1, i + 2}) == out_.value;  // worked on in place
        if (is_there) ++i;
        if (!is_there && !at(i + 1).is(";")) text += cat(out_.value, " = ");
        continue;
      }
      text += replaced({i, i + 1}) + " ";
    }
    return text;
  }

  [[nodiscard]] std::string replaced(token_range range) const {
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool member = i > 0 && (at(i - 1).is(".") || at(i - 1).is("->"));
      const auto found = member || !at(i).is_identifier() ? renamed_.end() : renamed_.find(at(i).text);
      text += cat(text.empty() ? "" : " ", found == renamed_.end() ? std::string(at(i).text) : found->second);
    }
    return text;
  }
  [[nodiscard]] std::string replaced_text(const std::string& text) const {
    std::string result;
    for (const token& t : tokenise(text, "").tokens) {
      const auto found = renamed_.find(t.text);
      result += cat(found == renamed_.end() ? std::string(t.text) : found->second, " ");
    }
    return result;
  }

  const outline& source_;
  const declaration& kernel_;
  const reach& needed_;
  std::size_t call_, number_;
  std::string_view target_;
  const declaration* function_ = nullptr;
  std::size_t open_ = 0, head_begin_ = 0;
  std::vector<std::string> explicit_;  // template arguments
  std::vector<function_parameter> parameters_;
  std::map<std::string_view, std::string> renamed_;
  std::set<std::string_view> given_;  // by reference
  std::vector<token_range> cut_;
  std::string arguments_, bound_;
  inlined_call out_;
};

}  // namespace

inlined_call inline_call(const parsed_kernel& source, std::size_t call, std::size_t number, std::string_view target) {
  return call_inliner(source, call, number, target).run();
}

}  // namespace tessera::kernels
