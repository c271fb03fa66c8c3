#include "tessera/kernel/barrier/barrier_plan.h"

#include <algorithm>

#include "tessera/base/text.h"
#include "tessera/kernel/analysis/shared_atomics.h"
#include "tessera/kernel/barrier/names.h"
#include "tessera/kernel/barrier/roles.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/barrier/subscripts.h"
#include "tessera/kernel/barrier/warp/half_warps.h"
#include "tessera/kernel/barrier/warp/needed_warps.h"
#include "tessera/kernel/barrier/warp/warp_runs.h"
#include "tessera/kernel/flat/meeting.h"
#include "tessera/kernel/index/sum.h"

namespace tessera::kernels {
namespace {

/// Cuts a kernel into stretches, and finds what they have in common.
class barrier_planner {
 public:
  barrier_planner(const outline& source, const reach& needed, const bound_filter& bounds)
      : source_(source),
        kernel_(source.declarations[needed.kernel]),
        body_(kernel_.body),
        names_(source, needed),
        structure_(read_structure(source, body_, bounds)),
        roles_(source, names_, structure_, body_) {}

  /// Conditions that looked like bounds, but differ between threads: positions of their `if`.
  std::set<std::size_t> false_bounds() {
    std::set<std::size_t> found;
    for (const split_control& c : structure_.controls) {
      if (!c.bound) continue;
      const block_variable* v = structure_.find(source_.code[c.condition.begin].text, c.condition.begin);
      const bool index = v == nullptr || roles_.is_indexed(structure_.index_of(*v));
      if (!index || !roles_.is_same_for_block(c.bound->limit)) found.insert(c.whole.begin);
    }
    return found;
  }

