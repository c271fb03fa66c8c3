#include "tessera/kernel/barrier/write.h"

#include <algorithm>
#include <array>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/barrier/subscripts.h"

namespace tessera::kernels {
namespace {

constexpr std::size_t none = thread_region::none;

/// The text around one stretch. All of it goes on the lines that are there, so that the compiler counts as the user
/// does.
class stretch_writer {
 public:
  stretch_writer(const outline& source, const barrier_plan& plan, bool may_return, bool whole_warps, text_edits& edits)
      : source_(source),
        plan_(plan),
        may_return_(may_return),
        whole_warps_(whole_warps),
        edits_(edits),
        closed_(plan.conditions.size()),
        of_warp_(plan.carried.size()) {}

  void write(std::size_t number) {
    const stretch& s = plan_.stretches[number];
    enter(s.statements.begin);
    if (s.exchange) return write_exchange(s, number);
    if (s.condition != none) return write_marks(s);
    const std::string end = cat("__tessera_end_", number);
    bool jumps = false;
    for (std::size_t i = s.statements.begin; i < s.statements.end; ++i) {
      if (!source_.code[i].is("return")) continue;
      edits_.replace(source_.code[i], cat("goto ", end));
      jumps = true;
    }
    std::string before = s.before, after;
    for (const std::size_t k : s.declares) before += own_storage(k);
    const bool lanes = uses_lanes(s);
    const crossing_text across = write_crossings(source_, s.crossings, number, edits_);
    if (!s.crossings.empty()) before += " {" + across.before;
    before += cat(each_thread(s.region, lanes), " {");
    if (is_whole_warp(s.region)) replace_lanes(s);
    for (const std::size_t k : s.uses) before += restored(k, lanes);
    before += " {";
    for (const std::size_t k : s.declares)
      if (!plan_.carried[k].begins_unset) after += kept(k);
    after += " }";
    for (const std::size_t k : s.changes)
      if (is_copied(plan_.carried[k])) after += kept(k);
    if (jumps) after += cat(" if (false) { ", end, ":; ", s.returns ? "__tessera_alive[__tessera_t] = 0; " : "", "}");
    after += " } }";
    if (!s.crossings.empty()) after += across.behind + " }";
    // All threads have returned: what runs once for the block must not run.
    if (s.returns) after += " if (__tessera::all_dead(__tessera_alive)) return;";
    if (s.returns && s.declares.empty() && s.before.empty())
      before = " {" + before, after += " }";  // it may be the only statement of an `if`
    edits_.insert_after(source_.code[s.statements.begin - 1], before);
    edits_.insert_after(source_.code[s.statements.end - 1], after);
  }

  /// The bounds that an `if` becomes, for the threads inside of it.
  void write_bound(std::size_t number) {
    const thread_condition& c = plan_.conditions[number];
    run_ = run_at(c.whole.begin);
    const bool negated = c.otherwise < c.whole.end;
    const std::string arguments = bound_arguments(*c.bound, box_of(c.around));
    std::string text =
        cat("{ const __tessera::thread_box __tessera_g", number, " = __tessera::bounded", arguments, ";");
    if (negated)
      text += cat(" const __tessera::thread_box __tessera_h", number, " = __tessera::left_out", arguments, ";");
    blank({c.whole.begin, c.condition.end + 1}, cat(text, " if (!__tessera_g", number, ".empty())"));
    replace_else(c, number);
  }

  /// Ends the run of warps that ends before `position`.
  void leave(std::size_t position) {
    if (open_ == nullptr || open_->statements.end > position) return;
    close_conditions(open_->statements.end);
    edits_.insert_after(source_.code[open_->statements.end - 1], " }");
    open_ = nullptr;
  }

  /// Closes the conditions that end before `position`: behind what was written inside of them, before what follows.
  void close_conditions(std::size_t position) {
    for (std::size_t k = 0; k < plan_.conditions.size(); ++k) {
      const std::size_t end = plan_.conditions[k].whole.end;
      if (end > position || closed_[k]) continue;
      edits_.insert_after(source_.code[end - 1], " }");
      closed_[k] = true;
    }
  }

