#include "tessera/kernel/barrier/structure.h"

#include <algorithm>
#include <array>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/warp_functions.h"

namespace tessera::kernels {
namespace {

constexpr std::string_view barrier = "__syncthreads";

class structure_reader {
 public:
  structure_reader(const outline& source, token_range body, const bound_filter& bounds)
      : source_(source), body_(body), bounds_(bounds), bound_reader_(source, body) {}

  split_structure read() {
    refuse_words();
    block(body_.begin, body_.end);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const token& at(std::size_t i) const {
    static const token none;
    return i < source_.code.size() ? source_.code[i] : none;  // text may end anywhere
  }
  [[noreturn]] void refuse(std::size_t position, std::string_view reason) const {
    refuse_cut(source_, position, reason);
  }

  /// What the reader does not understand, wherever it stands.
  void refuse_words() const {
    for (std::size_t i = body_.begin; i < body_.end; ++i) {
      const token& t = at(i);
      if (t.is("goto") || t.is("try") || t.is("asm")) refuse(i, cat("`", t.text, "`"));
      if (t.is("return") && !at(i + 1).is(";")) refuse(i, "a return with a value");
      const bool unknown = t.text.starts_with(barrier) && t.text != barrier && !find_warp_function(t.text);
      if (unknown) refuse(i, cat("`", t.text, "`"));
      const token& before = at(i - 1);
      if (t.is("[") && !before.is_identifier() && !before.is("]") && !before.is(")")) refuse(i, "a lambda");
      const bool type = t.is("struct") || t.is("class") || t.is("union") || t.is("enum");
      if (type && (at(i + 1).is("{") || at(i + 2).is("{") || at(i + 2).is(":"))) refuse(i, "a local type");
      if (t.is_identifier() && source_.unsteady_macros.contains(t.text)) refuse(i, cat("macro `", t.text, "`"));
      if (t.is_identifier() && source_.macros.contains(t.text)) refuse_macro(i);
    }
  }

  /// Macros may be expressions and types.
  void refuse_macro(std::size_t i) const {
    for (const token& t : expand_macros(source_, {i, i + 1})) {
      static constexpr std::array<std::string_view, 18> statements = {
          ";",   "{",  "}",    "return", "break", "goto", "continue", "#",          "##",
          "...", "if", "else", "for",    "while", "do",   "switch",   "__shared__", "_Pragma"};
      const bool statement = is_among(statements, t.text) || t.text.starts_with(barrier) || meets_warp(t.text);
      if (statement || is_assignment_operator(t)) refuse(i, cat("macro `", at(i).text, "`"));
    }
  }

  split_item& add(item_kind kind, token_range range) {
    split_item item;
    item.kind = kind;
    item.range = range;
    item.in_loop = loops_ > 0;
    item.region = region_;
    return out_.items.emplace_back(std::move(item));
  }
  void cut(std::size_t position) { add(item_kind::cut, {position, position}); }

  void block(std::size_t begin, std::size_t end) {
    ++depth_;
    cut(begin);
    std::vector<token_range> list;
    for (std::size_t i = begin; i < end;) {
      const std::size_t next = statement_end(source_, i, end);
      statement({i, next}, end);
      list.push_back({i, next});
      i = next;
    }
    out_.lists.push_back(std::move(list));
    cut(end);
    --depth_;
  }

  /// The statement behind the head of a control: a block of its own.
  void child(token_range range, std::size_t control, bool otherwise = false) {
    const std::size_t around = region_;
    out_.regions.push_back({control, otherwise, around});
    region_ = out_.regions.size() - 1;
    child(range);
    region_ = around;
  }
  void child(token_range range) {
    if (at(range.begin).is("{")) return block(range.begin + 1, range.end - 1);
    cut(range.begin);
    statement(range, range.end);
    cut(range.end);
  }

  void statement(token_range range, std::size_t scope_end) {
    if (!meets(range)) return without_barrier(range, scope_end);
    const token& first = at(range.begin);
    const bool alone = after_parentheses(source_, range.begin + 1, range.end) + 1 == range.end;
    if ((first.is(barrier) || first.is("__syncwarp")) && alone) {
      out_.barriers.push_back({range.begin, range.end - 1});
      cut(range.begin);
    } else if (first.is("auto") && at(range.begin + 1).text.starts_with(result_prefix)) {
      add(item_kind::exchange, range);
      declare(*read_declaration(source_, range), scope_end);
    } else if (first.is("{")) {
      block(range.begin + 1, range.end - 1);
    } else if (first.is("if")) {
      condition(range);
    } else if (first.is("for") || first.is("while")) {
      loop(range);
    } else {
      refuse(range.begin, "a barrier inside of this statement");
    }
  }

  /// Whether threads meet within `range`, or a loop counts for all of them; with `whole_block`, whether all meet.
  [[nodiscard]] bool meets(token_range range, bool whole_block = false) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::string_view word = at(i).text;
      if (word.starts_with(barrier)) return true;
      const bool turned = word.starts_with(turned_prefix) && at(i + 1).is("=");  // where it is declared
      if (!whole_block && (meets_warp(word) || turned)) return true;
    }
    return false;
  }

