#include "tessera/plan/annotation/parser.h"

#include <algorithm>

#include "tessera/base/config.h"
#include "tessera/base/text.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/annotation/expression_parser.h"
#include "tessera/plan/annotation/lexer.h"

namespace tessera::plan {

namespace {

constexpr std::size_t max_rules = 1024;
constexpr int max_bound_axes = 3;
constexpr std::string_view modes = "`read`, `write`, `readwrite`, `none`, `reduce(op)` or `atomic(op)`";

/// The mode of the rule before, which the next one takes over.
struct current_mode {
  access_mode mode = access_mode::read;
  reduce_op op = reduce_op::add;
  bool given = false;
};

class annotation_parser {
 public:
  annotation_parser(token_stream& tokens, annotation_syntax& target)
      : tokens_(tokens), target_(target), expressions_(tokens, target) {}

  void parse() {
    if (tokens_.at_word("single") && (tokens_.peek(1).type == token::kind::end || tokens_.at_symbol("=>", 1))) {
      tokens_.next();
      target_.single = true;
      if (!tokens_.accept("=>")) return;
    } else if (tokens_.holds("=>")) {
      bindings();
    }
    rules();
  }

 private:
  void bindings() {
    do binding();
    while (tokens_.accept(","));
    tokens_.expect("=>");
  }

  void binding() {
    if (tokens_.at_word() && tokens_.at_symbol("=", 1)) {
      const token name = tokens_.next();
      if (name.text == "_") tokens_.fail(name.at, "expected a name: `_` cannot be given a value");
      tokens_.next();
      return expressions_.define_let(name, expressions_.parse());
    }
    const token keyword = tokens_.peek();
    if (keyword.text == "stride") tokens_.fail(keyword.at, "`stride` is not supported yet by this version");
    if (keyword.text == "global") return variables(bound_name::kind::global);
    if (keyword.text == "block") return variables(bound_name::kind::block);
    if (keyword.text == "local") return variables(bound_name::kind::local);
    tokens_.fail_expected("`global`, `block`, `local` or `name = ...` (several axes: `global [i, j]`)");
  }

  void variables(bound_name::kind from) {
    tokens_.next();
    if (!tokens_.accept("[")) return variable(from, 0);
    int axis = 0;
    do {
      if (axis == max_bound_axes) tokens_.fail(tokens_.peek().at, "expected `]`: a grid has three axes, x, y and z");
      variable(from, axis++);
    } while (tokens_.accept(","));
    tokens_.expect("]");
  }

  void variable(bound_name::kind from, int axis) {
    const token name = tokens_.expect_word("a name to bind, or `_`");
    if (name.text == "_") return;
    variable_syntax v{from, axis, std::nullopt};
    if (tokens_.accept("<")) v.below = expressions_.parse_constant("what clips a name");
    expressions_.bind_name(name, std::move(v));
  }

  void rules() {
    do {
      if (target_.rules.size() == max_rules) tokens_.fail(tokens_.peek().at, "too many rules");
      rule();
    } while (tokens_.accept(","));
    if (tokens_.peek().type != token::kind::end)
      tokens_.fail_expected(target_.rules.back().indices.empty() ? "`,`, `[`, `as` or the end" : "`,` or the end");
  }

  void rule() {
    mode();
    if (!tokens_.at_word()) tokens_.fail_expected(mode_.given ? "an array" : modes);
    const token array = tokens_.next();
    if (tokens_.at_symbol("(")) tokens_.fail(array.at, cat("expected ", modes, ", found `", array.text, "(`"));
    if (!mode_.given) tokens_.fail(array.at, cat("expected a mode for `", array.text, "`: ", modes));
    if (tokens_.at_symbol("."))
      tokens_.fail(array.at, "fields of structures (`a.b`) are not supported yet by this version");
    rule_syntax r;
    r.array = array.text;
    r.mode = mode_.mode;
    r.op = mode_.op;
    r.at = array.at;
    for (const rule_syntax& earlier : target_.rules)
      if (earlier.array == r.array) r.view = earlier.view;
    if (tokens_.at_word("as")) r.view = view();
    if (tokens_.at_symbol("[")) indices(r);
    target_.rules.push_back(std::move(r));
  }

  /// Takes a mode if one is given. Its words may also name arrays, so that what follows decides.
  void mode() {
    const token word = tokens_.peek();
    if (word.type != token::kind::word) return;
    const bool before_name = tokens_.at_word(1) && !(tokens_.at_word("as", 1) && tokens_.at_symbol("[", 2));
    const bool before_parenthesis = tokens_.at_symbol("(", 1);
    if ((word.text == "scatter" && before_name) || (word.text == "append" && before_parenthesis))
      tokens_.fail(word.at, cat("`", word.text, "` is not supported yet by this version"));
    if (before_parenthesis && (word.text == "reduce" || word.text == "atomic")) return combining_mode();
    if (!before_name) return;
    if (word.text == "read")
      mode_ = {access_mode::read, reduce_op::add, true};
    else if (word.text == "write")
      mode_ = {access_mode::write, reduce_op::add, true};
    else if (word.text == "readwrite")
      mode_ = {access_mode::readwrite, reduce_op::add, true};
    else if (word.text == "none")
      mode_ = {access_mode::none, reduce_op::add, true};
    else
      tokens_.fail(word.at, cat("expected ", modes, ", found `", word.text, "`"));
    tokens_.next();
  }

