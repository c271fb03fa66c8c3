#include "tessera/kernel/barrier/barrier_plan.h"

#include <algorithm>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/names.h"
#include "tessera/kernel/barrier/roles.h"
#include "tessera/kernel/barrier/structure.h"

namespace tessera::kernels {
namespace {

/// Cuts a kernel into stretches, and finds what they have in common.
class barrier_planner {
 public:
  barrier_planner(const outline& source, const reach& needed)
      : source_(source),
        body_(source.declarations[needed.kernel].body),
        names_(source, needed),
        structure_(read_structure(source, body_)),
        roles_(source, names_, structure_, body_) {}

  barrier_plan run() {
    refuse_hidden_names();
    make_stretches();
    carry();
    refuse_stale_addresses();
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

  void make_stretches() {
    home_.assign(structure_.variables.size(), none);
    bool open = false;
    for (const split_item& item : structure_.items) {
      const bool inside = is_per_thread(item);
      std::string before;  // what is the same for all threads, of a declaration that declares others, too
      for (const std::size_t v : item.variables)
        if (inside && roles_.is_same(v)) before += cat(" ", declaration_of(structure_.variables[v]), ";");
      if (inside && (!open || !before.empty())) plan_.stretches.push_back({item.range, before, {}, {}, false});
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

  void carry() {
    for (std::string_view p : roles_.changed_parameters())
      plan_.carried.push_back({std::string(p), cat("decltype(", p, ")"), "", "", false, true});
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
          s.uses.push_back(p);
      for (std::size_t v = 0; v < structure_.variables.size(); ++v) {
        if (uses[k][v]) s.uses.push_back(carried_[v]);
        if (home_[v] == k && carried_[v] != none && !roles_.is_indexed(v)) s.declares.push_back(carried_[v]);
      }
    }
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
      if (!roles_.is_same_for_block(d.initial))
        refuse_cut(source_, d.name, cat("`", name, "`, whose type is not written, lives across a barrier"));
      type = cat("decltype(", source_.text(d.initial), ")");
    }
    if (again.empty() && d.extents.starts_with("[ ]"))
      refuse_cut(source_, d.name, cat("`", name, "`, whose extent is not written, lives across a barrier"));
    plan_.carried.push_back({name, type, d.extents, again, d.is_const, false});
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
  token_range body_;
  known_names names_;
  split_structure structure_;
  variable_roles roles_;
  std::vector<std::size_t> home_, carried_;
  std::vector<bool> in_loop_;  // per stretch
  barrier_plan plan_;
};

}  // namespace

barrier_plan plan_barriers(const outline& source, const reach& needed) try {
  for (std::size_t i = 0; i < needed.needed.size(); ++i)
    if (needed.needed[i] && i != needed.kernel && source.mentions(source.declarations[i].all, "__syncthreads"))
      throw cut_refused{"a barrier in a function that the kernel calls"};
  return barrier_planner(source, needed).run();
} catch (const cut_refused& refused) {
  barrier_plan plan;
  plan.refusal = refused.reason;
  return plan;
}

}  // namespace tessera::kernels
