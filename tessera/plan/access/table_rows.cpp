#include "tessera/plan/access/table_rows.h"

#include <algorithm>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/plan/access/view_boxes.h"

namespace tessera::plan {
namespace {

using row = intervals::row;

interval rows_asked(const index_range& range, std::span<const interval> names) {
  return range.first ? range.first->evaluate(names) : interval{0, 0};
}

/// Leaves `most` intervals: the narrowest gaps, of equal ones the first, are filled.
void fill_gaps(std::vector<row>& rows, std::size_t most) {
  std::vector<std::pair<std::int64_t, std::size_t>> gaps;
  gaps.reserve(rows.size());
  for (std::size_t k = 1; k < rows.size(); ++k) gaps.emplace_back(rows[k].lo - rows[k - 1].hi, k);
  const auto kept = gaps.begin() + static_cast<std::ptrdiff_t>(rows.size() - most);
  std::nth_element(gaps.begin(), kept, gaps.end());
  std::sort(kept, gaps.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<row> left{rows.front()};
  for (auto gap = kept; gap != gaps.end(); ++gap) {
    left.back().hi = rows[gap->second - 1].hi;
    left.push_back(rows[gap->second]);
  }
  left.back().hi = rows.back().hi;
  rows = std::move(left);
}

/// The intervals that a rule touches on each axis that has a table.
class row_lists {
 public:
  row_lists(const access_rule& rule, std::span<const interval> names, const box& around) {
    for (std::size_t a = 0; a < rule.indices.size() && a < index(around.rank()); ++a) {
      const index_range& range = rule.indices[a];
      if (!range.table) continue;
      const int axis = static_cast<int>(a);
      interval asked = rows_asked(range, names);
      if (planted("table_row_lost") && asked.lo < asked.hi) --asked.hi;
      list& made = lists_.emplace_back(list{axis, {}});
      if (!asked.empty())
        range.table->rows.append_union(asked.lo, asked.hi, {around.lo[axis], around.hi[axis]}, made.rows);
    }
  }

  [[nodiscard]] bool empty() const {
    return std::any_of(lists_.begin(), lists_.end(), [](const list& l) { return l.rows.empty(); });
  }

  /// Leaves at most `max_boxes_per_rule` combinations; false if that adds elements.
  bool limit() {
    std::size_t all = 1;
    for (const list& l : lists_) all = std::min(all * std::min(l.rows.size(), beyond), beyond);
    if (all <= max_boxes_per_rule) return true;
    std::size_t most = 1;
    while (power(most + 1) <= max_boxes_per_rule) ++most;
    for (list& l : lists_)
      if (l.rows.size() > most) fill_gaps(l.rows, most);
    return false;
  }

  /// Calls visit(box) for all combinations; the others' axes are those of `around`.
  template <class Visit>
  void for_each_box(box around, const Visit& visit, std::size_t from = 0) const {
    if (from == lists_.size()) return visit(around);
    for (const row& r : lists_[from].rows) {
      around.lo[lists_[from].axis] = r.lo;
      around.hi[lists_[from].axis] = r.hi;
      for_each_box(around, visit, from + 1);
    }
  }

 private:
  struct list {
    int axis = 0;
    std::vector<row> rows;
  };
  static constexpr std::size_t beyond = max_boxes_per_rule + 1;

  [[nodiscard]] std::size_t power(std::size_t base) const {
    std::size_t result = 1;
    for (std::size_t k = 0; k < lists_.size(); ++k) result = std::min(result * base, beyond);
    return result;
  }

  std::vector<list> lists_;
};

}  // namespace

interval bounds_of_rows(const index_range& range, std::span<const interval> names, std::int64_t extent) {
  const interval asked = rows_asked(range, names);
  if (asked.empty()) return {};
  const row all = range.table->rows.bounds(asked.lo, asked.hi);
  if (all.empty()) return {};
  return {std::max<std::int64_t>(all.lo, 0), std::min(all.hi, extent) - 1};
}

bool append_rows(const access_rule& rule, std::span<const interval> names, const box& around, const extents& shape,
                 std::vector<box>& out) {
  row_lists lists(rule, names, around);
  if (lists.empty()) return true;
  bool exact = lists.limit();
  const std::size_t first = out.size();
  lists.for_each_box(around, [&](const box& b) {
    if (!rule.view)
      out.push_back(b);
    else if (out.size() - first <= max_boxes_per_rule)
      exact = append_view_boxes(*rule.view, b, shape, out) && exact;
  });
  if (out.size() - first <= max_boxes_per_rule) return exact;
  out.resize(first);
  append_view_bounds(*rule.view, around, shape, out);
  return false;
}

}  // namespace tessera::plan
