#include "tessera/algo/container/coherence/window.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"

namespace tessera::algo {
namespace {

/// Elements of a portion of `bytes`: whole rows, where these are no longer than a portion.
std::int64_t elements_of_portion(const extents& shape, std::int64_t capacity, std::int64_t element,
                                 std::int64_t bytes) {
  constexpr std::int64_t least_portions = 64;
  if (capacity * element / least_portions < bytes) return std::max<std::int64_t>(capacity, 1);
  std::int64_t row = 1;
  for (int k = shape.rank() - 1; k > 0 && row * shape[k] * element <= bytes; --k) row *= shape[k];
  return std::max<std::int64_t>(bytes / (row * element), 1) * row;
}

/// Touching ranges as one.
std::vector<linear_range> joined(const std::vector<linear_range>& ranges) {
  std::vector<linear_range> result;
  for (const linear_range& r : ranges) {
    if (r.empty()) continue;
    if (!result.empty() && result.back().hi == r.lo)
      result.back().hi = r.hi;
    else
      result.push_back(r);
  }
  return result;
}

std::vector<std::pair<std::int64_t, std::int64_t>> slice_of(const box& b) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (int k = 0; k < b.rank(); ++k) ranges.emplace_back(b.lo[k], b.hi[k]);
  return ranges;
}

std::shared_ptr<std::byte> plain_memory(std::int64_t bytes) {
  constexpr std::size_t alignment = 256;
  const std::size_t whole = (static_cast<std::size_t>(bytes) + alignment - 1) / alignment * alignment;
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(alignment, whole));
  if (memory == nullptr) throw out_of_memory(cat("there is no host memory for a window of ", bytes, " bytes"));
  return {memory, [](std::byte* p) { std::free(p); }};  // NOLINT: of aligned_alloc
}

bool has_gpu(const context& ctx) {
  const auto kinds = ctx.machine().devices;
  return std::any_of(kinds.begin(), kinds.end(), [](const auto& d) { return d.kind != "cpu"; });
}

}  // namespace

void window::reset(const container_options& options, const extents& shape, std::int64_t capacity,
                   std::uint32_t element) {
  settle({0, capacity_});
  options_ = options;
  shape_ = shape;
  size_ = box::whole(shape).volume();
  capacity_ = capacity;
  element_ = element;
  locked_ = {};
  plain_ = nullptr;
  data_ = nullptr;
  portion_ = elements_of_portion(shape, capacity, element_, options_.portion);
  portions_.assign(static_cast<std::size_t>(ceil_div(size_, portion_)), {});
}

void window::set_shape(const extents& shape) {
  shape_ = shape;
  size_ = box::whole(shape).volume();
  portions_.resize(static_cast<std::size_t>(ceil_div(size_, portion_)));
  if (portions_.empty()) return;
  portion& last = portions_.back();
  last.valid = intersect(last.valid, {0, size_});
  last.changed = intersect(last.changed, {0, size_});
}

std::byte* window::memory() {
  if (data_ != nullptr || capacity_ == 0) return data_;
  const std::int64_t bytes = capacity_ * element_;
  if (!options_.pageable && has_gpu(*options_.ctx)) {
    locked_ = context(*options_.ctx).host_memory(bytes);
    data_ = locked_.bytes().data();
  } else {
    plain_ = plain_memory(bytes);
    data_ = plain_.get();
  }
  return data_;
}

void window::grow(std::int64_t capacity) {
  settle({0, capacity_});
  const window before = *this;
  reset(before.options_, before.shape_, capacity, static_cast<std::uint32_t>(element_));
  if (before.data_ == nullptr) return;
  memory();
  for (const portion& b : before.portions_) {
    if (b.valid.empty() || planted("window_not_grown")) continue;
    std::memcpy(bytes(b.valid).data(), before.bytes(b.valid).data(), bytes(b.valid).size());
    for (std::size_t k = portion_of(b.valid.lo); k <= portion_of(b.valid.hi - 1); ++k) {
      const linear_range part = intersect(b.valid, bounds(k));
      portions_[k].valid = portions_[k].valid.joins(part) ? hull(portions_[k].valid, part) : part;
    }
  }
}

linear_range window::bounds(std::size_t number) const {
  const std::int64_t lo = static_cast<std::int64_t>(number) * portion_;
  return {lo, std::min(lo + portion_, size_)};
}

bool window::holds_all() const { return holds({0, size_}); }

bool window::holds(const linear_range& range) const {
  if (range.empty()) return true;
  for (std::size_t k = portion_of(range.lo); k <= portion_of(range.hi - 1); ++k)
    if (!portions_[k].valid.contains(intersect(range, bounds(k)))) return false;
  return true;
}

bool window::changed_any() const {
  return std::any_of(portions_.begin(), portions_.end(), [](const portion& b) { return !b.changed.empty(); });
}

bool window::changed_all() const {
  for (std::size_t k = 0; k < portions_.size(); ++k)
    if (!portions_[k].changed.contains(bounds(k))) return false;
  return true;
}

