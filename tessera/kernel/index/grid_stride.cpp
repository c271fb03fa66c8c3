#include "tessera/kernel/index/grid_stride.h"

#include <algorithm>
#include <array>
#include <map>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/names.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/index/sum.h"

namespace tessera::kernels {
namespace {

/// What may stand in an expression that is evaluated again for every turn, and once by the driver.
constexpr std::array<std::string_view, 20> plain_operators = {"+", "-",  "*",  "/",  "%",  "(",  ")",  "?",  ":",  "<",
                                                              ">", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "."};
constexpr std::array<std::string_view, 4> ends_of_turns = {"return", "goto", "break", "continue"};

bool is_integer_type(const std::string& type) {
  const token_list words = tokenise(type, "");
  return !words.tokens.empty() && std::all_of(words.tokens.begin(), words.tokens.end(), [](const token& t) {
    return is_narrow_word(t.text) || is_wide_word(t.text) || t.is("const") || t.is("auto") || t.is("std") || t.is("::");
  });
}

std::string without_const(const std::string& type) {
  std::string result;
  for (const token& t : tokenise(type, "").tokens)
    if (!t.is("const")) result += cat(result.empty() ? "" : " ", t.text);
  return result;
}

/// Follows a kernel's body statement by statement. Every reader returns false where it does not understand.
class stride_finder {
 public:
  stride_finder(const outline& source, const reach& needed)
      : source_(source), code_(source.code), names_(source, needed), body_(source.declarations[needed.kernel].body) {}

  std::optional<grid_stride> run() {
    std::size_t at = body_.begin;
    while (at < body_.end && !code_[at].is("for") && !code_[at].is("while")) {
      const token_range statement{at, statement_end(source_, at, body_.end)};
      if (!read_prologue(statement)) return std::nullopt;
      at = statement.end;
    }
    if (at >= body_.end) return std::nullopt;
    found_.loop = {at, statement_end(source_, at, body_.end)};
    found_.is_while = code_[at].is("while");
    const bool good = found_.loop.end == body_.end && (found_.is_while ? read_while() : read_for()) &&
                      read_condition() && uses_indices_once() && keeps_variables() && keeps_turns();
    return good ? std::optional(found_) : std::nullopt;
  }

 private:
  struct variable {
    declarator declared;
    std::string driver_text;  ///< Its value in the driver's words; empty if only a thread knows it.
  };

  // Declarations of numbers, made of arguments, indices and each other.
  bool read_prologue(token_range statement) {
    const auto declared = read_declaration(source_, statement);
    if (!declared || source_.holds(statement, {"static", "thread_local", "__shared__", "extern", "volatile"}))
      return false;
    for (const declarator& d : *declared) {
      const std::string_view name = code_[d.name].text;
      const bool number = names_.of_type(d.type) == held::number && d.extents.empty() && !d.is_reference;
      if (!number || d.initial.empty() || !code_[d.initial.begin - 1].is("=") || variables_.contains(name))
        return false;
      if (names_.is_parameter(name) || !is_plain(d.initial)) return false;
      const auto value = driver_text(d.initial);
      const bool shown = value && d.type.find("auto") == std::string::npos;
      variables_[name] = {d, shown ? cat("((", without_const(d.type), ")(", *value, "))") : ""};
    }
    return true;
  }

  [[nodiscard]] bool is_plain(token_range range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const token& t = code_[i];
      const bool name =
          t.is_identifier() && (variables_.contains(t.text) || is_argument(t.text) || is_index_name(t.text) ||
                                is_narrow_word(t.text) || is_wide_word(t.text) || t.is("float"));
      const bool member = t.is_identifier() && i > range.begin && code_[i - 1].is(".") && axis_of(t.text) >= 0;
      const bool call = name && i + 1 < range.end && code_[i + 1].is("(") && variables_.contains(t.text);
      if (source_.macros.contains(t.text) || call) return false;
      if (!name && !member && t.kind != token_kind::number && !is_among(plain_operators, t.text)) return false;
    }
    return true;
  }

  [[nodiscard]] bool is_argument(std::string_view name) const {
    return names_.is_parameter(name) && names_.parameter(name) == held::number;
  }

