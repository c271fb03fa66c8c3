#include "tessera/plan/combine/reduced_elements.h"

#include <algorithm>
#include <map>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/plan/access/view_boxes.h"

namespace tessera::plan {
namespace {

constexpr std::int64_t most_runs_visited = std::int64_t{1} << 22;
constexpr std::size_t most_open_runs = 1 << 16;  // Those of one thread may be joined by those of another.
constexpr std::size_t most_runs = 1 << 12;

/// A growing set of elements, as runs of neighbours in row-major order.
class element_runs {
 public:
  explicit element_runs(const extents& shape) : shape_(shape), stride_(extents::uniform(shape.rank(), 1)) {
    for (int a = shape.rank() - 2; a >= 0; --a) stride_[a] = stride_[a + 1] * shape[a + 1];
  }

  void add(const box& b) {
    const int last = b.rank() - 1;
    if (last < 0) return add(0, 1);
    box rows = b;
    rows.hi[last] = rows.lo[last] + 1;
    for (extents row = rows.lo;;) {
      std::int64_t first = 0;
      for (int a = 0; a <= last; ++a) first += row[a] * stride_[a];
      add(first, first + b.extent(last));
      int axis = last - 1;
      while (axis >= 0 && ++row[axis] == rows.hi[axis]) row[axis] = rows.lo[axis], --axis;
      if (axis < 0) return;
    }
  }

  [[nodiscard]] std::int64_t volume() const { return volume_; }
  [[nodiscard]] std::int64_t visited() const { return visited_; }
  [[nodiscard]] std::size_t size() const { return runs_.size(); }

  void append(std::vector<box>& out) const {
    const storage_view flat{extents{stride_.rank() == 0 ? 1 : stride_[0] * shape_[0]}, 0};
    for (const auto& [lo, hi] : runs_) append_view_boxes(flat, box({lo}, {hi}), shape_, out);
  }

 private:
  void add(std::int64_t lo, std::int64_t hi) {
    ++visited_;
    auto next = runs_.upper_bound(lo);
    if (next != runs_.begin() && std::prev(next)->second >= lo) --next;
    while (next != runs_.end() && next->first <= hi) {
      if (next->first <= lo && next->second >= hi) return;
      lo = std::min(lo, next->first);
      hi = std::max(hi, next->second);
      volume_ -= next->second - next->first;
      next = runs_.erase(next);
    }
    runs_.emplace_hint(next, lo, hi);
    volume_ += hi - lo;
  }

  extents shape_;
  extents stride_;
  std::map<std::int64_t, std::int64_t> runs_;  // begin and end; not touching
  std::int64_t volume_ = 0;
  std::int64_t visited_ = 0;
};

/// What one rule declares of one slice, thread by thread.
class rule_elements {
 public:
  rule_elements(const launch_shape& shape, const slot_use& use, const access_rule& rule)
      : shape_(shape),
        use_(use),
        rule_(rule),
        names_(shape.accesses->names),
        part_(box::whole(shape.space.granules())) {
    size_ = use.slice.hi;
    for (int k = 0; k < size_.rank(); ++k) size_[k] -= use.slice.lo[k];
    intervals_ = name_intervals(names_, shape.space, part_, padding::include);
    find_axes();
  }

  /// Appends them in the coordinates of the slice.
  void append(std::vector<box>& out) {
    const std::size_t first = out.size();
    if (evaluate(rule_, intervals_, size_, out) && is_dense(rule_, names_)) return;
    const region hull(std::vector<box>(out.begin() + static_cast<std::ptrdiff_t>(first), out.end()));
    if (hull.empty()) return;
    element_runs found(size_);
    const bool complete = visit(found, hull.volume());
    if (found.size() > most_runs) refuse();
    if (!complete || found.volume() == hull.volume()) return;
    out.resize(first);
    found.append(out);
  }

 private:
  struct threads {
    std::int64_t end = 1;
    std::int64_t step = 1;
  };

  [[noreturn]] void refuse() const {
    throw argument_error(cat("launch of '", shape_.name, "': '", shape_.slots[index(use_.slot)].name,
                             "' is reduced into more than ", most_runs,
                             " separate pieces; declare what lies between them as well, or use `atomic`"));
  }

  /// Adds what the threads declare, in their order, until all of `hull` is there. False if they are too many.
  bool visit(element_runs& found, std::int64_t hull) {
    const int axes = shape_.space.size.rank();
    extents point = extents::uniform(axes, 0);
    access_rule rule = rule_;
    while (true) {
      place(point);
      add_thread(rule, 0, found);
      if (found.volume() == hull) return true;
      if (found.size() > most_open_runs) refuse();
      ++visited_;
      if (too_many(found)) return false;
      int axis = 0;
      while (axis < axes && (point[axis] += axes_[index(axis)].step) >= axes_[index(axis)].end) point[axis++] = 0;
      if (axis == axes) return true;
    }
  }