std::span<std::byte> window::bytes(const linear_range& range) const {
  return {data_ + range.lo * element_, static_cast<std::size_t>(range.size() * element_)};
}

void window::put(const std::vector<linear_range>& ranges, const array_base& target, call_site here) {
  std::erase_if(leaving_, [](const leaving& l) { return l.bytes.done(); });
  for (const linear_range& range : joined(ranges)) {
    std::int64_t from = range.lo;
    for (const box& b : boxes_of(range, shape_)) {
      const linear_range part{from, from + b.volume()};
      leaving_.push_back({part, target.slice(slice_of(b)).write_bytes_async(bytes(part), here)});
      from = part.hi;
    }
  }
}

void window::get(const std::vector<linear_range>& ranges, const origin& from, call_site here) {
  std::vector<transfer> arriving;
  for (const linear_range& range : joined(ranges)) {
    settle(range);
    if (!from.fill.empty()) {
      for (std::int64_t x = range.lo; x < range.hi; ++x)
        std::memcpy(data_ + x * element_, from.fill.data(), from.fill.size());
      continue;
    }
    std::int64_t to = range.lo;
    for (const box& b : boxes_of(range, shape_)) {
      const linear_range part{to, to + b.volume()};
      arriving.push_back(from.array.slice(slice_of(b)).read_bytes_async(bytes(part), here));
      to = part.hi;
    }
  }
  for (transfer& t : arriving) t.wait();
}

std::vector<linear_range> window::open(const linear_range& range, const origin& from, call_site here) {
  memory();
  std::vector<linear_range> missing, first_leaving;
  for (std::size_t k = portion_of(range.lo); k <= portion_of(range.hi - 1); ++k) {
    portion& b = portions_[k];
    linear_range wanted = intersect(range, bounds(k));
    if (!b.valid.joins(wanted) && !from.fill.empty()) wanted = hull(wanted, b.valid);  // what is between costs nothing
    if (!b.valid.joins(wanted)) {
      first_leaving.push_back(b.changed);
      b = {};
    }
    const remainder_ranges rest = subtract(wanted, b.valid);
    missing.push_back(rest.before);
    missing.push_back(rest.behind);
  }
  if (!planted("block_not_sent")) put(first_leaving, from.array, here);
  return missing;
}

void window::fetch(const linear_range& range, const origin& from, call_site here) {
  if (range.empty() || holds(range)) return;
  const std::vector<linear_range> missing = open(range, from, here);
  get(missing, from, here);
  for (const linear_range& part : missing)
    if (!part.empty()) at(portion_of(part.lo)).valid = hull(at(portion_of(part.lo)).valid, part);
}

void window::overwrite(const linear_range& range, const origin& from, call_site here) {
  if (range.empty()) return;
  std::vector<linear_range> between;
  for (const linear_range& part : open(range, from, here)) {
    if (part.empty()) continue;
    portion& b = at(portion_of(part.lo));
    b.valid = hull(b.valid, part);
    const remainder_ranges rest = subtract(part, range);
    between.push_back(rest.before);
    between.push_back(rest.behind);
  }
  get(between, from, here);
  settle(range);
  for (std::size_t k = portion_of(range.lo); k <= portion_of(range.hi - 1); ++k)
    portions_[k].changed = hull(portions_[k].changed, intersect(range, bounds(k)));
}

bool window::send(const linear_range& range, bool is_overwritten, const array_base& target, call_site here) {
  if (range.empty()) return false;
  std::vector<linear_range> changed;
  for (std::size_t k = portion_of(range.lo); k <= portion_of(range.hi - 1); ++k) {
    portion& b = portions_[k];
    if (!b.changed.overlaps(range)) continue;
    const remainder_ranges rest = is_overwritten ? subtract(b.changed, range) : remainder_ranges{b.changed, {}};
    changed.push_back(rest.before);
    changed.push_back(rest.behind);
    b.changed = {};
  }
  put(changed, target, here);
  return !joined(changed).empty();
}

void window::forget(const linear_range& range) {
  if (range.empty()) return;
  for (std::size_t k = portion_of(range.lo); k <= portion_of(range.hi - 1); ++k) {
    portion& b = portions_[k];
    const remainder_ranges rest = subtract(b.valid, range);
    const bool before = b.changed.empty() ? rest.before.size() >= rest.behind.size() : rest.before.contains(b.changed);
    b.valid = before ? rest.before : rest.behind;
    if (b.valid.empty()) b.valid = {};
  }
}

void window::own_all() {
  for (std::size_t k = 0; k < portions_.size(); ++k) portions_[k] = {bounds(k), bounds(k)};
}

void window::settle(const linear_range& range) {
  for (leaving& l : leaving_)
    if (l.range.overlaps(range) && !planted("window_not_settled")) l.bytes.wait();
  std::erase_if(leaving_, [](const leaving& l) { return l.bytes.done(); });
}

}  // namespace tessera::algo
