#include "tests/fuzz/generate/shrink.h"

#include <algorithm>
#include <utility>

#include "tests/fuzz/frame/reducer.h"
#include "tests/fuzz/reference/reference.h"

namespace tessera::fuzz {
namespace {

/// Brings operands back into the arrays they name, which may have become smaller, and devices into those that exist.
void repair(program& p) {
  reference state;
  const int devices = p.all_devices();
  const auto clamp = [&](argument_spec& o) {
    if (o.slot < 0 || !state.at(o.slot).array) return;
    const int_list shape = shape_of(state.at(o.slot).part);
    if (o.part.lo.size() != shape.size()) return;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      o.part.hi[k] = std::min(o.part.hi[k], shape[k]);
      o.part.lo[k] = std::min(o.part.lo[k], o.part.hi[k]);
    }
  };
  for (operation& o : p.operations) {
    if (auto* c = std::get_if<create_op>(&o)) {
      c->placement.device %= devices;
      for (auto& [part, device] : c->placement.parts) device %= devices;
    }
    if (auto* v = std::get_if<view_op>(&o)) clamp(v->from);
    if (auto* f = std::get_if<fill_op>(&o)) clamp(f->to);
    if (auto* w = std::get_if<write_op>(&o)) clamp(w->to);
    if (auto* r = std::get_if<read_op>(&o)) clamp(r->from);
    if (auto* v = std::get_if<value_op>(&o)) clamp(v->from), clamp(v->to);
    if (auto* l = std::get_if<launch_op>(&o)) {
      limit_devices(*l, devices);
      for (argument_spec& a : l->arguments) clamp(a);
    }
    outcome ignored;
    if (!state.apply(o, ignored)) return;  // then the program is not asked about
  }
}

class shrinker : reducer<program> {
 public:
  shrinker(program p, const std::function<bool(const program&)>& fails, std::chrono::seconds limit)
      : reducer(
            std::move(p),
            [&fails](program& candidate) {
              repair(candidate);
              return expected_outcomes(candidate) && fails(candidate);
            },
            limit) {}

  program run() {
    repeat([this] {
      bool smaller = drop_runs([](program & p) -> auto& { return p.operations; });
      smaller = simplify_world() || smaller;
      return simplify_operations() || smaller;
    });
    return take();
  }

 private:
  bool simplify_world() {
    bool any = false;
    while (best().devices.size() > 1 && attempt_change([](program& p) { return p.devices.pop_back(), true; }))
      any = true;
    for (std::size_t r = 0; r < best().devices.size(); ++r)
      while (best().devices[r] > 1 && attempt_change([&](program& p) { return --p.devices[r] > 0; })) any = true;
    any = attempt_change([](program& p) { return std::exchange(p.disturbance, 0) != 0; }) || any;
    any = attempt_change([](program& p) { return std::exchange(p.delivery, 0) != 0; }) || any;
    any = attempt_change([](program& p) { return std::exchange(p.check_unwritten, false); }) || any;
    any = attempt_change([](program& p) { return std::exchange(p.check_access, false); }) || any;
    any = attempt_change([](program& p) { return std::exchange(p.memory, 0) != 0; }) || any;
    any = attempt_change([](program& p) { return std::exchange(p.deterministic, false); }) || any;
    any = attempt_change([](program& p) { return std::exchange(p.small, 0) != 0; }) || any;
    any = attempt_change([](program& p) { return std::exchange(p.host, 100) != 100; }) || any;
    return attempt_change([](program& p) { return !std::exchange(p.tier, "").empty(); }) || any;
  }

  /// Every rank takes part in what only some did.
  bool simplify_participants(std::size_t i) {
    return attempt_change([i](program& p) {
      if (auto* w = std::get_if<write_op>(&p.operations[i])) return std::exchange(w->rank, every_rank) != every_rank;
      if (auto* r = std::get_if<read_op>(&p.operations[i])) return std::exchange(r->rank, every_rank) != every_rank;
      return false;
    });
  }

  bool simplify_operations() {
    bool any = false;
    for (std::size_t i = 0; i < best().operations.size(); ++i) {
      any = simplify_participants(i) || any;
      if (std::holds_alternative<create_op>(best().operations[i])) any = simplify_array(i) || any;
      if (std::holds_alternative<launch_op>(best().operations[i])) any = simplify_launch(i) || any;
    }
    return any;
  }