  [[nodiscard]] bool too_many(const element_runs& found) const {
    return found.size() > most_open_runs || found.visited() + visited_ > most_runs_visited;
  }

  /// Adds what the thread declares that the names stand for now. Slices with a step, from `axis` on, are taken element
  /// by element; `rule` is changed meanwhile.
  void add_thread(access_rule& rule, std::size_t axis, element_runs& found) {
    while (axis < rule.indices.size() && rule.indices[axis].step == 1) ++axis;
    if (axis == rule.indices.size()) {
      boxes_.clear();
      evaluate(rule, intervals_, size_, boxes_);
      for (const box& b : boxes_) found.add(b);
      return;
    }
    const index_range range = rule.indices[axis];
    const std::int64_t extent = (rule.view ? rule.view->shape : size_)[static_cast<int>(axis)];
    const interval first = range.first ? range.first->evaluate(intervals_) : interval{0, 0};
    const interval last = range.last ? range.last->evaluate(intervals_) : interval{extent - 1, extent - 1};
    if (first.empty() || last.empty()) return;
    const std::int64_t beyond = first.lo < 0 ? first.lo % range.step : 0;
    const std::int64_t start = first.lo >= 0 ? first.lo : beyond == 0 ? 0 : beyond + range.step;
    const std::int64_t end = std::min(last.hi, extent - 1);
    for (std::int64_t x = start; x <= end && !too_many(found); x += range.step) {
      rule.indices[axis] = {expression::constant(x), expression::constant(x), 1};
      add_thread(rule, axis + 1, found);
      if (end - x < range.step) break;
    }
    rule.indices[axis] = range;
  }

  [[nodiscard]] std::int64_t block_size(int axis) const {
    return axis < shape_.space.granule.rank() ? shape_.space.granule[axis] : 1;
  }

  /// Finds which threads along each axis, padding included, the rule tells apart.
  void find_axes() {
    std::uint32_t used = 0;
    for (const index_range& range : rule_.indices)
      used |= (range.first ? range.first->names_used() : 0) | (range.last ? range.last->names_used() : 0);
    axes_.assign(index(shape_.space.size.rank()), {});
    for (std::size_t n = 0; n < names_.size(); ++n) {
      const int axis = names_[n].axis;
      if ((used >> n & 1) == 0 || axis >= shape_.space.size.rank()) continue;
      threads& t = axes_[index(axis)];
      const std::int64_t block = block_size(axis);
      const bool within = names_[n].from != bound_name::kind::block;
      const bool across = names_[n].from != bound_name::kind::local;
      t.step = within ? 1 : std::min(t.end == 1 ? block : t.step, block);
      t.end = std::max(t.end, across ? part_.hi[axis] * block : block);
    }
  }

  /// Gives all names the value they have for one thread.
  void place(const extents& point) {
    for (std::size_t n = 0; n < names_.size(); ++n) {
      const int axis = names_[n].axis;
      const std::int64_t x = axis < point.rank() ? point[axis] : 0;
      const std::int64_t block = block_size(axis);
      const std::int64_t value = names_[n].from == bound_name::kind::global  ? x
                                 : names_[n].from == bound_name::kind::block ? x / block
                                                                             : x % block;
      const bool clipped = names_[n].below && value >= *names_[n].below;
      intervals_[n] = clipped ? interval{} : interval{value, value};
    }
  }

  const launch_shape& shape_;
  const slot_use& use_;
  const access_rule& rule_;
  std::span<const bound_name> names_;
  box part_;
  extents size_;
  std::vector<interval> intervals_;
  std::vector<threads> axes_;
  std::vector<box> boxes_;  // kept for its storage
  std::int64_t visited_ = 0;
};

}  // namespace

region reduced_elements(const launch_shape& shape, int slot) {
  std::vector<box> all;
  for (const slot_use& use : shape.uses) {
    if (use.slot != slot) continue;
    const std::size_t first = all.size();
    for (const access_rule& rule : shape.accesses->rules)
      if (rule.parameter == use.parameter && rule.mode == access_mode::reduce)
        rule_elements(shape, use, rule).append(all);
    for (std::size_t i = first; i < all.size(); ++i) all[i] = translate(all[i], use.slice.lo);
  }
  return region(std::move(all));
}

}  // namespace tessera::plan