  /// The array that holds a kept variable of all threads.
  [[nodiscard]] std::string storage(std::size_t k) const {
    const carried_variable& v = plan_.carried[k];
    return cat(" __tessera::kept<", v.type, v.extents, "> __tessera_k", k,
               of_warp_[k] ? "[32];" : "[__tessera_threads];", " static_assert(sizeof(__tessera_k", k,
               ") <= __tessera::most_kept / ", plan_.carried.size(), ");");
  }
  [[nodiscard]] std::string kept(std::size_t k) const {
    return cat(" __tessera::keep(", element(k), ", ", plan_.carried[k].name, ");");
  }

 private:
  [[nodiscard]] const warp_run* run_at(std::size_t position) const {
    for (const warp_run& r : plan_.runs)
      if (whole_warps_ && r.statements.begin <= position && position < r.statements.end) return &r;
    return nullptr;
  }

  /// Of `bounded` and `left_out` of the driver, for the threads of a box.
  [[nodiscard]] std::string bound_arguments(const index_bound& b, const std::string& box) const {
    return cat("<", b.axis, ", __tessera::", b.remainder ? "remainder" : relation_name(b.relation), ", ", b.type, ", ",
               b.divisor.empty() ? "1" : b.divisor, ">(", box, ", ", source_.text(b.limit), ")");
  }

  /// Begins the run of warps around `position`, if there is one.
  void enter(std::size_t position) {
    run_ = run_at(position);
    half_ = run_ != nullptr && !may_return_ &&
            std::any_of(run_->halves.begin(), run_->halves.end(),
                        [&](token_range loop) { return loop.begin <= position && position < loop.end; });
    if (run_ == open_) return;
    open_ = run_;
    std::string text;
    for (const std::size_t k : run_->kept) text += storage(k);
    const std::string around = run_->region == none ? "__tessera::whole_block" : block_box_of(run_->region);
    text += cat(" __tessera_each_warp(", around, ")");
    if (run_->needed != none)
      text += cat(" if (!__tessera::of_warp(__tessera::bounded",
                  bound_arguments(*plan_.conditions[run_->needed].bound, "__tessera::whole_block"),
                  ", __tessera_first).empty())");
    edits_.insert_after(source_.code[run_->statements.begin - 1], cat(text, " {"));
  }

  /// The array of a variable that begins here, unless the run around it has it. What lives within a run has an element
  /// for each lane: compilers then see which values nothing reads.
  [[nodiscard]] std::string own_storage(std::size_t k) {
    const bool early = run_ != nullptr && std::find(run_->kept.begin(), run_->kept.end(), k) != run_->kept.end();
    if (early) return {};
    of_warp_[k] = run_ != nullptr && !is_operand(k);
    return storage(k);
  }
  [[nodiscard]] bool is_operand(std::size_t k) const {
    return std::any_of(plan_.stretches.begin(), plan_.stretches.end(),
                       [&](const stretch& s) { return s.exchange && s.exchange->operand == k; });
  }
  /// What a thread keeps of a variable.
  [[nodiscard]] std::string element(std::size_t k) const {
    return cat("__tessera_k", k, of_warp_[k] ? "[__tessera_t - __tessera_first]" : "[__tessera_t]");
  }

  /// Has what a stretch declares begin as its loop's lane or warp.
  void replace_lanes(const stretch& s) {
    for (const carried_variable& v : plan_.carried)
      if (!v.of_lane.empty() && s.statements.begin <= v.initial.begin && v.initial.end <= s.statements.end)
        blank(v.initial, cat(" ", v.of_lane));
  }

  /// Whether a stretch works on a copy that must be put back. Arrays are used where they are kept.
  static bool is_copied(const carried_variable& v) { return v.declaration.empty() && !v.is_const && v.extents.empty(); }