  bool simplify_array(std::size_t i) {
    bool any = attempt_change([&](program& p) {
      auto& placement = std::get<create_op>(p.operations[i]).placement;
      return std::exchange(placement, {}).form != distribution::kind::automatic;
    });
    const std::size_t rank = std::get<create_op>(best().operations[i]).shape.size();
    for (std::size_t k = 0; k < rank; ++k) {
      const auto extent = [&](program & p) -> auto& { return std::get<create_op>(p.operations[i]).shape[k]; };
      any = lower(extent, 1) || any;
    }
    return any;
  }

  bool simplify_launch(std::size_t i) {
    const auto change = [&](auto f) {
      return attempt_change([&](program& p) { return f(std::get<launch_op>(p.operations[i])); });
    };
    bool any = change([](launch_op& l) { return std::exchange(l.times, 1) > 1; });
    any = change([](launch_op& l) {
            return std::exchange(l.split_form, launch_op::split::automatic) != launch_op::split::automatic;
          }) ||
          any;
    while (change([](launch_op& l) { return l.slabs.size() > 1 && (l.slabs.pop_back(), true); })) any = true;
    any = change([](launch_op& l) { return std::exchange(l.exchange, false); }) || any;
    any = change([](launch_op& l) { return std::exchange(l.by_grid, false); }) || any;
    any = change([](launch_op& l) { return std::exchange(l.definition.scalars, 0) > 0; }) || any;
    for (std::size_t a = 0; a < std::get<launch_op>(best().operations[i]).threads.size(); ++a) {
      any = lower(
                [&](program & p) -> auto& { return std::get<launch_op>(p.operations[i]).threads[a]; }, 1) ||
            any;
      any = change([&](launch_op& l) { return l.source < 0 && std::exchange(l.block[a], 1) > 1; }) || any;
    }
    return simplify_kernel(i) || any;
  }

  /// Fewer rows, empty rows, rows of one element.
  bool simplify_tables(std::size_t i) {
    bool any = false;
    const auto tables = [i](program & p) -> auto& { return std::get<launch_op>(p.operations[i]).definition.tables; };
    const auto now = [&] { return std::get<launch_op>(best().operations[i]).definition.tables; };
    for (std::size_t t = 0; t < now().size(); ++t)
      for (std::size_t r = now()[t].lo.size(); r-- > 0;) {
        const auto at = static_cast<std::ptrdiff_t>(r);
        const bool gone = attempt_change([&](program& p) {
          row_table& table = tables(p)[t];
          table.lo.erase(table.lo.begin() + at);
          table.hi.erase(table.hi.begin() + at);
          return true;
        });
        any = gone || any;
        if (gone) continue;
        const auto shorten = [&](std::int64_t length) {
          return attempt_change([&](program& p) {
            row_table& table = tables(p)[t];
            return table.lo[r] + length < table.hi[r] && ((table.hi[r] = table.lo[r] + length), true);
          });
        };
        any = shorten(0) || shorten(1) || any;
      }
    return any;
  }

  bool simplify_kernel(std::size_t i) {
    const auto change = [&](auto f) {
      return attempt_change([&](program& p) { return f(std::get<launch_op>(p.operations[i])); });
    };
    bool any = false;
    for (std::size_t q = std::get<launch_op>(best().operations[i]).definition.parameters.size(); q-- > 0;) {
      const auto at = static_cast<std::ptrdiff_t>(q);
      if (change([&](launch_op& l) {
            l.definition.parameters.erase(l.definition.parameters.begin() + at);
            l.arguments.erase(l.arguments.begin() + at);
            l.follow = 0;
            return !l.arguments.empty();
          })) {
        any = true;
        continue;
      }
      any = change([&](launch_op& l) {
              return l.definition.parameters[q].view && (l.definition.parameters[q].view.reset(), true);
            }) ||
            any;
      for (std::size_t r = std::get<launch_op>(best().operations[i]).definition.parameters[q].rules.size(); r-- > 0;)
        any = change([&](launch_op& l) {
                auto& rules = l.definition.parameters[q].rules;
                rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(r));
                return true;
              }) ||
              any;
    }
    any = simplify_tables(i) || any;
    for (std::size_t n = 0; n < std::get<launch_op>(best().operations[i]).definition.names.size(); ++n)
      any =
          change([&](launch_op& l) { return std::exchange(l.definition.names[n].below, std::nullopt).has_value(); }) ||
          any;
    return any;
  }
};

}  // namespace

program shrink(program p, const std::function<bool(const program&)>& fails, std::chrono::seconds limit) {
  return shrinker(std::move(p), fails, limit).run();
}

}  // namespace tessera::fuzz
