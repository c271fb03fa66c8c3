#include "tessera/plan/access/access.h"

#include <algorithm>
#include <array>
#include <limits>

#include "tessera/base/checked.h"
#include "tessera/plan/access/table_rows.h"
#include "tessera/plan/access/view_boxes.h"

namespace tessera::plan {

namespace {

using op = expression::op;

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) return std::numeric_limits<std::int64_t>::max();
  return r;
}

/// The interval of a name that counts threads or blocks of the blocks lo <= x < hi. Axes that a launch does not have
/// hold one block of one thread.
interval unclipped(bound_name::kind from, int axis, const domain& d, const box& part, padding pad) {
  const bool present = axis < d.size.rank();
  const std::int64_t size = present ? d.size[axis] : 1;
  const std::int64_t granule = axis < d.granule.rank() ? d.granule[axis] : 1;
  const std::int64_t lo = axis < part.rank() ? part.lo[axis] : 0;
  const std::int64_t hi = axis < part.rank() ? part.hi[axis] : 1;
  if (lo >= hi || size <= 0) return {};
  if (from == bound_name::kind::block) return {lo, hi - 1};
  const std::int64_t begin = saturating_multiply(lo, granule);
  const std::int64_t end = saturating_multiply(hi, granule);
  if (from == bound_name::kind::local)
    return {0, (pad == padding::exclude ? std::min(granule, size - begin) : granule) - 1};
  return {begin, (pad == padding::exclude ? std::min(end, size) : end) - 1};
}

interval clipped(const bound_name& name, const interval& i) {
  if (!name.below || i.hi < *name.below) return i;
  return i.lo < *name.below ? interval{i.lo, *name.below - 1} : interval{};
}

/// The indices that lie in an axis of `extent` elements and are touched there.
interval touched(const index_range& range, std::span<const interval> names, std::int64_t extent) {
  if (range.table) return bounds_of_rows(range, names, extent);
  const interval first = range.first ? range.first->evaluate(names) : interval{0, 0};
  const interval last = range.last ? range.last->evaluate(names) : interval{extent - 1, extent - 1};
  if (first.empty() || last.empty()) return {};
  interval r{std::max<std::int64_t>(first.lo, 0), std::min(last.hi, extent - 1)};
  std::int64_t skipped = 0;
  if (range.step == 1 || first.lo != first.hi || r.empty() || __builtin_sub_overflow(r.lo, first.lo, &skipped))
    return r;
  const std::int64_t beyond = skipped % range.step;
  if (beyond != 0 && __builtin_add_overflow(r.lo, range.step - beyond, &r.lo)) return {};
  if (!r.empty()) r.hi -= (r.hi - r.lo) % range.step;
  return r;
}

/// What the rule indexes, in coordinates of its view if it has one; absent if that is empty.
std::optional<box> indexed_box(const access_rule& rule, std::span<const interval> names, const extents& shape) {
  if (rule.mode == access_mode::none) return std::nullopt;
  const extents& space = rule.view ? rule.view->shape : shape;
  box b = box::whole(space);
  const int indexed = std::min(space.rank(), static_cast<int>(rule.indices.size()));
  for (int a = 0; a < indexed; ++a) {
    const interval i = touched(rule.indices[static_cast<std::size_t>(a)], names, space[a]);
    if (i.empty()) return std::nullopt;
    b.lo[a] = i.lo;
    b.hi[a] = i.hi + 1;
  }
  return b.empty() ? std::nullopt : std::optional(b);
}

/// How an expression's value moves when one name moves by one.
struct motion {
  std::uint32_t names;
  std::int64_t jump;  ///< At most this far.
  bool steady;        ///< The bounds of interval arithmetic are attained: every name occurs once, no modulus but 1.
};
constexpr motion at_rest{.names = 0, .jump = 0, .steady = true};

motion combined(op code, const motion& a, const motion& b, std::int64_t constant) {
  motion r{a.names | b.names, std::max(a.jump, b.jump), a.steady && b.steady && (a.names & b.names) == 0};
  if (code == op::multiply) {
    r.steady = r.steady && b.names == 0 && constant > std::numeric_limits<std::int64_t>::min();
    r.jump = r.steady ? saturating_multiply(a.jump, constant < 0 ? -constant : constant) : 0;
  } else if (code == op::divide) {
    r.jump = ceil_div(a.jump, constant);
  } else if (code == op::modulo) {
    r.steady = r.steady && constant == 1;
    if (constant == 1) r.jump = 0;
  }
  return r;
}

motion motion_of(const expression& e) {
  std::array<motion, expression::max_depth> stack;  // left uninitialised
  stack[0] = at_rest;
  std::size_t top = 0;
  std::int64_t constant = 0;  // of the step before: the right side of `*` `/` `%` in normal form
  for (const auto& s : e.code()) {
    if (s.code == op::constant) {
      constant = s.value;
      stack[top++] = at_rest;
    } else if (s.code == op::name) {
      stack[top++] = {.names = std::uint32_t{1} << s.value, .jump = 1, .steady = true};
    } else {
      --top;
      stack[top - 1] = combined(s.code, stack[top - 1], stack[top], constant);
    }
  }
  return stack[0];
}

/// An expression as its variable part and the constant added last.
struct split_expression {
  std::span<const expression::step> variable;
  std::int64_t added = 0;
};

split_expression split(std::span<const expression::step> code) {
  if (code.size() >= 3 && code.back().code == op::add && code[code.size() - 2].code == op::constant)
    return {code.first(code.size() - 2), code[code.size() - 2].value};
  return {code, 0};
}

