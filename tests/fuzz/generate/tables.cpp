#include "tests/fuzz/generate/tables.h"

#include <algorithm>
#include <utility>

#include "tests/fuzz/program/declared.h"

namespace tessera::fuzz {
namespace {

/// What a launch asks of one of its tables.
struct wish {
  std::int64_t rows = 0;
  std::int64_t lo = -4, hi = 64;  ///< Where rows may lie.
  bool disjoint = false;
};

wish wish_of(const reference& state, const launch_op& l, int table) {
  wish w;
  const kernel& k = l.definition;
  for (std::size_t p = 0; p < k.parameters.size(); ++p)
    for (const rule& r : k.parameters[p].rules)
      for (std::size_t a = 0; a < r.indices.size(); ++a) {
        if (r.indices[a].table != table) continue;
        w.rows = std::max(w.rows, rows_asked(k, {l.threads, l.block}, r.indices[a]).last + 1);
        w.disjoint = w.disjoint || (modifies(r.mode) && !combines(r.mode));
        if (l.arguments[p].slot < 0) continue;
        const plain_handle h = state.resolve(l.arguments[p]);
        const row_range reach = reach_of(k.parameters[p], h.part, h.array->shape, a);
        w.lo = std::max(w.lo, reach.first);
        w.hi = std::min(w.hi, reach.last + 1);
      }
  return w;
}

/// Rows behind each other, some of them empty, with gaps or without, sometimes in another order.
row_table disjoint_rows(random_source& random, const wish& w) {
  row_table t;
  const bool gaps = random.percent(40);
  std::int64_t at = std::min(w.lo < 0 && random.percent(60) ? 0 : w.lo, w.hi);
  for (std::int64_t r = 0; r < w.rows; ++r) {
    if (gaps && random.percent(30)) at = std::min(at + random.in(1, 3), w.hi);
    const std::int64_t even = std::max<std::int64_t>((w.hi - at) / (w.rows - r), 1);
    const std::int64_t length = random.percent(15) ? 0 : random.percent(50) ? even : random.in(0, 2 * even);
    t.lo.push_back(at);
    t.hi.push_back(at = std::min(at + length, w.hi));
  }
  if (!random.percent(40)) return t;
  for (std::size_t r = t.lo.size(); r > 1; --r) {
    const auto other = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(r) - 1));
    std::swap(t.lo[r - 1], t.lo[other]);
    std::swap(t.hi[r - 1], t.hi[other]);
  }
  return t;
}

/// Anything, with equal rows.
row_table any_rows(random_source& random, const wish& w) {
  row_table t;
  for (std::int64_t r = 0; r < w.rows; ++r) {
    const std::int64_t lo = random.in(w.lo, w.hi);
    const bool again = r > 0 && random.percent(10);
    t.lo.push_back(again ? t.lo.back() : lo);
    t.hi.push_back(again ? t.hi.back() : random.percent(15) ? lo : std::min(w.hi, lo + random.log_uniform(12)));
  }
  return t;
}

}  // namespace

void draw_tables(random_source& random, const reference& state, launch_op& l) {
  std::vector<row_table>& tables = l.definition.tables;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    wish w = wish_of(state, l, static_cast<int>(t));
    w.lo = std::min(w.lo, w.hi);
    if (random.percent(30)) w.rows += random.in(1, 3);
    tables[t] = w.disjoint || random.percent(40) ? disjoint_rows(random, w) : any_rows(random, w);
  }
}

}  // namespace tessera::fuzz