  barrier_plan run() {
    refuse_hidden_names();
    make_regions();
    make_stretches();
    carry();
    make_exchanges();
    refuse_stale_addresses();
    make_runs();
    find_crossings();
    const shared_axes shared = find_shared_variables(source_, kernel_);
    for (const stretch& s : plan_.stretches) {
      if (s.exchange || s.condition != none) continue;
      const std::vector<wide_subscript> found = find_subscripts(source_, s.statements, shared, roles_);
      plan_.subscripts.insert(plan_.subscripts.end(), found.begin(), found.end());
    }
    plan_.unrolled = find_halving_loops(source_, structure_);
    plan_.body = body_;
    plan_.barriers = std::move(structure_.barriers);
    plan_.shared = std::move(structure_.shared);
    return std::move(plan_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] bool is_per_thread(const split_item& item) {
    if (item.kind == item_kind::plain) return true;
    if (item.kind == item_kind::declaration)
      return !std::all_of(item.variables.begin(), item.variables.end(),
                          [&](std::size_t v) { return roles_.is_same(v); });
    if (item.kind != item_kind::change) return false;
    const block_variable* v = structure_.find(source_.code[item.change->name].text, item.change->name);
    return v == nullptr || !roles_.is_same(structure_.index_of(*v));
  }

  /// Conditions that hold for some threads; all others are what they were.
  void make_regions() {
    std::vector<std::size_t> condition(structure_.controls.size(), none);
    regions_.assign(structure_.regions.size(), none);
    const auto around = [&](std::size_t r) { return r == no_region ? none : regions_[r]; };
    for (std::size_t r = 0; r < structure_.regions.size(); ++r) {
      const split_region& region = structure_.regions[r];
      const split_control& c = structure_.controls[region.control];
      if (!roles_.is_divergent(c)) {
        regions_[r] = around(region.parent);
        continue;
      }
      if (condition[region.control] == none) {
        condition[region.control] = plan_.conditions.size();
        plan_.conditions.push_back({c.whole, c.condition, c.otherwise, around(region.parent), c.bound});
      }
      regions_[r] = plan_.regions.size();
      plan_.regions.push_back({condition[region.control], region.otherwise, around(region.parent)});
    }
    conditions_ = std::move(condition);
  }

  /// A stretch of its own: a condition to evaluate, or a warp function.
  bool add_single(const split_item& item) {
    const bool condition =
        item.kind == item_kind::head && item.control != no_region && conditions_[item.control] != none;
    const bool marks = condition && !plan_.conditions[conditions_[item.control]].bound;
    if (!marks && item.kind != item_kind::exchange) return false;
    stretch s;
    s.statements = item.range;
    s.region = item.region == no_region ? none : regions_[item.region];
    if (marks) s.condition = conditions_[item.control];
    if (item.kind == item_kind::exchange) {
      s.exchange.emplace();
      home_[item.variables.front()] = plan_.stretches.size();
    }
    plan_.stretches.push_back(std::move(s));
    in_loop_.push_back(item.in_loop);
    return true;
  }

  void make_stretches() {
    home_.assign(structure_.variables.size(), none);
    bool open = false;
    for (const split_item& item : structure_.items) {
      if (add_single(item)) {
        open = false;
        continue;
      }
      const bool inside = is_per_thread(item);
      std::string before;  // what is the same for all threads, of a declaration that declares others, too
      for (const std::size_t v : item.variables)
        if (inside && roles_.is_same(v)) before += cat(" ", declaration_of(structure_.variables[v]), ";");
      if (inside && (!open || !before.empty())) {
        plan_.stretches.emplace_back();
        plan_.stretches.back().statements = item.range;
        plan_.stretches.back().before = before;
        plan_.stretches.back().region = item.region == no_region ? none : regions_[item.region];
      }
      if (inside) {
        stretch& s = plan_.stretches.back();
        s.statements.end = item.range.end;
        for (const std::size_t v : item.variables)
          if (!roles_.is_same(v)) home_[v] = plan_.stretches.size() - 1;
        in_loop_.resize(plan_.stretches.size());
        in_loop_.back() = item.in_loop;
      }
      open = inside;
    }
    for (std::size_t k = 0; k < plan_.stretches.size(); ++k) {
      stretch& s = plan_.stretches[k];
      const bool last = k + 1 == plan_.stretches.size() && !in_loop_[k];
      for (std::size_t i = s.statements.begin; i < s.statements.end && !last; ++i)
        s.returns = s.returns || source_.code[i].is("return");
    }
  }

  /// What the warp functions work on.
  void make_exchanges() {
    for (std::size_t k = 0; k < plan_.stretches.size(); ++k) {
      stretch& s = plan_.stretches[k];
      if (!s.exchange) continue;
      warp_exchange& x = *s.exchange;
      const std::size_t call = s.statements.begin + 3;
      x.function = find_warp_function(source_.code[call].text);
      x.arguments = arguments_of(source_, call + 1);
      x.result = s.declares.empty() ? none : s.declares.front();
      x.same = true;
      for (std::size_t a = 0; a < x.arguments.size(); ++a)
        x.same = x.same && (a == x.function->operand || roles_.is_same_for_block(x.arguments[a]));
      x.operand = none;
      if (x.function->operand == no_operand) continue;
      const std::size_t name = x.arguments[x.function->operand].begin;
      x.operand_type = type_of_name(name);
      const block_variable* v = structure_.find(source_.code[name].text, name);
      const std::size_t carried = v == nullptr ? none : carried_[structure_.index_of(*v)];
      const bool kept = carried != none && plan_.carried[carried].declaration.empty();
      if (kept) x.operand = carried;
      if (!kept && is_among(roles_.changed_parameters(), source_.code[name].text))
        x.operand = static_cast<std::size_t>(
            std::find(roles_.changed_parameters().begin(), roles_.changed_parameters().end(), source_.code[name].text) -
            roles_.changed_parameters().begin());
    }
  }

  void make_runs() {
    plan_.runs = find_warp_runs(source_, structure_, roles_, plan_.stretches);
    for (warp_run& run : plan_.runs) {
      run.region = run.region == no_region ? none : regions_[run.region];
      for (std::size_t v = 0; v < structure_.variables.size(); ++v) {
        const block_variable& variable = structure_.variables[v];
        const bool begins =
            run.statements.begin <= variable.declared.name && variable.declared.name < run.statements.end;
        const bool kept = carried_[v] != none && !roles_.is_indexed(v);
        if (begins && kept && variable.scope.end > run.statements.end) run.kept.push_back(carried_[v]);
      }
      run.halves = find_half_warps(source_, plan_, run, structure_, roles_);
      run.needed = find_needed_warps(source_, plan_, run, structure_, roles_);
    }
  }

  /// Of stretches that the whole block runs at once.
  void find_crossings() {
    crossing_finder finder(source_, kernel_, names_, structure_, roles_);
    for (stretch& s : plan_.stretches) {
      const bool in_run = std::any_of(plan_.runs.begin(), plan_.runs.end(), [&](const warp_run& run) {
        return run.statements.begin <= s.statements.begin && s.statements.begin < run.statements.end;
      });
      if (!s.exchange && s.condition == none && s.region == none && !in_run) s.crossings = finder.find(s.statements);
    }
  }

  /// A type that can be written where no thread's variable is declared.
  [[nodiscard]] std::string type_of_name(std::size_t position) {
    const block_variable* v = structure_.find(source_.code[position].text, position);
    if (v == nullptr || v->is_static) return cat("__tessera::value_type<decltype(", source_.code[position].text, ")>");
    return cat("__tessera::value_type<", type_of(*v), ">");
  }
  [[nodiscard]] std::string type_of(const block_variable& v) {
    const declarator& d = v.declared;
    if (d.type.find("auto") == std::string::npos) return d.type + d.extents;
    const warp_function* f = find_warp_function(source_.code[d.initial.begin].text);
    if (f != nullptr && !f->result.empty()) return std::string(f->result);
    if (f != nullptr) return type_of_name(arguments_of(source_, d.initial.begin + 1)[f->operand].begin);
    return type_of_value(d.initial);
  }
  /// Variables of a thread in it are replaced by values of their types.
  [[nodiscard]] std::string type_of_value(token_range range) {
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool member = i > 0 && (source_.code[i - 1].is(".") || source_.code[i - 1].is("->"));
      const block_variable* v =
          source_.code[i].is_identifier() && !member ? structure_.find(source_.code[i].text, i) : nullptr;
      const bool own = v != nullptr && !roles_.is_same(structure_.index_of(*v)) && !v->is_static;
      text += own ? cat("__tessera::value<", type_of(*v), ">() ") : cat(source_.code[i].text, " ");
    }
    return cat("__tessera::value_type<decltype(", text, ")>");
  }

