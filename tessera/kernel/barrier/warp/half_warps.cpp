#include "tessera/kernel/barrier/warp/half_warps.h"

#include <algorithm>
#include <array>
#include <set>

#include "tessera/kernel/barrier/warp/needed_warps.h"

namespace tessera::kernels {
namespace {

constexpr std::size_t none = thread_region::none;
using variable_set = std::set<std::size_t>;  // of `barrier_plan::carried`

class half_finder {
 public:
  half_finder(const outline& source, const barrier_plan& plan, const warp_run& run, split_structure& structure,
              const variable_roles& roles)
      : source_(source), plan_(plan), run_(run.statements), structure_(structure), roles_(roles) {}

  std::vector<token_range> find() {
    std::vector<token_range> found;
    for (const split_control& c : structure_.controls) {
      const bool inside = run_.begin <= c.whole.begin && c.whole.end <= run_.end;
      if (c.is_loop && inside && !is_repeated(structure_, c.whole) && is_tree(c.whole) && is_for_one_lane(c.whole))
        found.push_back(c.whole);
    }
    return found;
  }

 private:
  [[nodiscard]] const token& at(std::size_t i) const { return source_.code[i]; }
  static bool is_within(const stretch& s, token_range range) {
    return range.begin <= s.statements.begin && s.statements.begin < range.end;
  }

  /// A halving loop around one shuffle by what it counts.
  [[nodiscard]] bool is_tree(token_range loop) {
    const std::string_view counter = halving_counter(loop);
    if (counter.empty()) return false;
    const token_range body{source_.match[loop.begin + 1] + 1, loop.end};
    const auto mentions = std::count_if(source_.code.begin() + static_cast<std::ptrdiff_t>(body.begin),
                                        source_.code.begin() + static_cast<std::ptrdiff_t>(body.end),
                                        [&](const token& t) { return t.is(counter); });
    int shuffles = 0;
    for (const stretch& s : plan_.stretches) {
      if (!is_within(s, body)) continue;
      if (s.condition != none || s.returns) return false;
      if (!s.exchange) continue;
      const warp_exchange& x = *s.exchange;
      if (x.function->driver != "shuffle_down" || x.arguments.size() != 3 || !x.same || x.result == none) return false;
      shuffles += source_.text(x.arguments[2]) == counter ? 1 : 2;
    }
    return shuffles == 1 && mentions == 1 && only_computes(source_, body, structure_, roles_);
  }

  /// What `for (int o = 16; o > 0; o /= 2)` counts; empty for any other loop.
  [[nodiscard]] std::string_view halving_counter(token_range loop) const {
    if (!at(loop.begin).is("for")) return {};
    const std::string text = source_.text({loop.begin + 2, source_.match[loop.begin + 1]});
    const std::size_t assign = text.find(" = ");
    if (assign == std::string::npos) return {};
    const std::size_t space = text.rfind(' ', assign - 1);
    const std::string type = text.substr(0, space == std::string::npos ? 0 : space);
    const std::string name = text.substr(space + 1, assign - space - 1), rest = text.substr(assign + 3);
    if (type != "int" && type != "unsigned" && type != "unsigned int") return {};
    for (const char* begin : {"16", "8", "warpSize / 2", "32 / 2", "16u", "16U"})
      for (const char* test : {" > 0", " >= 1", " != 0", " > 0u"})
        for (const char* step : {" /= 2", " >>= 1"})
          if (rest == begin + (" ; " + name) + test + " ; " + name + step) return name_at(loop, name);
    return {};
  }
  [[nodiscard]] std::string_view name_at(token_range loop, const std::string& name) const {
    for (std::size_t i = loop.begin; i < loop.end; ++i)
      if (at(i).is(name)) return at(i).text;
    return {};
  }

  /// Whether nothing reads the variables that a loop changes but the first lanes of warps.
  [[nodiscard]] bool is_for_one_lane(token_range loop) {
    variable_set made;
    for (const stretch& s : plan_.stretches) {
      if (is_within(s, loop)) add(made, s);
      if (s.statements.begin < loop.end) continue;
      if (is_behind(s, loop)) forget(made, s);
      if (!uses(s, made) || is_of_first_lane(s.region)) continue;
      if (!only_passes_on(source_, s, structure_, roles_)) return false;
      add(made, s);
    }
    return true;
  }
  static void add(variable_set& made, const stretch& s) {
    made.insert(s.declares.begin(), s.declares.end());
    made.insert(s.changes.begin(), s.changes.end());
  }
  static bool uses(const stretch& s, const variable_set& made) {
    return std::any_of(s.uses.begin(), s.uses.end(), [&](std::size_t k) { return made.contains(k); });
  }
  /// A stretch of all threads that begins with `v = ...` does not ask what v was.
  void forget(variable_set& made, const stretch& s) const {
    const std::size_t first = s.statements.begin;
    if (s.region != none || s.exchange || s.condition != none || !at(first + 1).is("=")) return;
    std::size_t end = first;
    while (end < s.statements.end && !at(end).is(";")) ++end;
    if (source_.holds({first + 1, end}, {at(first).text})) return;
    for (const std::size_t k : s.uses)
      if (plan_.carried[k].name == at(first).text) made.erase(k);
  }
  /// Whether every thread that has left the loop comes to the stretch.
  [[nodiscard]] bool is_behind(const stretch& s, token_range loop) const {
    return std::none_of(structure_.controls.begin(), structure_.controls.end(), [&](const split_control& c) {
      const bool around = c.whole.begin < loop.begin && loop.end <= c.whole.end;
      const bool beside = c.otherwise < c.whole.end && loop.begin < c.otherwise && c.otherwise < s.statements.begin;
      return is_within(s, c.whole) && (!around || beside);
    });
  }

  /// `threadIdx.x % 32 == 0`, `threadIdx.x == 0`.
  [[nodiscard]] bool is_of_first_lane(std::size_t region) const {
    for (; region != none; region = plan_.regions[region].around) {
      const thread_region& r = plan_.regions[region];
      const auto& b = plan_.conditions[r.control].bound;
      if (!b || r.otherwise || b->axis != 0 || b->relation != "==" || source_.text(b->limit) != "0") continue;
      if (b->remainder || b->divisor.empty()) return true;
    }
    return false;
  }

  const outline& source_;
  const barrier_plan& plan_;
  token_range run_;
  split_structure& structure_;
  const variable_roles& roles_;
};

}  // namespace

std::vector<token_range> find_half_warps(const outline& source, const barrier_plan& plan, const warp_run& run,
                                         split_structure& structure, const variable_roles& roles) {
  return half_finder(source, plan, run, structure, roles).find();
}

}  // namespace tessera::kernels
