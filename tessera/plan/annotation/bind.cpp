#include "tessera/plan/annotation/bind.h"

#include <algorithm>
#include <type_traits>

#include "tessera/base/checked.h"
#include "tessera/base/config.h"
#include "tessera/plan/access/expression_builder.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/annotation/lexer.h"

namespace tessera::plan {

namespace {

using kind = syntax_step::kind;

class binder {
 public:
  binder(const annotation_syntax& syntax, const bind_context& context) : syntax_(syntax), context_(context) {}

  access_pattern run() {
    refuse_unknown_tables();
    tables_.resize(syntax_.tables.size());
    access_pattern pattern;
    pattern.single = syntax_.single;
    pattern.names.reserve(syntax_.variables.size());
    for (const variable_syntax& v : syntax_.variables)
      pattern.names.push_back({v.from, v.axis, v.below ? std::optional(constant(*v.below)) : std::nullopt});
    pattern.rules.reserve(syntax_.rules.size());
    for (const rule_syntax& r : syntax_.rules)
      if (shape_of(r.parameter) != nullptr) bind_rule(r, pattern.rules.emplace_back());
    for (const access_rule& r : syntax_.defaults)
      if (shape_of(r.parameter) != nullptr) pattern.rules.push_back(r);
    add_values(pattern, context_.arrays);
    return pattern;
  }

 private:
  [[nodiscard]] const extents* shape_of(int parameter) const {
    const auto p = static_cast<std::size_t>(parameter);
    return p < context_.arrays.size() ? context_.arrays[p].shape : nullptr;
  }

  void bind_rule(const rule_syntax& from, access_rule& to) {
    const extents& shape = *shape_of(from.parameter);
    to.parameter = from.parameter;
    to.mode = from.mode;
    to.op = from.op;
    if (from.view) bind_view(from, shape, to.view);
    if (from.indices.empty()) return;
    const int rank = to.view ? to.view->shape.rank() : shape.rank();
    if (static_cast<int>(from.indices.size()) != rank) fail_rank(from, rank);
    to.indices.reserve(from.indices.size());
    for (const index_syntax& i : from.indices) bind_index(i, to.indices.emplace_back());
  }

  void bind_index(const index_syntax& from, index_range& to) {
    if (from.first) to.first = bound(*from.first);
    if (from.is_point) to.last = to.first;
    if (from.table) to.table = table(*from.table);
    if (from.last) to.last = bound(*from.last);
    if (!from.step) return;
    to.step = constant(*from.step);
    if (to.step <= 0) fail(*from.step, cat("the step of a slice must be positive, not ", to.step));
  }

  /// Made once, so that rules share it.
  const std::shared_ptr<const interval_table>& table(std::size_t slot) {
    if (tables_[slot]) return tables_[slot];
    const std::string& name = syntax_.tables[slot].name;
    const auto given = std::ranges::find(context_.tables, name, &named_intervals::first);
    if (given == context_.tables.end()) fail_missing(syntax_.tables[slot]);
    return tables_[slot] = std::make_shared<const interval_table>(interval_table{name, given->second});
  }

  [[noreturn]] void fail_missing(const table_slot& slot) const {
    std::vector<std::string> names;
    for (const named_intervals& t : context_.tables) names.push_back(t.first);
    const std::string near = nearest_name(slot.name, names);
    fail(slot.at, near.empty() ? cat("the launch gives no table `", slot.name, "`: .tables = {{\"", slot.name,
                                     "\", ts::intervals(...)}}; where a function was meant, there are `min` and `max`")
                               : cat("the launch gives no table `", slot.name, "`, but `", near, "`"));
  }

  void refuse_unknown_tables() const {
    for (const named_intervals& t : context_.tables) {
      if (std::ranges::count(context_.tables, t.first, &named_intervals::first) > 1)
        throw argument_error(cat("the table `", t.first, "` is given twice in .tables"));
      if (std::ranges::find(syntax_.tables, t.first, &table_slot::name) != syntax_.tables.end()) continue;
      std::vector<std::string> names;
      for (const table_slot& slot : syntax_.tables) names.push_back(slot.name);
      const std::string near = nearest_name(t.first, names);
      throw argument_error(cat("the annotation names no table `", t.first, "`, which is given in .tables",
                               near.empty() ? "" : cat("; did you mean `", near, "`?")));
    }
  }