  void carry() {
    for (std::string_view p : roles_.changed_parameters())
      plan_.carried.push_back({std::string(p), cat("decltype(", p, ")"), "", "", "", {}, false, true, false});
    carried_.assign(structure_.variables.size(), none);
    // What a stretch uses may be computed from what others declare: found for all before anything is numbered.
    std::vector<std::vector<bool>> uses;
    for (std::size_t k = 0; k < plan_.stretches.size(); ++k) uses.push_back(used_by(k));
    for (std::size_t v = 0; v < structure_.variables.size(); ++v)
      if (std::any_of(uses.begin(), uses.end(), [&](const auto& used) { return used[v]; })) number(v);
    for (std::size_t k = 0; k < plan_.stretches.size(); ++k) {
      stretch& s = plan_.stretches[k];
      for (std::size_t p = 0; p < roles_.changed_parameters().size(); ++p)
        if (structure_.find(roles_.changed_parameters()[p], s.statements.begin) == nullptr &&
            names_.mentions(s.statements, roles_.changed_parameters()[p]))
          s.uses.push_back(p), s.changes.push_back(p);
      for (std::size_t v = 0; v < structure_.variables.size(); ++v) {
        if (uses[k][v]) s.uses.push_back(carried_[v]);
        if (uses[k][v] && may_change(s.statements, structure_.variables[v])) s.changes.push_back(carried_[v]);
        if (home_[v] == k && carried_[v] != none && !roles_.is_indexed(v)) s.declares.push_back(carried_[v]);
      }
    }
  }

  [[nodiscard]] bool may_change(token_range statements, const block_variable& v) const {
    return names_.may_change(statements, v.name, names_.of_type(v.declared.type));
  }

  /// The variables of earlier stretches that stretch `k` uses.
  [[nodiscard]] std::vector<bool> used_by(std::size_t k) {
    const stretch& s = plan_.stretches[k];
    std::vector<bool> used(structure_.variables.size());
    for (std::size_t v = used.size(); v-- > 0;) {
      const block_variable& variable = structure_.variables[v];
      if (home_[v] == none || home_[v] >= k) continue;
      const bool visible = structure_.find(variable.name, s.statements.begin) == &variable;
      bool mentioned = visible && names_.mentions(s.statements, variable.name);
      for (std::size_t w = v + 1; w < used.size() && !mentioned; ++w)  // by what is computed anew
        mentioned =
            used[w] && roles_.is_indexed(w) && names_.mentions(structure_.variables[w].declared.initial, variable.name);
      if (mentioned && !visible)
        refuse_cut(source_, variable.declared.name, cat("`", variable.name, "` is hidden by another"));
      used[v] = mentioned;
      if (mentioned && roles_.is_indexed(v)) require_meaning(variable, s.statements.begin);
    }
    return used;
  }

