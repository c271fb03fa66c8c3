#include "tessera/plan/access/index_spread.h"

#include <algorithm>
#include <tuple>

namespace tessera::plan {
namespace {

expression shifted(const expression& e, std::int64_t by) {
  return by == 0 ? e : expression::combine(expression::op::add, e, expression::constant(by));
}

}  // namespace

void index_spread::range::add(std::int64_t value, bool first) {
  lo = first ? value : std::min(lo, value);
  hi = first ? value : std::max(hi, value);
}

index_spread::index_spread(int axes, std::size_t names)
    : axes_(static_cast<std::size_t>(axes)), names_(names), values_(axes_), offsets_(axes_ * names) {}

void index_spread::add(const extents& at, std::span<const interval> values) {
  for (std::size_t a = 0; a < axes_; ++a) {
    const std::int64_t x = at[static_cast<int>(a)];
    values_[a].add(x, samples_ == 0);
    for (std::size_t n = 0; n < names_; ++n) {
      range& r = offsets_[a * names_ + n];
      if (n >= values.size() || values[n].empty())
        r.known = false;
      else
        r.add(x - values[n].lo, samples_ == 0);
    }
  }
  ++samples_;
}

void index_spread::join(const index_spread& other) {
  if (other.empty()) return;
  const auto merge = [&](std::vector<range>& own, const std::vector<range>& theirs) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i].add(theirs[i].lo, samples_ == 0);
      own[i].add(theirs[i].hi, false);
      own[i].known = own[i].known && theirs[i].known;
    }
  };
  merge(values_, other.values_);
  merge(offsets_, other.offsets_);
  samples_ += other.samples_;
}

const index_spread::range* index_spread::best_name(std::size_t axis, std::uint32_t preferred) const {
  const range* best = nullptr;
  const auto rank = [&](const range& r) {
    const auto n = static_cast<std::size_t>(&r - &offsets_[axis * names_]);
    return std::tuple((preferred >> n & 1) == 0, r.hi - r.lo, std::max(-r.lo, r.hi));
  };
  for (std::size_t n = 0; n < names_; ++n) {
    const range& r = offsets_[axis * names_ + n];
    if (!r.known || r.lo < -most_offset || r.hi > most_offset) continue;
    if (best == nullptr || rank(r) < rank(*best)) best = &r;
  }
  return best;
}

index_range index_spread::index_of(std::size_t axis, std::uint32_t preferred) const {
  index_range result;
  expression base = expression::constant(0);
  const range* found = best_name(axis, preferred);
  if (found != nullptr)
    base = expression::name(static_cast<int>(found - &offsets_[axis * names_]));
  else if (values_[axis].hi - values_[axis].lo <= most_offset)
    found = &values_[axis];
  if (found == nullptr) return result;
  result.first = shifted(base, found->lo);
  result.last = shifted(base, found->hi);
  return result;
}

std::vector<index_range> index_spread::indices(std::span<const std::uint32_t> preferred) const {
  std::vector<index_range> result;
  for (std::size_t a = 0; a < axes_; ++a) result.push_back(index_of(a, a < preferred.size() ? preferred[a] : 0));
  const bool whole = std::all_of(result.begin(), result.end(), [](const index_range& r) { return !r.first; });
  if (whole || empty()) result.clear();
  return result;
}

}  // namespace tessera::plan