  void combining_mode() {
    const token word = tokens_.next();
    tokens_.expect("(");
    const token op = tokens_.next();
    const reduce_op known = operation(op);
    if (word.text == "atomic" && is_registered(known))
      tokens_.fail(op.at,
                   cat("`", op.text, "` is an operation of this kernel's own, for which CUDA has no atomic; use ",
                       "`reduce(", op.text, ")`"));
    tokens_.expect(")");
    mode_ = {word.text == "reduce" ? access_mode::reduce : access_mode::atomic, known, true};
  }

  reduce_op operation(const token& name) const {
    if (const auto known = parse_reduce_op(name.text)) return *known;
    const std::vector<std::string>& own = target_.operations;
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i] == name.text) return registered_op(static_cast<int>(i));
    std::string all = "expected `+`, `*`, `min`, `max`, `&`, `|`";
    for (std::size_t i = 0; i <= own.size(); ++i)
      all += cat(i == own.size() ? " or `" : ", `", i == 0 ? "^" : own[i - 1], "`");
    if (name.type == token::kind::word) {
      const std::string near = nearest_name(name.text, own);
      all += near.empty() ? cat("; an operation `", name.text, "` is to be given in kernel_options::reductions")
                          : cat("; did you mean `", near, "`?");
    }
    tokens_.fail(name.at, all);
  }

  /// `as [h, w] at c`.
  std::size_t view() {
    view_syntax v;
    v.at = tokens_.next().at;
    tokens_.expect("[");
    bool open = false;
    do {
      const token t = tokens_.peek();
      if (v.dims.size() == max_rank) tokens_.fail(t.at, cat("a view has at most ", max_rank, " axes"));
      if (!tokens_.accept(":")) {
        v.dims.emplace_back(expressions_.parse_constant("the extent of a view"));
        continue;
      }
      if (open) tokens_.fail(t.at, "expected one `:` at most in the shape of a view");
      open = true;
      v.dims.emplace_back();
    } while (tokens_.accept(","));
    tokens_.expect("]");
    if (tokens_.at_word("at")) {
      tokens_.next();
      v.offset = expressions_.parse_constant("where a view begins");
    }
    target_.views.push_back(std::move(v));
    return target_.views.size() - 1;
  }

  void indices(rule_syntax& r) {
    const token bracket = tokens_.next();
    if (r.mode == access_mode::none) tokens_.fail(bracket.at, "`none` declares no access and takes no indices");
    do {
      if (r.indices.size() == max_rank)
        tokens_.fail(tokens_.peek().at, cat("an array has at most ", max_rank, " axes"));
      r.indices.push_back(index());
    } while (tokens_.accept(","));
    if (!tokens_.accept("]")) tokens_.fail_expected("`,`, `:` or `]`");
  }

  /// `name(expr)`: rows of a table.
  index_syntax rows() {
    const token name = tokens_.next();
    if (expressions_.is_bound(name.text))
      tokens_.fail(name.at, cat("`", name.text, "` is bound to a number: a table of intervals needs another name"));
    tokens_.expect("(");
    index_syntax i;
    i.first = expressions_.parse();
    i.is_point = true;
    tokens_.expect(")");
    if (!tokens_.at_symbol(",") && !tokens_.at_symbol("]"))
      tokens_.fail_expected(cat("`,` or `]` behind `", name.text, "(...)`, as the rows of a table are a whole index"));
    const auto known = std::ranges::find(target_.tables, name.text, &table_slot::name);
    i.table = static_cast<std::size_t>(known - target_.tables.begin());
    if (known == target_.tables.end()) target_.tables.push_back({std::string(name.text), name.at});
    return i;
  }

  index_syntax index() {
    if (tokens_.at_word() && tokens_.at_symbol("(", 1) && !expression_parser::is_function(tokens_.peek().text))
      return rows();
    index_syntax i;
    if (!tokens_.at_symbol(":")) i.first = expressions_.parse();
    i.is_point = !tokens_.accept(":");
    if (i.is_point) return i;
    if (!tokens_.at_symbol(":") && !tokens_.at_symbol(",") && !tokens_.at_symbol("]")) i.last = expressions_.parse();
    if (tokens_.accept(":")) i.step = expressions_.parse_constant("the step of a slice");
    return i;
  }

  token_stream& tokens_;
  annotation_syntax& target_;
  expression_parser expressions_;
  current_mode mode_;
};

}  // namespace

annotation parse_annotation(std::string_view text, std::span<const std::string> operations) {
  annotation a;
  a.syntax_.text = text;
  a.syntax_.operations.assign(operations.begin(), operations.end());
  token_stream tokens(a.syntax_.text);
  annotation_parser(tokens, a.syntax_).parse();
  return a;
}

}  // namespace tessera::plan