  /// What a variable is computed from must have the same names where it is computed anew.
  void require_meaning(const block_variable& v, std::size_t position) {
    const std::vector<token> code = names_.expanded(v.declared.initial);
    for (std::size_t i = 0; i < code.size(); ++i) {
      const token& t = code[i];
      if (!t.is_identifier() || (i > 0 && code[i - 1].is("."))) continue;
      bool hidden = structure_.find(t.text, position) != structure_.find(t.text, v.declared.initial.begin);
      for (const block_name& other : structure_.others)
        hidden = hidden || (other.name == t.text && other.scope.begin <= position && position < other.scope.end);
      if (hidden)
        refuse_cut(source_, v.declared.name, cat("`", t.text, "` is hidden by another where `", v.name, "` is used"));
    }
  }

  [[nodiscard]] std::string declaration_of(const block_variable& v) const {
    const declarator& d = v.declared;
    const std::string initial = d.initial.empty() ? "" : cat(" = ", source_.text(d.initial));
    return cat(d.type, " ", v.name, d.extents, initial);
  }

  /// What a lane's or a warp's number begins as where loops count them.
  [[nodiscard]] std::string lane_of(const block_variable& v) {
    const token_range initial = v.declared.initial;
    if (const auto index = read_index(source_, initial); index && index->axis == 0 && !index->divisor.empty())
      return index->remainder ? "__tessera_lane" : "__tessera_warp";
    if (initial.end < initial.begin + 3) return {};
    const token& by = source_.code[initial.end - 2];
    const token& number = source_.code[initial.end - 1];
    if (!(by.is("/") && (number.is("32") || number.is("warpSize"))) && !(by.is(">>") && number.is("5"))) return {};
    return warp_of_grid({initial.begin, initial.end - 2}, cat(" ", by.text, " ", number.text));
  }

  /// `(blockIdx.x * blockDim.x + threadIdx.x) / 32`, or of a variable that holds the sum: the same for all lanes.
  [[nodiscard]] std::string warp_of_grid(token_range sum, const std::string& divided) {
    const auto is_index = [&](token_range range) {
      const auto read = read_index_sum(source_.code, range.begin, {});
      return read && read->end == range.end && read->axis == 0;
    };
    if (sum.end == sum.begin + 1) {
      const std::string_view name = source_.code[sum.begin].text;
      const block_variable* v = structure_.find(name, sum.begin);
      if (v == nullptr || !roles_.is_indexed(structure_.index_of(*v)) || !is_index(v->declared.initial)) return {};
      return cat("(", name, " >= 0 ? ", name, " - __tessera_within : ", name, ")", divided);
    }
    if (!source_.code[sum.begin].is("(") || source_.match[sum.begin] + 1 != sum.end) return {};
    if (!is_index({sum.begin + 1, sum.end - 1})) return {};
    std::string text;
    for (std::size_t i = sum.begin; i < sum.end; ++i) {
      const bool thread = source_.code[i].is("threadIdx");
      text += cat(thread ? "(threadIdx.x - __tessera_within)" : source_.code[i].text, " ");
      if (thread) i += 2;
    }
    return text + divided;
  }