/// The expression without a constant limit: slices that end there hold all that lies before it, as they would without
/// it.
std::optional<split_expression> without_limit(const expression& e) {
  const split_expression limited = split(e.code());
  const std::size_t n = limited.variable.size();
  if (n < 3 || limited.variable[n - 1].code != op::minimum || limited.variable[n - 2].code != op::constant)
    return limited;
  split_expression free = split(limited.variable.first(n - 2));
  if (__builtin_add_overflow(free.added, limited.added, &free.added)) return std::nullopt;
  return free;
}

/// True if the union over all threads of first..last has no gap. Neighbouring threads move by at most `jump`, so
/// slices at least that long leave none; slices with one end fixed never do.
bool has_no_gap(const index_range& range) {
  const motion first = range.first ? motion_of(*range.first) : at_rest;
  const motion last = range.last ? motion_of(*range.last) : at_rest;
  if (range.step != 1 || !first.steady || !last.steady) return false;
  if (first.names == 0 || last.names == 0) return true;
  const auto a = split(range.first->code());
  const auto b = without_limit(*range.last);
  std::int64_t length = 0;
  if (!b || !std::ranges::equal(a.variable, b->variable)) return false;
  if (__builtin_sub_overflow(b->added, a.added, &length) || __builtin_add_overflow(length, 1, &length)) return false;
  return length >= std::max<std::int64_t>(first.jump, 1);
}

}  // namespace

bool index_range::operator==(const index_range& other) const {
  const bool same_table = table == other.table || (table && other.table && *table == *other.table);
  return first == other.first && last == other.last && step == other.step && same_table;
}

index_range rows_of_table(std::shared_ptr<const interval_table> table, const expression& row) {
  return {row, row, 1, std::move(table)};
}

bool uses_table(const access_rule& rule) {
  return std::any_of(rule.indices.begin(), rule.indices.end(), [](const index_range& i) { return i.table != nullptr; });
}

std::vector<std::shared_ptr<const interval_table>> tables_of(const access_pattern& pattern) {
  std::vector<std::shared_ptr<const interval_table>> tables;
  for (const access_rule& rule : pattern.rules)
    for (const index_range& i : rule.indices)
      if (i.table && std::none_of(tables.begin(), tables.end(), [&](const auto& t) { return *t == *i.table; }))
        tables.push_back(i.table);
  return tables;
}

extents domain::granules() const {
  extents n = size;
  for (int a = 0; a < size.rank(); ++a)
    n[a] = ceil_div(std::max<std::int64_t>(size[a], 0), a < granule.rank() ? granule[a] : 1);
  return n;
}

box domain::points(const box& granules) const {
  box points = granules;
  for (int k = 0; k < granules.rank(); ++k) {
    points.lo[k] = granules.lo[k] * granule[k];
    points.hi[k] = std::min(granules.hi[k] * granule[k], size[k]);
  }
  return points;
}

std::vector<interval> name_intervals(std::span<const bound_name> names, const domain& d, const box& part, padding pad) {
  std::vector<interval> out;
  name_intervals(names, d, part, pad, out);
  return out;
}

void name_intervals(std::span<const bound_name> names, const domain& d, const box& part, padding pad,
                    std::vector<interval>& out) {
  out.resize(names.size());
  for (std::size_t n = 0; n < names.size(); ++n)
    out[n] = clipped(names[n], unclipped(names[n].from, names[n].axis, d, part, pad));
}

void name_values(std::span<const bound_name> names, const domain& d, const extents& block, const extents& thread,
                 std::vector<interval>& out) {
  out.resize(names.size());
  for (std::size_t n = 0; n < names.size(); ++n) {
    const int axis = names[n].axis;
    const std::int64_t b = axis < block.rank() ? block[axis] : 0;
    const std::int64_t t = axis < thread.rank() ? thread[axis] : 0;
    const std::int64_t granule = axis < d.granule.rank() ? d.granule[axis] : 1;
    const std::int64_t value = names[n].from == bound_name::kind::block   ? b
                               : names[n].from == bound_name::kind::local ? t
                                                                          : b * granule + t;
    out[n] = clipped(names[n], {value, value});
  }
}

bool evaluate(const access_rule& rule, std::span<const interval> names, const extents& shape, std::vector<box>& out) {
  const std::optional<box> b = indexed_box(rule, names, shape);
  if (!b) return true;
  if (uses_table(rule)) return append_rows(rule, names, *b, shape, out);
  if (rule.view) return append_view_boxes(*rule.view, *b, shape, out);
  out.push_back(*b);
  return true;
}

void evaluate_bounds(const access_rule& rule, std::span<const interval> names, const extents& shape,
                     std::vector<box>& out) {
  const std::optional<box> b = indexed_box(rule, names, shape);
  if (!b) return;
  if (rule.view) return append_view_bounds(*rule.view, *b, shape, out);
  out.push_back(*b);
}

bool is_dense(const access_rule& rule) {
  std::uint32_t seen = 0;
  for (const index_range& range : rule.indices) {
    const std::uint32_t used =
        (range.first ? range.first->names_used() : 0) | (range.last ? range.last->names_used() : 0);
    if ((seen & used) != 0 || !has_no_gap(range)) return false;
    seen |= used;
  }
  return true;
}

bool is_dense(const access_rule& rule, std::span<const bound_name> names) {
  std::uint32_t used = 0;
  for (const index_range& range : rule.indices)
    used |= (range.first ? range.first->names_used() : 0) | (range.last ? range.last->names_used() : 0);
  std::uint32_t axes = 0;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if ((used >> n & 1) == 0) continue;
    const std::uint32_t axis = std::uint32_t{1} << names[n].axis;
    if ((axes & axis) != 0) return false;
    axes |= axis;
  }
  return is_dense(rule);
}

}  // namespace tessera::plan