  /// A view equal to the array's own shape is none, which every later step is faster without.
  void bind_view(const rule_syntax& rule, const extents& shape, std::optional<storage_view>& to) {
    const view_syntax& from = syntax_.views[*rule.view];
    storage_view v{extents::uniform(static_cast<int>(from.dims.size()), 1), 0};
    if (from.offset && (v.offset = constant(*from.offset)) < 0)
      fail(*from.offset, cat("a view cannot begin at ", v.offset));
    std::int64_t known = 1;
    int open = -1;
    for (int a = 0; a < v.shape.rank(); ++a) {
      const auto& dim = from.dims[static_cast<std::size_t>(a)];
      if (!dim) {
        open = a;
        continue;
      }
      v.shape[a] = constant(*dim);
      if (v.shape[a] < 0) fail(*dim, cat("the extent of a view cannot be ", v.shape[a]));
      known = volume(from, known, v.shape[a]);
    }
    const std::int64_t elements = box::whole(shape).volume();
    const std::int64_t left = std::max<std::int64_t>(elements - v.offset, 0);
    if (open >= 0) v.shape[open] = open_extent(from, open, left, known);
    // The last partial row counts as a whole one, so that the view may end behind the array: that must fit too.
    (void)end_of(from, v.offset, volume(from, known, open >= 0 ? v.shape[open] : 1));
    if (v.offset == 0 && v.shape == shape) return;
    if (!context_.arrays[static_cast<std::size_t>(rule.parameter)].contiguous)
      fail(from.at, cat("the slice passed for `", rule.array, "` has gaps in memory, so `as` cannot reshape it"));
    to = v;
  }

  /// What `:` stands for. Only the slowest axis may be ragged: elsewhere the extent decides where rows begin.
  std::int64_t open_extent(const view_syntax& from, int axis, std::int64_t left, std::int64_t known) const {
    if (known == 0) return 0;
    if (axis > 0 && left % known != 0)
      fail(from.at, cat("`:` has no whole value: ", left, " elements do not divide into ", known, " parts"));
    return ceil_div(left, known);
  }

  std::int64_t volume(const view_syntax& from, std::int64_t a, std::int64_t b) const {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) fail(from.at, "the view's element count overflows 64 bits");
    return result;
  }

  std::int64_t end_of(const view_syntax& from, std::int64_t offset, std::int64_t elements) const {
    std::int64_t result = 0;
    if (__builtin_add_overflow(offset, elements, &result)) fail(from.at, "the view's end overflows 64 bits");
    return result;
  }

  expression bound(const expression_syntax& e) {
    return guarded(e, [this] { return builder_.take(); });
  }

  std::int64_t constant(const expression_syntax& e) {
    if (e.code.size() == 1 && e.code[0].type == kind::literal) return e.code[0].value;
    return guarded(e, [this] { return builder_.take_constant(); });
  }

  /// Runs the code of `e` through the builder and finishes; errors point at the step that failed.
  template <class Finish>
  std::invoke_result_t<Finish> guarded(const expression_syntax& e, Finish finish) {
    const syntax_step* at = e.code.data();
    try {
      for (; at != e.code.data() + e.code.size(); ++at) step(*at);
      --at;
      return finish();
    } catch (const argument_error& problem) {
      const std::string_view text = std::string_view(syntax_.text).substr(e.begin, e.end - e.begin);
      throw argument_error(locate(syntax_.text, at->at, cat("in `", text, "`: ", problem.what())));
    }
  }

  void step(const syntax_step& s) {
    switch (s.type) {
      case kind::literal:
        return builder_.constant(s.value);
      case kind::name:
        return builder_.name(static_cast<int>(s.value));
      case kind::operation:
        return builder_.apply(s.operation);
      case kind::constant:
        break;
    }
    const auto slot = static_cast<std::size_t>(s.value);
    if (slot >= context_.constants.size() || !context_.constants[slot]) {
      const std::string& name = syntax_.constants[slot].name;
      throw argument_error(cat("`", name, "` has no value: it is neither bound nor a scalar parameter; give it in the ",
                               "launch, .let = {{\"", name, "\", ...}}"));
    }
    builder_.constant(*context_.constants[slot]);
  }

  [[noreturn]] void fail_rank(const rule_syntax& r, int rank) const {
    std::string message = cat(r.indices.size(), r.indices.size() == 1 ? " index" : " indices", " for `", r.array,
                              "`, which has ", rank, rank == 1 ? " axis" : " axes", r.view ? " in this view" : "");
    if (rank == 0) message += "; leave the index out";
    if (r.indices.size() == 1 && !r.view && rank > 0)
      message += cat("; `", r.array, " as [:]` indexes its flat storage");
    fail(r.at, message);
  }

  [[noreturn]] void fail(const expression_syntax& e, std::string_view message) const { fail(e.begin, message); }
  [[noreturn]] void fail(std::uint32_t at, std::string_view message) const {
    throw argument_error(locate(syntax_.text, at, message));
  }

  const annotation_syntax& syntax_;
  const bind_context& context_;
  expression_builder builder_;
  std::vector<std::shared_ptr<const interval_table>> tables_;  // by slot; made when a rule wants them
};

}  // namespace

void add_values(access_pattern& pattern, std::span<const array_argument> arrays) {
  for (std::size_t p = 0; p < arrays.size(); ++p)
    if (arrays[p].by_value) pattern.rules.push_back({static_cast<int>(p), access_mode::read, {}, {}, {}});
}

access_pattern bind(const annotation& a, const bind_context& context) {
  if (!a.syntax().checked) throw argument_error("an annotation is bound before it was checked against its kernel");
  return binder(a.syntax(), context).run();
}

}  // namespace tessera::plan