  /// Declares a variable again, with the value it has for this thread.
  [[nodiscard]] std::string restored(std::size_t k, bool lanes = false) const {
    const carried_variable& v = plan_.carried[k];
    if (lanes && !v.of_lane.empty()) return cat(" ", v.type, " ", v.name, " = ", v.of_lane, ";");
    if (!v.declaration.empty()) return cat(" ", v.declaration, ";");
    if (!v.extents.empty()) return cat(" ", v.type, " (&", v.name, ")", v.extents, " = ", element(k), ";");
    const std::string type = v.is_parameter ? cat("__tessera::kept<", v.type, ">") : v.type;
    return cat(" ", type, " ", v.name, " = ", element(k), ";");
  }

  static std::string_view relation_name(std::string_view relation) {
    return relation == "<"    ? "below"
           : relation == "<=" ? "up_to"
           : relation == ">"  ? "above"
           : relation == ">=" ? "from"
                              : "only";
  }

  /// The name of the bounds of a region's threads, of the block or of the warp whose turn it is.
  [[nodiscard]] std::string box_of(std::size_t region) const {
    if (run_ != nullptr && region == run_->region) return "__tessera_warp_box";
    return region == none ? "__tessera::whole_block" : block_box_of(region);
  }
  [[nodiscard]] std::string block_box_of(std::size_t region) const {
    const thread_region& r = plan_.regions[region];
    return cat(r.otherwise ? "__tessera_h" : "__tessera_g", r.control);
  }
  /// The marks of a region's threads; empty if none around it has any.
  [[nodiscard]] std::string marks_of(std::size_t region) const {
    for (; region != none; region = plan_.regions[region].around) {
      const thread_region& r = plan_.regions[region];
      if (!plan_.conditions[r.control].bound) return cat(r.otherwise ? "__tessera_n" : "__tessera_m", r.control);
    }
    return {};
  }

  /// Whether a stretch of the whole block uses numbers of lanes or warps.
  [[nodiscard]] bool uses_lanes(const stretch& s) const {
    return (s.region == none || is_whole_warp(s.region)) &&
           std::any_of(s.uses.begin(), s.uses.end(), [&](std::size_t k) { return !plan_.carried[k].of_lane.empty(); });
  }

  /// The head of a loop over the threads of a region, with a brace that is left open.
  [[nodiscard]] std::string each_thread(std::size_t region, bool lanes = false) const {
    const std::string marks = marks_of(region);
    const bool warp = is_whole_warp(region);
    std::string text = warp             ? cat(" __tessera_each_thread_of_", half(region), "warp")
                       : lanes          ? " __tessera_each_lane"
                       : region == none ? " __tessera_each_thread"
                                        : cat(" __tessera_each_thread_of(", box_of(region), steps(region), ")");
    text += warp ? " { __tessera_this_thread_of_warp" : lanes ? " { __tessera_this_lane" : " { __tessera_this_thread";
    if (!marks.empty() && may_return_)
      text += cat(" if (", marks, "[__tessera_t] & __tessera_alive[__tessera_t])");
    else if (!marks.empty())
      text += cat(" if (", marks, "[__tessera_t])");
    else if (may_return_)
      text += " if (__tessera_alive[__tessera_t])";
    return text;
  }

  /// Where the first half of a warp is enough.
  [[nodiscard]] std::string_view half(std::size_t region) const {
    return half_ && is_whole_warp(region) && marks_of(region).empty() ? "half_" : "";
  }

  /// The distances between a region's threads, on each axis.
  [[nodiscard]] std::string steps(std::size_t region) const {
    std::array<std::string, 3> by = {"1", "1", "1"};
    for (; region != none; region = plan_.regions[region].around) {
      const std::optional<index_bound>& b = plan_.conditions[plan_.regions[region].control].bound;
      if (b && b->remainder) by[static_cast<std::size_t>(b->axis)] = b->divisor;
    }
    return cat(", ", by[0], ", ", by[1], ", ", by[2]);
  }