  /// An expression of arguments and numbers, as the driver computes it.
  [[nodiscard]] std::optional<std::string> driver_text(token_range range) const {
    if (range.empty() || !is_plain(range)) return std::nullopt;
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const token& t = code_[i];
      const auto local = variables_.find(t.text);
      if (is_index_name(t.text) || t.is(".") || t.is("?") || t.is(":")) return std::nullopt;
      if (local != variables_.end()) {
        if (local->second.driver_text.empty()) return std::nullopt;
        text += local->second.driver_text;
      } else if (is_argument(t.text)) {
        const auto& all = names_.parameters();
        text += cat("__tessera_p", std::find(all.begin(), all.end(), t.text) - all.begin());
      } else {
        text += t.text;
      }
      text += ' ';
    }
    return text;
  }

  bool read_for() {
    const std::size_t open = found_.loop.begin + 1;
    if (!code_[open].is("(")) return false;
    const std::size_t close = source_.match[open];
    const std::size_t first = statement_end(source_, open + 1, close);
    const std::size_t second = statement_end(source_, first, close);
    if (second >= close) return false;
    found_.condition = {first, second - 1};
    found_.step = {second, close};
    found_.body = {close + 1, found_.loop.end};
    const auto declared = read_declaration(source_, {open + 1, first});
    if (!declared || declared->size() != 1 || source_.holds({open + 1, first}, {"static"})) return false;
    return read_counter((*declared)[0]) && read_step(found_.step);
  }

  bool read_while() {
    const std::size_t open = found_.loop.begin + 1;
    if (!code_[open].is("(")) return false;
    found_.condition = {open + 1, source_.match[open]};
    found_.body = {source_.match[open] + 1, found_.loop.end};
    if (found_.condition.empty() || !code_[found_.body.begin].is("{")) return false;
    const std::size_t end = found_.body.end - 1;
    for (std::size_t at = found_.body.begin + 1; at < end; at = statement_end(source_, at, end))
      found_.step = {at, statement_end(source_, at, end)};
    const auto counter = variables_.find(code_[found_.condition.begin].text);
    if (found_.step.empty() || counter == variables_.end()) return false;
    const declarator declared = counter->second.declared;
    variables_.erase(counter);
    return read_counter(declared) && read_step({found_.step.begin, found_.step.end - 1});
  }

  bool read_counter(const declarator& d) {
    counter_ = code_[d.name].text;
    found_.counter_type = without_const(d.type);
    if (d.is_const || d.is_reference || !d.extents.empty() || !is_integer_type(d.type) || d.initial.empty())
      return false;
    if (!code_[d.initial.begin - 1].is("=") || variables_.contains(counter_) || names_.is_parameter(counter_))
      return false;
    if (is_sum(d.initial)) return true;
    const auto named = variables_.find(code_[d.initial.begin].text);
    if (d.initial.end != d.initial.begin + 1 || named == variables_.end()) return false;
    first_ = named->first;
    return is_sum(named->second.declared.initial) &&
           without_const(named->second.declared.type) == found_.counter_type && found_.counter_type != "auto" &&
           mentions({body_.begin, body_.end}, first_) == 2;
  }

  [[nodiscard]] bool is_sum(token_range range) const {
    const auto sum = read_index_sum(std::span(code_).first(range.end), range.begin, {});
    return sum && sum->axis == 0 && sum->end == range.end;
  }

  // i += step, i = i + step, i = step + i.
  bool read_step(token_range step) {
    const std::size_t b = step.begin;
    if (step.end < b + 3 || code_[b].text != counter_) return false;
    if (code_[b + 1].is("+=")) return is_stride({b + 2, step.end});
    if (!code_[b + 1].is("=") || step.end < b + 5) return false;
    if (code_[b + 2].text == counter_ && code_[b + 3].is("+")) return is_stride({b + 4, step.end});
    return code_[step.end - 1].text == counter_ && code_[step.end - 2].is("+") && is_stride({b + 2, step.end - 2});
  }

  bool is_stride(token_range range) {
    const auto named = variables_.find(code_[range.begin].text);
    if (named == variables_.end()) return is_grid_size(range);
    step_ = named->first;
    return range.end == range.begin + 1 && is_grid_size(named->second.declared.initial) &&
           is_integer_type(named->second.declared.type) && mentions(body_, step_) == 2;
  }