  std::size_t add_control(token_range whole, token_range condition, bool is_loop, std::size_t otherwise) {
    out_.controls.push_back({whole, condition, is_loop, otherwise, meets(whole, true), std::nullopt});
    return out_.controls.size() - 1;
  }

  void head(token_range range, std::size_t control) {
    split_item& item = add(item_kind::head, range);
    item.condition = range;
    item.control = control;
    if (range.empty()) refuse(range.begin, "a condition that is always true around a barrier");
  }

  void condition(token_range range) {
    const std::size_t open = range.begin + 1;
    const std::size_t then = after_parentheses(source_, open, range.end);
    if (then >= range.end) refuse(range.begin, "a condition around a barrier");
    const std::size_t otherwise = statement_end(source_, then, range.end);
    const std::size_t control = add_control(range, {open + 1, then - 1}, false, otherwise);
    out_.controls[control].bound = bound_of(range);
    head({open + 1, then - 1}, control);
    child({then, otherwise}, control);
    if (otherwise < range.end) child({otherwise + 1, range.end}, control, true);
  }

  /// Of an `if` whose condition is one on the thread's index.
  [[nodiscard]] std::optional<index_bound> bound_of(token_range range) {
    const std::size_t then = after_parentheses(source_, range.begin + 1, range.end);
    if (!bounds_.any || bounds_.plain.contains(range.begin) || then >= range.end) return std::nullopt;
    const token_range condition{range.begin + 2, then - 1};
    const block_variable* v = out_.find(at(condition.begin).text, condition.begin);
    const auto bound = bound_reader_.read(condition, v == nullptr ? nullptr : &v->declared);
    const bool sides = statement_end(source_, then, range.end) < range.end;  // `else` must be one range as well
    if (bound && sides && bound->relation == "==") return std::nullopt;
    if (bound && bound->remainder && meets(range)) return std::nullopt;
    for (std::size_t r = region_; r != no_region; r = out_.regions[r].parent) {
      const std::optional<index_bound>& around = out_.controls[out_.regions[r].control].bound;
      if (around && around->remainder) return std::nullopt;  // loops with steps keep the thread they begin with
    }
    return bound;
  }

  void loop(token_range range) {
    const std::size_t open = range.begin + 1;
    const std::size_t inside = after_parentheses(source_, open, range.end);
    if (inside >= range.end) refuse(range.begin, "a loop around a barrier");
    ++loops_;
    const std::size_t control = add_control(range, {}, true, range.end);
    if (at(range.begin).is("while"))
      head({open + 1, inside - 1}, control);
    else
      for_head({open + 1, inside - 1}, range.end, control);
    child({inside, range.end}, control);
    --loops_;
  }

  void for_head(token_range range, std::size_t scope_end, std::size_t control) {
    std::vector<std::size_t> ends;
    for (std::size_t i = range.begin; i < range.end; i = std::max(source_.match[i], i) + 1)
      if (at(i).is(";")) ends.push_back(i);
    if (ends.size() != 2) refuse(range.begin, "the head of a loop around a barrier");
    const token_range first{range.begin, ends[0] + 1};
    if (auto declared = read_declaration(source_, first)) {
      add(item_kind::head, first);
      declare(*declared, scope_end);
      for (const std::size_t v : out_.items.back().variables) out_.variables[v].counts_a_loop = true;
    } else if (!first.empty() && !at(first.begin).is(";")) {
      step(first);
    }
    head({ends[0] + 1, ends[1]}, control);
    std::size_t begin = ends[1] + 1;
    for (std::size_t i = begin; begin < range.end; i = std::max(source_.match[i], i) + 1) {
      if (i < range.end && !at(i).is(",")) continue;
      step({begin, std::min(i, range.end)});
      begin = i + 1;
    }
  }

