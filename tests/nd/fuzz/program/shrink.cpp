#include "tests/nd/fuzz/program/shrink.h"

#include "tests/nd/fuzz/reference/reference.h"

namespace tessera::fuzz {
namespace {

bool simplify_setting(reducer<program>& search) {
  bool any = search.lower(
      [](program & p) -> auto& { return p.ranks; }, 1);
  any = search.lower(
            [](program & p) -> auto& { return p.devices; }, 1) ||
        any;
  any = search.attempt_change([](program& p) { return std::exchange(p.budget, 0) > 0; }) || any;
  any = search.attempt_change([](program& p) { return std::exchange(p.is_eager, false); }) || any;
  any = search.attempt_change([](program& p) { return std::exchange(p.is_compiled, false); }) || any;
  any = search.attempt_change([](program& p) { return std::exchange(p.keeps_on_first, false); }) || any;
  return any;
}

/// The step makes new data of the shape and type of its result, so that what it came from can go.
bool replace_by_data(program& p, std::size_t n) {
  step& s = p.steps[n];
  if (s.action != verb::compute && s.action != verb::reduce && s.action != verb::scan && s.action != verb::take &&
      s.action != verb::arrange && s.action != verb::copy && s.action != verb::cast && s.action != verb::view)
    return false;
  reference plain;
  try {
    for (std::size_t k = 0; k <= n; ++k)
      if (!p.steps[k].refused) plain.apply(p.steps[k]);
  } catch (const invalid_step&) {
    return false;
  }
  const plain_array& result = plain.slot(s.to);
  step made;
  made.action = verb::data;
  made.to = s.to;
  made.type = result.type;
  made.shape = extents_of(result.shape);
  made.numbers[0] = static_cast<std::int64_t>(n) + 1;
  s = made;
  return true;
}

bool simplify_part(reducer<program>& search, std::size_t n, part& (*of)(step&)) {
  bool any = false;
  const auto views = [&] { return of(const_cast<step&>(search.best().steps[n])).views.size(); };
  for (std::size_t k = views(); k-- > 0 && k < views();)
    any = search.attempt_change([&](program& p) {
      auto& list = of(p.steps[n]).views;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
      return true;
    }) || any;
  return any;
}

}  // namespace

void shrink(reducer<program>& search) {
  search.repeat([&] {
    bool any = search.drop_runs([](program & p) -> auto& { return p.steps; });
    any = simplify_setting(search) || any;
    for (std::size_t n = search.best().steps.size(); n-- > 0;) {
      any = search.attempt_change([n](program& p) { return replace_by_data(p, n); }) || any;
      any = simplify_part(search, n, [](step& s) -> part& { return s.target; }) || any;
      any = simplify_part(search, n, [](step& s) -> part& { return s.from[0]; }) || any;
      any = simplify_part(search, n, [](step& s) -> part& { return s.from[1]; }) || any;
      any = search.attempt_change([n](program& p) {
        return std::exchange(p.steps[n].where, placement::automatic) != placement::automatic;
      }) || any;
      if (search.best().steps[n].action == verb::repeat)
        any = search.lower(
                  [n](program & p) -> auto& { return p.steps[n].numbers[0]; }, 1) ||
              any;
    }
    return any;
  });
}

}  // namespace tessera::fuzz