  /// Whether a region within a run has all threads of the warp, if it has any.
  [[nodiscard]] bool is_whole_warp(std::size_t region) const {
    for (; run_ != nullptr && region != none; region = plan_.regions[region].around) {
      const std::optional<index_bound>& b = plan_.conditions[plan_.regions[region].control].bound;
      const bool whole = b && (b->axis != 0 || (!b->divisor.empty() && !b->remainder));
      if (!whole) return false;
    }
    return run_ != nullptr;
  }

  /// An object that tells which threads take part: of the block, or of the warp whose turn it is.
  [[nodiscard]] std::string active(std::size_t region) const {
    const bool whole = is_whole_warp(region);
    const std::string marks = marks_of(region);
    if (whole && marks.empty() && !may_return_) return "__tessera::one_warp{0}";
    std::string text = region == none ? "__tessera::everyone{}" : cat("__tessera::boxed{", box_of(region), "}");
    if (run_ != nullptr)
      text = whole ? "__tessera::one_warp{__tessera_first}"
                   : cat("__tessera::boxed_warp{__tessera_first, ", box_of(region), "}");
    if (!marks.empty()) text = cat("__tessera::marked{", marks, ", ", text, "}");
    if (may_return_) text = cat("__tessera::marked{__tessera_alive, ", text, "}");
    return run_ == nullptr ? text : cat("__tessera::lanes{__tessera_first, ", text, "}");
  }

  void blank(token_range range, const std::string& with) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      edits_.replace(source_.code[i], i == range.begin ? with : std::string());
  }

  void replace_else(const thread_condition& c, std::size_t number) {
    if (c.otherwise < c.whole.end)
      edits_.replace(source_.code[c.otherwise], cat(" if (!__tessera_h", number, ".empty()) "));
  }

  /// Evaluates a condition for each thread, in place of the `if`.
  void write_marks(const stretch& s) {
    const std::size_t n = s.condition;
    const thread_condition& c = plan_.conditions[n];
    const bool negated = c.otherwise < c.whole.end;
    std::string before = cat("{ unsigned char __tessera_m", n, "[__tessera_threads] = {};");
    if (negated) before += cat(" unsigned char __tessera_n", n, "[__tessera_threads] = {};");
    before += cat(each_thread(s.region), " {");
    for (const std::size_t k : s.uses) before += restored(k);
    before += cat(" __tessera_m", n, "[__tessera_t] = (");
    std::string after = ") ? 1 : 0;";
    for (const std::size_t k : s.changes)
      if (is_copied(plan_.carried[k])) after += kept(k);
    if (negated) after += cat(" __tessera_n", n, "[__tessera_t] = __tessera_m", n, "[__tessera_t] ^ 1;");
    after += cat(" } } const __tessera::thread_box __tessera_g", n, " = __tessera::narrowed(", box_of(s.region),
                 ", __tessera_m", n, ");");
    if (negated)
      after += cat(" const __tessera::thread_box __tessera_h", n, " = __tessera::narrowed(", box_of(s.region),
                   ", __tessera_n", n, ");");
    edits_.replace(source_.code[c.whole.begin], before);
    edits_.insert_after(source_.code[c.condition.end], cat(after, " if (!__tessera_g", n, ".empty())"));
    replace_else(c, n);
  }