  /// An assignment in the head of a loop.
  void step(token_range range) {
    const auto change = read_assignment(source_, range);
    if (!change) refuse(range.begin, "the head of a loop around a barrier");
    add(item_kind::head, range).change = change;
    note_change(*change);
  }

  void note_change(const assignment& change) {
    if (block_variable* v = out_.find(at(change.name).text, change.name)) v->changes.push_back(out_.items.size() - 1);
  }

  void declare(const std::vector<declarator>& declared, std::size_t scope_end) {
    for (const declarator& d : declared) {
      out_.items.back().variables.push_back(out_.variables.size());
      out_.variables.push_back({.name = at(d.name).text,
                                .declared = d,
                                .scope = {d.end, scope_end},
                                .is_constant = false,
                                .is_static = false,
                                .counts_a_loop = false,
                                .item = out_.items.size() - 1,
                                .changes = {}});
    }
  }

  void without_barrier(token_range range, std::size_t scope_end) {
    const token& first = at(range.begin);
    if (first.is(";")) return;
    if (is_for_block(range)) return for_block(range, scope_end);
    if (const auto declared = read_declaration(source_, range)) {
      add(item_kind::declaration, range);
      return declare(*declared, scope_end);
    }
    if (const auto change = read_assignment(source_, range); change && out_.find(at(change->name).text, change->name)) {
      add(item_kind::change, range).change = change;
      return note_change(*change);
    }
    if (is_type_word(first.text)) refuse(range.begin, "this declaration");
    if (conditional_change(range)) return;
    refuse_declarations(range);
    if (const token_range condition = condition_of_jump(range); !condition.empty()) {
      add(item_kind::jump, range).condition = condition;
      return;
    }
    refuse_jumps(range);
    const bool bounded = first.is("if") && !source_.holds(range, {"return", "break", "continue", "switch"});
    if (bounded && bound_of(range)) return condition(range);
    add(item_kind::plain, range);
  }

  [[nodiscard]] bool is_for_block(token_range range) const {
    const token& first = at(range.begin);
    if (first.is("using") || first.is("typedef") || first.is("static_assert")) return true;
    if (first.is("if")) return false;  // constexpr
    for (std::size_t i = range.begin; i < range.end && at(i).is_identifier(); ++i) {
      if (at(i).is("__shared__") || at(i).is("static") || at(i).is("constexpr") || at(i).is("extern")) return true;
      const bool attribute = at(i).is("__align__") || at(i).is("alignas") || at(i).is("__attribute__");
      if (attribute) i = after_parentheses(source_, i + 1, range.end) - 1;
    }
    return false;
  }

  void for_block(token_range range, std::size_t scope_end) {
    add(item_kind::once, range);
    const bool shared = source_.holds(range, {"__shared__"});
    std::size_t begin = range.begin;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool word = at(i).is("__shared__") || at(i).is("static");
      // What is shared lives as long as the block. Inside of another scope it stays a variable of the OS thread.
      if (shared && word && depth_ == 1 && !source_.holds(range, {"extern"})) out_.shared.push_back(i);
      if (i == begin && (at(i).is("static") || at(i).is("constexpr"))) ++begin;
    }
    note_names(range, scope_end, shared);
    if (shared || !source_.holds(range, {"constexpr", "const"})) return;
    const auto declared = read_declaration(source_, {begin, range.end});
    if (!declared) return;
    declare(*declared, scope_end);
    for (const std::size_t v : out_.items.back().variables) {
      block_variable& variable = out_.variables[v];
      variable.is_constant = source_.holds(range, {"constexpr"});
      variable.is_static = true;
    }
  }