  // blockDim.x * gridDim.x, with parentheses and casts to integers.
  [[nodiscard]] bool is_grid_size(token_range range) const {
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const token& t = code_[i];
      const bool cast = t.is("static_cast") || t.is("<") || t.is(">") || is_narrow_word(t.text) || is_wide_word(t.text);
      if (!cast && !t.is("(") && !t.is(")")) text += t.text;
    }
    return text == "blockDim.x*gridDim.x" || text == "gridDim.x*blockDim.x";
  }

  bool read_condition() {
    const std::size_t b = found_.condition.begin;
    if (found_.condition.end < b + 3 || code_[b].text != counter_) return false;
    found_.inclusive = code_[b + 1].is("<=");
    if (!found_.inclusive && !code_[b + 1].is("<")) return false;
    for (std::size_t i = b + 2; i < found_.condition.end; ++i)
      if (is_among(std::array<std::string_view, 8>{"<", ">", "<=", ">=", "==", "!=", "&&", "||"}, code_[i].text))
        return false;
    const auto text = driver_text({b + 2, found_.condition.end});
    if (text) found_.bound = *text;
    return text.has_value();
  }

  [[nodiscard]] std::ptrdiff_t mentions(token_range range, std::string_view name) const {
    const std::vector<token> all = names_.expanded(range);
    return std::count_if(all.begin(), all.end(), [&](const token& t) { return t.text == name; });
  }

  // The first index and the step are all that depends on the size of a block along x.
  [[nodiscard]] bool uses_indices_once() const {
    const std::vector<token> all = names_.expanded(body_);
    std::map<std::string_view, int> along_x;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!kind_of(all[i].text)) continue;
      if (i + 2 >= all.size() || !all[i + 1].is(".") || axis_of(all[i + 2].text) < 0) return false;
      if (all[i + 2].is("x")) ++along_x[all[i].text];
    }
    return along_x["threadIdx"] == 1 && along_x["blockIdx"] == 1 && along_x["blockDim"] == 2;
  }

  // No variable from outside of the loop changes in it, but for the counter's step.
  [[nodiscard]] bool keeps_variables() const {
    const token_range inside{found_.body.begin, found_.is_while ? found_.step.begin : found_.body.end};
    const auto kept = [&](std::string_view name, held content) {
      return !names_.may_change(inside, name, content) && !names_.may_take_address(inside, name, 0);
    };
    if (!kept(counter_, held::number)) return false;
    for (const auto& [name, v] : variables_)
      if (!kept(name, held::number)) return false;
    for (std::string_view name : names_.parameters()) {
      const bool pointer = names_.parameter(name) == held::pointer;
      if (names_.may_change(inside, name, names_.parameter(name))) return false;
      if (!pointer && names_.may_take_address(inside, name, 0)) return false;
    }
    return true;
  }

  // A turn ends at its end, and the next one follows.
  [[nodiscard]] bool keeps_turns() const {
    const std::vector<token> all = names_.expanded(found_.body);
    for (std::string_view word : ends_of_turns) {
      std::ptrdiff_t written = 0;
      for (std::size_t i = found_.body.begin; i < found_.body.end; ++i) {
        if (!code_[i].is(word)) continue;
        ++written;
        const bool next_turn = word == "continue" && !found_.is_while;
        if (word == "return" || word == "goto" || (!next_turn && !is_within_loop(i, word == "break"))) return false;
      }
      if (written != std::count_if(all.begin(), all.end(), [&](const token& t) { return t.is(word); })) return false;
    }
    return std::none_of(all.begin(), all.end(),
                        [](const token& t) { return t.is("asm") || t.is("case") || t.is("static"); });
  }

  [[nodiscard]] bool is_within_loop(std::size_t position, bool or_switch) const {
    for (std::size_t i = found_.body.begin; i < position; ++i) {
      const bool loop = code_[i].is("for") || code_[i].is("while") || code_[i].is("do");
      if ((loop || (or_switch && code_[i].is("switch"))) && statement_end(source_, i, found_.body.end) > position)
        return true;
    }
    return false;
  }

  const outline& source_;
  const std::vector<token>& code_;
  known_names names_;
  token_range body_;
  std::map<std::string_view, variable> variables_;
  std::string_view counter_, first_, step_;
  grid_stride found_;
};

}  // namespace

std::optional<grid_stride> find_grid_stride(const outline& source, const reach& needed) {
  const token_range body = source.declarations[needed.kernel].body;
  if (!source.holds(body, {"gridDim"})) return std::nullopt;
  try {
    return stride_finder(source, needed).run();
  } catch (const cut_refused&) {
    return std::nullopt;
  }
}

}  // namespace tessera::kernels
