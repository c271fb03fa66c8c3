#include "tessera/plan/coherence/reader_list.h"

#include <algorithm>

#include "tessera/base/defects.h"
#include "tessera/base/geometry/region.h"

namespace tessera::plan {
namespace {

constexpr std::size_t few = 16;    // a list so short is looked through
constexpr std::size_t many = 128;  // from here on no entry is cut into several

/// The axis along which the entries begin at most different places.
template <class Entries>
int spread_axis(const Entries& entries) {
  int best = 0;
  std::size_t most = 0;
  std::vector<std::int64_t> begins;
  for (int axis = 0; axis < entries.front().bounds.rank(); ++axis) {
    begins.clear();
    for (const auto& e : entries) begins.push_back(e.bounds.lo[axis]);
    std::sort(begins.begin(), begins.end());
    const auto different = static_cast<std::size_t>(std::unique(begins.begin(), begins.end()) - begins.begin());
    if (different > most) most = different, best = axis;
  }
  return best;
}

}  // namespace

void reader_list::add(const box& bounds, instruction_id reader, instruction_id ended) {
  if (planted("reader_ended_early") && reader.value > ended.value) ended.value += (reader.value - ended.value) / 2;
  if (entries_.size() <= few || entries_.size() >= full_) forget(ended);
  entries_.push_back({bounds, reader});
  sort_if_needed();
}

void reader_list::forget(instruction_id ended) {
  std::size_t kept = 0, kept_sorted = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].reader.value <= ended.value) continue;
    if (i < sorted_) ++kept_sorted;
    if (kept != i) entries_[kept] = entries_[i];
    ++kept;
  }
  entries_.resize(kept);
  sorted_ = kept_sorted;
  gone_ = 0;
  full_ = 2 * kept + few;
  met_ = 0;
}

void reader_list::sort_if_needed() {
  if (entries_.size() - sorted_ > few + sorted_ / 8) sort();
}

void reader_list::sort() {
  axis_ = spread_axis(entries_);
  std::sort(entries_.begin(), entries_.end(),
            [&](const entry& a, const entry& b) { return a.bounds.lo[axis_] < b.bounds.lo[axis_]; });
  std::int64_t reach = entries_.front().bounds.hi[axis_];
  for (entry& e : entries_) e.reach = reach = std::max(reach, e.bounds.hi[axis_]);
  sorted_ = entries_.size();
}

template <class F>
void reader_list::visit(const box& bounds, F f) const {
  const auto consider = [&](std::size_t i) {
    if (entries_[i].reader.value != 0 && entries_[i].bounds.overlaps(bounds)) f(i);
  };
  for (std::size_t i = sorted_; i < entries_.size(); ++i) consider(i);
  const auto behind = std::partition_point(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(sorted_),
                                           [&](const entry& e) { return e.bounds.lo[axis_] < bounds.hi[axis_]; });
  for (auto i = static_cast<std::size_t>(behind - entries_.begin()); i > 0; --i) {
    if (entries_[i - 1].reach <= bounds.lo[axis_]) break;
    consider(i - 1);
  }
}

void reader_list::append_readers(const box& bounds, std::vector<instruction_id>& out) const {
  visit(bounds, [&](std::size_t i) { out.push_back(entries_[i].reader); });
}

void reader_list::append_all(std::vector<instruction_id>& out) const {
  for (const entry& e : entries_) out.push_back(e.reader);
}

void reader_list::erase(const box& bounds, instruction_id ended) {
  std::vector<entry> rest;
  std::vector<box> left;
  visit(bounds, [&](std::size_t i) {
    left.clear();
    ++met_;
    subtract(entries_[i].bounds, bounds, left);
    if (left.size() > 1 && entries_.size() + rest.size() >= many) return;
    for (const box& b : left) rest.push_back({b, entries_[i].reader});
    entries_[i].reader = {};
    ++gone_;
  });
  const bool is_worn = entries_.size() > few && met_ >= entries_.size();
  if (is_worn) std::erase_if(rest, [&](const entry& e) { return e.reader.value <= ended.value; });
  if (2 * gone_ > entries_.size() || entries_.size() <= few || is_worn) forget(is_worn ? ended : instruction_id{});
  entries_.insert(entries_.end(), rest.begin(), rest.end());
  sort_if_needed();
}

void reader_list::clear() {
  entries_.clear();
  sorted_ = gone_ = 0;
}

}  // namespace tessera::plan