  /// The names that a declaration for the block declares, and whether what is shared may hold an address.
  void note_names(token_range range, std::size_t scope_end, bool shared) {
    static constexpr std::array<std::string_view, 5> words = {"__shared__", "static", "extern", "volatile",
                                                              "constexpr"};
    bool initial = false;
    for (std::size_t i = range.begin; i < range.end; i = std::max(source_.match[i], i) + 1) {
      initial = at(i).is("=") || (initial && !at(i).is(","));
      if (!at(i).is_identifier() || initial || is_type_word(at(i).text)) {
        out_.shares_pointers = out_.shares_pointers || (shared && at(i).is("*"));
        continue;
      }
      if (!at(i + 1).is_identifier()) out_.others.push_back({at(i).text, {range.end, scope_end}});
      const bool type = at(i + 1).is_identifier() && !is_among(words, at(i).text);  // of the user's, perhaps
      out_.shares_pointers = out_.shares_pointers || (shared && type);
    }
  }

  /// Of `if (condition) break;` in a loop around barriers.
  [[nodiscard]] token_range condition_of_jump(token_range range) const {
    if (loops_ == 0 || !at(range.begin).is("if")) return {};
    const std::size_t then = after_parentheses(source_, range.begin + 1, range.end);
    if (then >= range.end) return {};
    const std::size_t jump = at(then).is("{") ? then + 1 : then;
    const bool jumps = at(jump).is("break") || at(jump).is("continue");
    const std::size_t end = jump + 2 + (jump - then);
    return jumps && end == range.end ? token_range{range.begin + 2, then - 1} : token_range{};
  }

  /// Two operands side by side are no expression: a declaration that was not understood.
  void refuse_declarations(token_range range) const {
    static constexpr std::array<std::string_view, 12> statements = {"if", "for", "while", "do", "switch", "return",
                                                                    "(",  "{",   "++",    "--", "*",      "_Pragma"};
    if (is_among(statements, at(range.begin).text)) return;
    for (std::size_t i = range.begin; i + 1 < range.end && !at(i).is("="); i = std::max(source_.match[i], i) + 1) {
      const std::size_t last = std::max(source_.match[i], i);
      const bool operand = at(last).is_identifier() || at(last).is(")") || at(last).is(">");
      if (operand && at(last + 1).is_identifier()) refuse(range.begin, "this declaration");
    }
  }

  /// `if (condition) name = value;`
  bool conditional_change(token_range range) {
    const std::size_t then = after_parentheses(source_, range.begin + 1, range.end);
    if (!at(range.begin).is("if") || then >= range.end) return false;
    const auto change = read_assignment(source_, {then, range.end});
    if (!change || !out_.find(at(change->name).text, change->name)) return false;
    split_item& item = add(item_kind::change, range);
    item.change = change;
    item.condition = {range.begin + 2, then - 1};
    note_change(*change);
    return true;
  }

  /// A jump out of `range`.
  void refuse_jumps(token_range range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (!at(i).is("break") && !at(i).is("continue")) continue;
      bool inside = false;
      for (std::size_t k = range.begin; k < i; ++k) {
        const bool loop =
            at(k).is("for") || at(k).is("while") || at(k).is("do") || (at(k).is("switch") && at(i).is("break"));
        inside = inside || (loop && statement_end(source_, k, range.end) > i);
      }
      if (!inside) refuse(i, "a jump out of a loop around a barrier that not all threads make");
    }
  }

  const outline& source_;
  token_range body_;
  split_structure out_;
  const bound_filter& bounds_;
  bound_reader bound_reader_;
  std::size_t region_ = no_region;  // the innermost
  int loops_ = 0;
  int depth_ = 0;  // of blocks around barriers
};

}  // namespace

void refuse_cut(const outline& source, std::size_t position, std::string_view reason) {
  throw cut_refused{cat("line ", source.code[std::min(position, source.code.size() - 1)].line, ": ", reason)};
}

block_variable* split_structure::find(std::string_view name, std::size_t position) {
  const auto found = std::find_if(variables.rbegin(), variables.rend(), [&](const block_variable& v) {
    return v.name == name && v.scope.begin <= position && position < v.scope.end;
  });
  return found == variables.rend() ? nullptr : &*found;
}

split_structure read_structure(const outline& source, token_range body, const bound_filter& bounds) {
  return structure_reader(source, body, bounds).read();
}

}  // namespace tessera::kernels
