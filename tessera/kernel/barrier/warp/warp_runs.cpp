#include "tessera/kernel/barrier/warp/warp_runs.h"

#include <algorithm>

namespace tessera::kernels {
namespace {

/// A `for` without other loops whose head holds numbers alone.
bool is_constant_loop(const outline& source, const split_control& loop, bool with_sizes = false) {
  const std::size_t at = loop.whole.begin;
  if (!source.code[at].is("for")) return false;
  const std::size_t close = source.match[at + 1];
  if (source.holds({close, loop.whole.end}, {"for", "while", "do"})) return false;
  std::string_view counter;
  for (std::size_t i = at + 2; i + 1 < close && counter.empty(); ++i)
    if (source.code[i + 1].is("=")) counter = source.code[i].text;
  for (std::size_t i = at + 2; i < close; ++i) {
    const token& t = source.code[i];
    const bool size = with_sizes && (t.is("blockDim") || source.code[i - 1].is("."));
    if (t.is_identifier() && !is_type_word(t.text) && !t.is(counter) && !t.is("warpSize") && !size) return false;
  }
  return !counter.empty();
}

class run_finder {
 public:
  run_finder(const outline& source, split_structure& structure, const variable_roles& roles,
             const std::vector<stretch>& stretches)
      : source_(source), structure_(structure), roles_(roles), stretches_(stretches) {}

  std::vector<warp_run> find() {
    std::vector<std::vector<token_range>> lists = structure_.lists;
    std::erase_if(lists, [](const auto& list) { return list.empty(); });
    std::sort(lists.begin(), lists.end(),
              [](const auto& a, const auto& b) { return a.front().begin < b.front().begin; });  // outer ones first
    for (const std::vector<token_range>& list : lists)
      if (runs_.empty() || list.front().begin >= runs_.back().statements.end) read(list);
    return std::move(runs_);
  }

 private:
  void read(const std::vector<token_range>& list) {
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= list.size(); ++k) {
      if (k < list.size() && !is_for_block(list[k])) continue;
      if (begin < k) take({list[begin].begin, list[k - 1].end});
      begin = k + 1;
    }
  }

  /// Whether a statement cannot be a part of a run.
  [[nodiscard]] bool is_for_block(token_range statement) {
    for (std::size_t i = statement.begin; i < statement.end; ++i)
      if (source_.code[i].text.starts_with("__syncthreads")) return true;
    for (const stretch& s : stretches_) {
      const bool beside = s.statements.end <= statement.begin || statement.end <= s.statements.begin;
      if (!beside && (s.returns || !s.before.empty())) return true;
    }
    return std::any_of(structure_.items.begin(), structure_.items.end(), [&](const split_item& item) {
      if (item.range.begin != statement.begin || item.range.end != statement.end) return false;
      const bool same =
          std::any_of(item.variables.begin(), item.variables.end(), [&](std::size_t v) { return roles_.is_same(v); });
      return item.kind == item_kind::once || item.kind == item_kind::jump || same;
    });
  }

  void take(token_range range) {
    bool meets = false;
    std::size_t region = no_region, first = range.end;
    for (const split_item& item : structure_.items) {
      if (item.range.begin < range.begin || item.range.end > range.end) continue;
      meets = meets || item.kind == item_kind::exchange;
      if (item.range.begin < first) first = item.range.begin, region = item.region;
      if (item.change && changes_for_all(*item.change, range)) return;
    }
    if (meets) runs_.push_back({range, region, constant_loops(range), {}, {}, thread_region::none});
  }

  /// The innermost loops around warp functions whose heads hold numbers alone.
  [[nodiscard]] std::vector<std::size_t> constant_loops(token_range range) const {
    std::vector<std::size_t> found;
    for (const split_control& c : structure_.controls) {
      const bool inside = range.begin <= c.whole.begin && c.whole.end <= range.end;
      if (inside && is_constant_loop(source_, c)) found.push_back(c.whole.begin);
    }
    return found;
  }

  /// Whether an assignment changes what the whole block has in common, also outside of the run.
  [[nodiscard]] bool changes_for_all(const assignment& change, token_range range) {
    const block_variable* v = structure_.find(source_.code[change.name].text, change.name);
    return v != nullptr && roles_.is_same(structure_.index_of(*v)) && v->declared.name < range.begin;
  }

  const outline& source_;
  split_structure& structure_;
  const variable_roles& roles_;
  const std::vector<stretch>& stretches_;
  std::vector<warp_run> runs_;
};

}  // namespace

std::vector<warp_run> find_warp_runs(const outline& source, split_structure& structure, const variable_roles& roles,
                                     const std::vector<stretch>& stretches) {
  return run_finder(source, structure, roles, stretches).find();
}

std::vector<std::size_t> find_halving_loops(const outline& source, const split_structure& structure) {
  std::vector<std::size_t> found;
  for (const split_control& c : structure.controls) {
    const token_range head{c.whole.begin, source.match[c.whole.begin + 1]};
    const bool halves = c.is_loop && c.has_barrier && source.holds(head, {">>=", "/=", "<<=", "*="});
    if (halves && is_constant_loop(source, c, true)) found.push_back(c.whole.begin);
  }
  return found;
}

}  // namespace tessera::kernels