  void number(std::size_t v) {
    const block_variable& variable = structure_.variables[v];
    const declarator& d = variable.declared;
    const std::string name(variable.name);
    carried_[v] = plan_.carried.size();
    const std::string again = roles_.is_indexed(v) ? declaration_of(variable) : std::string();
    if (again.empty() && d.is_reference)
      refuse_cut(source_, d.name, cat("the reference `", name, "` lives across a barrier"));
    std::string type = d.type;
    if (again.empty() && type.find("auto") != std::string::npos) {
      if (d.initial.empty())
        refuse_cut(source_, d.name, cat("`", name, "`, whose type is not written, lives across a barrier"));
      type = type_of(variable);
    }
    if (again.empty() && d.extents.starts_with("[ ]"))
      refuse_cut(source_, d.name, cat("`", name, "`, whose extent is not written, lives across a barrier"));
    const token_range rest{d.end, plan_.stretches[home_[v]].statements.end};
    const bool unset = d.initial.empty() && d.extents.empty() && names_.of_type(d.type) == held::number &&
                       !names_.mentions(rest, variable.name);
    const std::string lane = again.empty() ? std::string() : lane_of(variable);
    plan_.carried.push_back({name, type, d.extents, again, lane, d.initial, d.is_const, false, unset});
  }

  /// A variable has another address in every stretch. Where anything that outlives a stretch may hold an address, none
  /// of a thread's own variable may be taken, and nothing may be there whose functions could take one.
  void refuse_stale_addresses() {
    const bool holder = structure_.shares_pointers ||
                        std::any_of(plan_.carried.begin(), plan_.carried.end(), [&](const carried_variable& v) {
                          if (!v.declaration.empty()) return false;
                          const held content = v.is_parameter ? names_.parameter(v.name) : names_.of_type(v.type);
                          return content == held::pointer || content == held::unknown;
                        });
    if (!holder) return;
    for (const block_variable& v : structure_.variables) {
      const auto axes = static_cast<std::size_t>(std::count(v.declared.extents.begin(), v.declared.extents.end(), '['));
      if (names_.of_type(v.declared.type) == held::unknown || names_.may_take_address(v.scope, v.name, axes))
        refuse_cut(source_, v.declared.name, cat("an address of `", v.name, "` may live across a barrier"));
    }
    for (std::string_view p : roles_.changed_parameters())
      if (names_.parameter(p) == held::unknown || names_.may_take_address(body_, p, 0))
        refuse_cut(source_, body_.begin, cat("an address of `", p, "` may live across a barrier"));
  }

  /// What is declared for the block must not hide what threads have.
  void refuse_hidden_names() {
    for (const block_name& other : structure_.others) {
      const bool hides = names_.is_parameter(other.name) ||
                         std::any_of(structure_.variables.begin(), structure_.variables.end(),
                                     [&](const block_variable& v) { return v.name == other.name && !v.is_static; });
      if (hides) refuse_cut(source_, other.scope.begin - 1, cat("`", other.name, "` hides another"));
    }
  }

  const outline& source_;
  const declaration& kernel_;
  token_range body_;
  known_names names_;
  split_structure structure_;
  variable_roles roles_;
  std::vector<std::size_t> home_, carried_;
  std::vector<bool> in_loop_;                      // per stretch
  std::vector<std::size_t> regions_, conditions_;  // of the plan, for those of the structure
  barrier_plan plan_;
};

}  // namespace

namespace {

/// Functions in which threads meet are part of a flat text; what is left cannot be followed.
void refuse_meetings_elsewhere(const outline& source, const reach& needed) {
  for (std::size_t i = 0; i < needed.needed.size(); ++i) {
    if (!needed.needed[i] || i == needed.kernel) continue;
    for (const token& t : expand_macros(source, source.declarations[i].all))
      if (t.text.starts_with("__syncthreads") || meets_warp(t.text))
        refuse_cut(source, source.declarations[i].all.begin, "threads meet in a function that is not a plain one");
  }
}

barrier_plan plan_with(const outline& source, const reach& needed, bound_filter bounds) {
  while (true) {
    barrier_planner planner(source, needed, bounds);
    const std::set<std::size_t> wrong = planner.false_bounds();
    if (wrong.empty()) return planner.run();
    bounds.plain.insert(wrong.begin(), wrong.end());
  }
}

}  // namespace

barrier_plan plan_barriers(const outline& source, const reach& needed, bool bounds) try {
  refuse_meetings_elsewhere(source, needed);
  try {
    return plan_with(source, needed, {.any = bounds, .plain = {}});
  } catch (const cut_refused&) {
    if (!bounds) throw;
    return plan_with(source, needed, {.any = false, .plain = {}});  // bounds ask for more to be understood
  }
} catch (const cut_refused& refused) {
  barrier_plan plan;
  plan.refusal = refused.reason;
  return plan;
}

}  // namespace tessera::kernels
