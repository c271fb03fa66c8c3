#include "tessera/kernel/barrier/warp/needed_warps.h"

#include <algorithm>
#include <array>
#include <set>

#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/barrier/warp_functions.h"
#include "tessera/kernel/flat/variables.h"

namespace tessera::kernels {
namespace {

constexpr std::size_t none = thread_region::none;

class need_finder {
 public:
  need_finder(const outline& source, const barrier_plan& plan, const warp_run& run, split_structure& structure,
              const variable_roles& roles)
      : source_(source), plan_(plan), range_(run.statements), structure_(structure), roles_(roles) {}

  std::size_t find() {
    if (is_repeated(structure_, range_) || !only_computes(source_, range_, structure_, roles_)) return none;
    std::size_t found = none;
    std::set<std::size_t> made = variables();
    for (const stretch& s : plan_.stretches) {
      if (s.statements.begin < range_.end) continue;
      if (std::none_of(s.uses.begin(), s.uses.end(), [&](std::size_t k) { return made.contains(k); })) continue;
      const std::size_t needed = condition_of(s.region);
      if (needed == none && only_passes_on(source_, s, structure_, roles_)) {
        made.insert(s.declares.begin(), s.declares.end());
        made.insert(s.changes.begin(), s.changes.end());
        continue;
      }
      if (needed == none || (found != none && !is_same(needed, found))) return none;
      found = needed;
    }
    return found;
  }

 private:
  /// Variables that it declares or changes, and other stretches may use.
  [[nodiscard]] std::set<std::size_t> variables() const {
    std::set<std::size_t> made;
    for (const stretch& s : plan_.stretches) {
      if (s.statements.begin < range_.begin || s.statements.begin >= range_.end) continue;
      made.insert(s.declares.begin(), s.declares.end());
      made.insert(s.changes.begin(), s.changes.end());
    }
    return made;
  }

  /// The condition around a region that bounds the threads by a number; `none` if there is none.
  [[nodiscard]] std::size_t condition_of(std::size_t region) const {
    for (; region != none; region = plan_.regions[region].around) {
      const thread_region& r = plan_.regions[region];
      const auto& bound = plan_.conditions[r.control].bound;
      if (!bound || r.otherwise || bound->remainder || bound->limit.end != bound->limit.begin + 1) continue;
      if (source_.code[bound->limit.begin].kind == token_kind::number) return r.control;
    }
    return none;
  }
  [[nodiscard]] bool is_same(std::size_t one, std::size_t other) const {
    const index_bound& a = *plan_.conditions[one].bound;
    const index_bound& b = *plan_.conditions[other].bound;
    return a.axis == b.axis && a.relation == b.relation && a.type == b.type && a.divisor == b.divisor &&
           source_.text(a.limit) == source_.text(b.limit);
  }

  const outline& source_;
  const barrier_plan& plan_;
  token_range range_;
  split_structure& structure_;
  const variable_roles& roles_;
};

/// Whether the operator at `i` changes a variable of a thread, not what one points at.
bool changes_variable(const outline& source, std::size_t i, token_range statements, split_structure& structure) {
  static constexpr std::array<std::string_view, 6> members = {".", "->", "*", "&", "::", "]"};
  const bool behind = source.code[i - 1].is_identifier();
  const std::size_t at = behind ? i - 1 : i + 1, before = behind ? at - 1 : i - 1;
  const token& name = source.code[at];
  if (!name.is_identifier() || is_among(members, source.code[before].text)) return false;
  if (!behind && !(source.code[at + 1].is(";") || source.code[at + 1].is(")"))) return false;
  if (source.code[before].is(")")) {  // or a cast
    const token& head = source.code[source.match[before] - 1];
    if (!head.is("if") && !head.is("for") && !head.is("while")) return false;
  }
  if (const block_variable* v = structure.find(name.text, at))
    return !v->is_static && v->declared.extents.empty() && !v->declared.is_reference;
  const std::vector<local_variable> locals = local_variables(source, statements);
  return std::any_of(locals.begin(), locals.end(),
                     [&](const local_variable& v) { return v.name == name.text && !v.type.empty(); });
}

}  // namespace

bool only_computes(const outline& source, token_range statements, split_structure& structure,
                   const variable_roles& roles) {
  static constexpr std::array<std::string_view, 5> words = {"if", "for", "while", "switch", "__syncwarp"};
  for (std::size_t i = statements.begin; i < statements.end; ++i) {
    const token& t = source.code[i];
    if (source.macros.contains(t.text) || t.is("return") || t.is("goto") || t.text.starts_with("asm")) return false;
    const bool call = t.is("(") && (source.code[i - 1].is_identifier() || source.code[i - 1].is(">"));
    const std::string_view name = source.code[i - 1].text;
    const bool cast = i > 1 && (is_type_word(source.code[i - 2].text) || !source.code[i - 2].is_identifier());
    if (t.is("(") && name == ")" && !cast) return false;  // `(function)(...)`
    if (call && !is_among(words, name) && find_warp_function(name) == nullptr && !roles.only_computes(name))
      return false;
    if (is_assignment_operator(t) && !changes_variable(source, i, statements, structure)) return false;
  }
  return true;
}

bool only_passes_on(const outline& source, const stretch& s, split_structure& structure, const variable_roles& roles) {
  if (s.exchange || s.condition != thread_region::none || is_repeated(structure, s.statements)) return false;
  return only_computes(source, s.statements, structure, roles);
}

bool is_repeated(const split_structure& structure, token_range statements) {
  return std::any_of(structure.controls.begin(), structure.controls.end(), [&](const split_control& c) {
    const bool itself = c.whole.begin == statements.begin && c.whole.end == statements.end;
    return c.is_loop && !itself && c.whole.begin <= statements.begin && statements.end <= c.whole.end;
  });
}

std::size_t find_needed_warps(const outline& source, const barrier_plan& plan, const warp_run& run,
                              split_structure& structure, const variable_roles& roles) {
  return need_finder(source, plan, run, structure, roles).find();
}

}  // namespace tessera::kernels
