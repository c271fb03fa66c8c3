#include "tessera/linop/step/prepare.h"

#include <algorithm>

#include "tessera/base/index.h"
#include "tessera/runtime/array_record.h"

namespace tessera::linop {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Calls `use` for all functions of variables that the step has, but those of the factors.
template <class Step, class Use>
void for_each_condition(Step& s, Use use) {
  for (auto& q : s.quotients) use(q.of);
  for (auto& g : s.guards) use(g.of);
}

template <class Step, class Use>
void for_each_index(Step& s, Use use) {
  for (auto& f : s.factors)
    for (auto& a : f.at) use(a);
}

void erase_variable(step& s, std::size_t variable) {
  const auto erase = [&](affine& a) {
    if (variable < a.factors.size()) a.factors.erase(a.factors.begin() + static_cast<std::ptrdiff_t>(variable));
  };
  for_each_condition(s, erase);
  for_each_index(s, erase);
}

extents without(const extents& shape, int axis) {
  extents made;
  std::vector<std::int64_t> kept(shape.begin(), shape.end());
  kept.erase(kept.begin() + axis);
  return extents(std::span<const std::int64_t>(kept));
}

/// The axis that is this variable and nothing else; -1: there is none, or the variable occurs elsewhere, too.
int own_axis(const factor& f, std::size_t variable, bool& occurs) {
  int found = -1;
  occurs = false;
  for (std::size_t k = 0; k < f.at.size(); ++k) {
    if (f.at[k].factor(variable) == 0) continue;
    if (occurs) return -1;
    occurs = true;
    const affine& a = f.at[k];
    const bool is_pure = a.offset == 0 && a.factor(variable) == 1 &&
                         std::count_if(a.factors.begin(), a.factors.end(), [](std::int64_t n) { return n != 0; }) == 1;
    if (is_pure) found = static_cast<int>(k);
  }
  return found;
}

std::int64_t extent_of(const step& s, std::size_t loop) {
  return loop < s.axes() ? s.shape[static_cast<int>(loop)] : s.sums[loop - s.axes()];
}

/// Whether loops `v` and `v + 1` can be one: where they occur they are whole axes beside each other.
bool can_join(const step& s, std::size_t v) {
  bool is_in_condition = false;
  for_each_condition(s, [&](const affine& a) { is_in_condition |= a.factor(v) != 0 || a.factor(v + 1) != 0; });
  if (is_in_condition) return false;
  if (v < s.axes() && !is_contiguous(s.result)) return false;
  for (const factor& f : s.factors) {
    bool occurs = false, next_occurs = false;
    const int axis = own_axis(f, v, occurs), next = own_axis(f, v + 1, next_occurs);
    if (!occurs && !next_occurs) continue;
    if (axis < 0 || next != axis + 1 || !is_contiguous(f.array)) return false;
    if (f.shape[axis] != extent_of(s, v) || f.shape[next] != extent_of(s, v + 1)) return false;
  }
  return true;
}

void join(step& s, std::size_t v) {
  for (factor& f : s.factors) {
    bool occurs = false;
    const int axis = own_axis(f, v, occurs);
    if (axis < 0) continue;
    f.shape[axis + 1] *= f.shape[axis];
    f.shape = without(f.shape, axis);
    f.at.erase(f.at.begin() + axis);
  }
  if (v < s.axes()) {
    const int axis = static_cast<int>(v);
    s.shape[axis + 1] *= s.shape[axis];
    s.shape = without(s.shape, axis);
  } else {
    s.sums[v + 1 - s.axes()] *= s.sums[v - s.axes()];
    s.sums.erase(s.sums.begin() + static_cast<std::ptrdiff_t>(v - s.axes()));
  }
  erase_variable(s, v);
}

void add_guards(step& s) {
  const std::vector<value_range> ranges = ranges_of(s);
  for (const factor& f : s.factors)
    for (std::size_t k = 0; k < f.at.size(); ++k) {
      const value_range r = range_of(f.at[k], ranges);
      if (r.lo < 0 || r.hi >= f.shape[static_cast<int>(k)]) s.guards.push_back({f.at[k], f.shape[static_cast<int>(k)]});
    }
}

/// A quotient of two values begins at 0: then it is a comparison instead of a division.
void shift_quotients(step& s) {
  const std::vector<value_range> ranges = ranges_of(s);
  for (std::size_t q = 0; q < s.quotients.size(); ++q) {
    const std::size_t variable = s.loops() + q;
    const value_range r = ranges[variable];
    if (r.hi - r.lo > 1 || r.lo == 0) continue;
    s.quotients[q].of.offset -= r.lo * s.quotients[q].divisor;
    const auto shift = [&](affine& a) { a.offset += a.factor(variable) * r.lo; };
    for (guard& g : s.guards) shift(g.of);
    for_each_index(s, shift);
  }
}

/// Axes of the result that have one element; factors keep theirs, at index 0.
void drop_single_axes(step& s) {
  if (!is_contiguous(s.result)) return;
  for (std::size_t v = s.axes(); v-- > 0;)
    if (s.shape[static_cast<int>(v)] == 1 && s.axes() > 1) {
      s.shape = without(s.shape, static_cast<int>(v));
      erase_variable(s, v);
    }
}

void drop_single_sums(step& s) {
  for (std::size_t k = s.sums.size(); k-- > 0;)
    if (s.sums[k] == 1) {
      erase_variable(s, s.axes() + k);
      s.sums.erase(s.sums.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

}  // namespace

value_range range_of(const affine& a, const std::vector<value_range>& variables) {
  value_range made{a.offset, a.offset};
  for (std::size_t v = 0; v < a.factors.size(); ++v) {
    const std::int64_t n = a.factors[v];
    made.lo += n * (n >= 0 ? variables[v].lo : variables[v].hi);
    made.hi += n * (n >= 0 ? variables[v].hi : variables[v].lo);
  }
  return made;
}

std::vector<value_range> ranges_of(const step& s) {
  std::vector<value_range> made;
  for (std::size_t v = 0; v < s.loops(); ++v) made.push_back({0, std::max<std::int64_t>(extent_of(s, v) - 1, 0)});
  for (const quotient& q : s.quotients) {
    const value_range r = range_of(q.of, made);
    made.push_back({floor_divide(r.lo, q.divisor), floor_divide(r.hi, q.divisor)});
  }
  return made;
}

bool is_contiguous(const array_base& a) {
  bool is_partial = false;  // an axis further in has elements beside the box
  for (int k = a.bounds().rank() - 1; k >= 0; --k) {
    if (is_partial && a.bounds().extent(k) > 1) return false;
    is_partial = is_partial || a.bounds().extent(k) != a.record()->plan_shape[k];
  }
  return true;
}

std::vector<std::int64_t> strides_of(const array_base& a, const extents& seen_as) {
  const extents memory = is_contiguous(a) ? seen_as : a.record()->plan_shape;
  std::vector<std::int64_t> strides(index(seen_as.rank()), 1);
  for (int k = seen_as.rank() - 2; k >= 0; --k) strides[index(k)] = strides[index(k + 1)] * memory[k + 1];
  return strides;
}

step prepared(step s) {
  s.shape = s.result.shape();
  for (factor& f : s.factors) f.shape = f.array.shape();
  shift_quotients(s);
  add_guards(s);
  if (s.shape.rank() == 0) {  // arrays of rank 0 are planned as of one element
    s.shape = {1};
    const auto insert = [](affine& a) { a.factors.insert(a.factors.begin(), 0); };
    for_each_condition(s, insert);
    for_each_index(s, insert);
  }
  for (factor& f : s.factors)
    if (f.shape.rank() == 0) {
      f.shape = {1};
      f.at = {affine{}};
    }
  drop_single_sums(s);
  drop_single_axes(s);
  for (std::size_t v = s.loops(); v-- > 1;)
    if (v != s.axes() && can_join(s, v - 1)) join(s, v - 1);
  return s;
}

}  // namespace tessera::linop