  /// A warp function, computed for all threads that take part.
  void write_exchange(const stretch& s, std::size_t number) {
    const warp_exchange& x = *s.exchange;
    std::string text = x.result == none ? std::string(" ") : cat(" ", own_storage(x.result));
    if (x.result == none) return blank(s.statements, text);  // its arguments are values
    std::string operand = cat("__tessera_k", x.operand);
    if (x.operand == none && x.function->operand != no_operand) {
      operand = cat("__tessera_o", number);
      text +=
          cat(" __tessera::kept<", x.operand_type, "> ", operand, "[__tessera_threads];", each_thread(s.region), " {");
      for (const std::size_t k : s.uses) text += restored(k);
      text += cat(" __tessera::keep(", operand, "[__tessera_t], ", source_.text(x.arguments[x.function->operand]),
                  "); } }");
    }
    std::string arguments;
    for (std::size_t a = 0; a < x.arguments.size(); ++a)
      if (a != x.function->operand) arguments += cat(", ", source_.text(x.arguments[a]));
    // In a run, functions know the lanes of one warp.
    const bool lanes = run_ != nullptr;
    if (lanes) operand += " + __tessera_warp_seen(__tessera_first)";
    if (x.function->operand == no_operand) operand = "(const int*)nullptr";
    const std::string function = cat("__tessera::", x.function->driver);
    if (x.same) {
      const bool shifted = lanes && !of_warp_[x.result];
      text += cat(" __tessera::", half(s.region), "exchange<", function, ">(__tessera_k", x.result,
                  shifted ? " + __tessera_first" : "", ", ", operand, ", ", active(s.region), arguments, ");");
    } else {
      text += cat(" {", each_thread(s.region), " {");
      for (const std::size_t k : s.uses) text += restored(k);
      text += cat(" ", element(x.result), " = ", function, "::lane(", operand, ", ", active(s.region),
                  lanes ? ", __tessera_t - __tessera_first" : ", __tessera_t", arguments, "); } } }");
    }
    blank(s.statements, text);
  }

  const outline& source_;
  const barrier_plan& plan_;
  bool may_return_;  // some threads end before others
  bool whole_warps_;
  const warp_run* run_ = nullptr;   // around what is written
  const warp_run* open_ = nullptr;  // whose loop has begun
  bool half_ = false;               // in one of its loops that half of a warp does
  text_edits& edits_;
  std::vector<bool> closed_;   // per condition
  std::vector<bool> of_warp_;  // per carried variable: kept for the lanes of the warp whose turn it is
};

}  // namespace

void write_split(const outline& source, const barrier_plan& plan, bool whole_warps, text_edits& edits) {
  for (const std::size_t i : plan.shared)
    edits.replace(source.code[i], source.code[i].is("__shared__") ? "__attribute__((aligned(64)))" : "");
  for (const token_range range : plan.barriers)
    for (std::size_t k = range.begin; k < range.end; ++k) edits.replace(source.code[k], "");
  for (const wide_subscript& s : plan.subscripts) {
    edits.insert_after(source.code[s.range.begin - 1],
                       s.may_wrap ? "__tessera_shared_subscript(" : "__tessera_subscript(");
    edits.insert_before(source.code[s.range.end], cat(", ", widened(source, s), ")"));
  }
  if (plan.stretches.empty()) return;
  bool may_return = false;
  for (const stretch& s : plan.stretches) may_return = may_return || s.returns;
  stretch_writer writer(source, plan, may_return, whole_warps, edits);
  std::string first = may_return ? " __tessera_all_alive;" : "";
  for (std::size_t k = 0; k < plan.carried.size() && plan.carried[k].is_parameter; ++k)
    first += cat(writer.storage(k), " __tessera_each_thread { __tessera_this_thread", writer.kept(k), " }");
  edits.insert_after(source.code[plan.body.begin - 1], first);
  for (std::size_t k = 0; k < plan.conditions.size(); ++k)
    if (plan.conditions[k].bound) writer.write_bound(k);
  for (std::size_t k = 0; k < plan.stretches.size(); ++k) {
    writer.leave(plan.stretches[k].statements.begin);
    writer.close_conditions(plan.stretches[k].statements.begin);
    writer.write(k);
  }
  writer.leave(plan.body.end);
  for (const std::size_t at : plan.unrolled) edits.insert_before(source.code[at], "__tessera_unrolled ");
  for (const warp_run& run : plan.runs)
    for (const std::size_t at : run.unrolled)
      if (whole_warps) edits.insert_before(source.code[at], "__tessera_unrolled ");
  writer.close_conditions(plan.body.end);
}

}  // namespace tessera::kernels
