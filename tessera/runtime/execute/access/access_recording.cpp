#include "tessera/runtime/execute/access/access_recording.h"

#include <algorithm>
#include <cstring>

#include "tessera/base/index.h"

namespace tessera::runtime {
namespace {

using kind = device::memory_access::kind;

extents shortened(const std::array<std::int64_t, 3>& xyz, int rank) {
  extents e = extents::uniform(rank, 0);
  for (int k = 0; k < std::min(rank, 3); ++k) e[k] = xyz[index(k)];
  return e;
}

box hull_of(const std::vector<declared_part>& parts) {
  box all;
  for (const declared_part& p : parts) all = all.rank() == 0 ? p.bounds : hull(all, p.bounds);
  return all;
}

bool allows(const declared_part& part, kind action) {
  return plan::combines(part.mode) ||
         ((action == kind::write || plan::reads(part.mode)) && (action == kind::read || plan::writes(part.mode)));
}

}  // namespace

access_recording::access_recording(const recording_plan& with, void* const* parameters) : with_(with) {
  for (const checked_array& a : with_.arrays) {
    view& v = views_.emplace_back();
    v.first = v.begin = a.first;
    v.bytes = static_cast<std::uintptr_t>(a.elements() * a.element_bytes);
    if (a.is_private) std::memcpy(&v.first, parameters[a.uses.front().parameter], sizeof v.first);
    if (!with_.spreads) continue;
    const violation none = blank(views_.size() - 1, 0);
    spreads_.push_back({none.touched, none.touched});
  }
}

violation access_recording::blank(std::size_t array, std::size_t use) const {
  const checked_array& a = with_.arrays[array];
  const plan::storage_view* view = a.view_of(use);
  const plan::index_spread none(view != nullptr ? view->shape.rank() : a.shape.rank(),
                                with_.launch.accesses->names.size());
  violation v{.touched = none, .allowed = none};
  v.array = array;
  v.use = use;
  v.who = who_;
  return v;
}

void access_recording::run(const device::running_thread& who) noexcept {
  const bool same_block = who.block == who_.block && stamp_ > 1;
  who_ = who;
  values_stamp_ = 0;
  if (same_block && with_.by_blocks && who.thread) return;
  ++stamp_;
  const plan::access_pattern& pattern = *with_.launch.accesses;
  const plan::domain& space = with_.launch.space;
  const extents block = shortened(who.block, space.size.rank());
  if (who.thread && !with_.by_blocks) {
    plan::name_values(pattern.names, space, block, shortened(*who.thread, space.size.rank()), intervals_);
  } else {
    box blocks(block, block);
    for (int k = 0; k < blocks.rank(); ++k) blocks.hi[k] += k == 0 ? who.blocks : 1;
    plan::name_intervals(pattern.names, space, blocks, plan::padding::include, intervals_);
  }
  if (!same_block) find_private_memory();
}

/// A private result has memory for what its block declares.
void access_recording::find_private_memory() {
  const plan::domain& space = with_.launch.space;
  std::vector<plan::interval> names;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const checked_array& a = with_.arrays[i];
    if (!a.is_private) continue;
    const extents block = shortened(who_.block, space.size.rank());
    box one(block, block);
    for (int k = 0; k < one.rank(); ++k) one.hi[k] += k == 0 ? who_.blocks : 1;
    plan::name_intervals(with_.launch.accesses->names, space, one, plan::padding::include, names);
    std::vector<declared_part> parts;
    a.declare(names, parts);
    const box all = hull_of(parts);
    const auto offset_of_element = [&](const extents& x) {
      std::int64_t element = 0;
      for (int k = 0; k < x.rank(); ++k) element = element * a.shape[k] + x[k];
      return static_cast<std::uintptr_t>(element * a.element_bytes);
    };
    views_[i].bytes = 0;
    if (parts.empty() || all.empty()) continue;
    extents last = all.hi;
    for (int k = 0; k < last.rank(); ++k) --last[k];
    views_[i].begin = views_[i].first + offset_of_element(all.lo);
    views_[i].bytes =
        offset_of_element(last) - offset_of_element(all.lo) + static_cast<std::uintptr_t>(a.element_bytes);
  }
}

const std::vector<declared_part>& access_recording::declared(std::size_t array) {
  view& v = views_[array];
  if (v.stamp != stamp_) {
    v.declared.clear();
    with_.arrays[array].declare(intervals_, v.declared);
    v.stamp = stamp_;
  }
  return v.declared;
}

const std::vector<plan::interval>& access_recording::values() {
  if (values_stamp_ == stamp_) return values_;
  values_stamp_ = stamp_;
  values_.assign(with_.launch.accesses->names.size(), plan::interval{});  // texts without threads have none
  const int rank = with_.launch.space.size.rank();
  if (who_.thread)
    plan::name_values(with_.launch.accesses->names, with_.launch.space, shortened(who_.block, rank),
                      shortened(*who_.thread, rank), values_);
  return values_;
}

bool access_recording::touch(const device::memory_access& access) noexcept {
  const auto bytes = static_cast<std::uintptr_t>(access.bytes);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const std::size_t array = i == 0 ? last_ : i <= last_ ? i - 1 : i;
    const view& v = views_[array];
    if (access.address - v.begin >= v.bytes) continue;
    last_ = array;
    const std::uintptr_t offset = access.address - v.first;
    const std::uintptr_t end = std::min(offset + bytes, v.begin - v.first + v.bytes);
    const auto size = static_cast<std::uintptr_t>(with_.arrays[array].element_bytes);
    for (std::uintptr_t e = offset / size; e * size < end; ++e) check(array, static_cast<std::int64_t>(e), access);
    return end == offset + bytes;
  }
  return views_.empty();
}

void access_recording::check(std::size_t array, std::int64_t element, const device::memory_access& access) {
  const checked_array& a = with_.arrays[array];
  const extents at = a.coordinates(element);
  const std::vector<declared_part>& parts = declared(array);
  const bool is_read = access.action != kind::write, is_write = access.action != kind::read;
  bool readable = false, writable = false;
  for (const declared_part& p : parts) {
    if ((readable || !allows(p, kind::read)) && (writable || !allows(p, kind::write))) continue;
    if (!p.contains(at)) continue;
    readable = readable || allows(p, kind::read);
    writable = writable || allows(p, kind::write);
  }
  if (is_read && !readable && writable) {
    if (!a.marks || !a.marks->has(element, element_mark::written))
      note(array, at, violation::reason::unwritten, access, kind::read);
  } else if ((is_read && !readable) || (is_write && !writable)) {
    note(array, at, violation::reason::undeclared, access, access.action);
  }
  if (a.marks && is_write) a.marks->set(element, element_mark::written);
  if (!a.used) return;
  if (is_read) a.used->set(element, element_mark::read);
  if (is_write) a.used->set(element, element_mark::written);
  note_spread(array, at, access.action);
}

void access_recording::note_spread(std::size_t array, const extents& at, kind action) {
  const std::optional<extents> x = with_.arrays[array].in_rules_of(0, at);
  if (!x) return;
  if (action != kind::write) spreads_[array].read.add(*x, values());
  if (action != kind::read) spreads_[array].written.add(*x, values());
}

violation& access_recording::entry(violation candidate, const device::memory_access& access) {
  for (violation& v : violations_)
    if (v.is_like(candidate)) return v;
  candidate.line = device::source_line(access.instruction);
  return violations_.emplace_back(std::move(candidate));
}

void access_recording::note(std::size_t array, const extents& at, violation::reason why,
                            const device::memory_access& access, kind action) {
  const checked_array& a = with_.arrays[array];
  violation candidate = blank(array, a.use_of(at));
  candidate.why = why;
  candidate.action = action;
  const std::optional<extents> x = a.in_rules_of(candidate.use, at);
  candidate.at = x.value_or(at);
  for (const declared_part& p : declared(array))
    candidate.declared_otherwise = candidate.declared_otherwise || p.contains(at);
  violation& v = entry(std::move(candidate), access);
  if (!x || !who_.thread) return;
  v.touched.add(*x, values());
  for (const declared_part& p : declared(array)) {
    if (with_.by_blocks || p.use != v.use || (why != violation::reason::unwritten && !allows(p, action))) continue;
    extents last = p.bounds.hi;
    for (int k = 0; k < last.rank(); ++k) --last[k];
    for (const extents& corner : {p.bounds.lo, last})
      if (const std::optional<extents> c = a.in_rules_of(v.use, corner)) v.allowed.add(*c, values());
  }
}

void access_recording::touch_outside(const device::memory_access& access) noexcept {
  constexpr std::uintptr_t near = 1 << 20;  // farther away lies memory that nothing is known of
  std::uintptr_t best = near;
  violation candidate = blank(0, 0);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const view& v = views_[i];
    const bool before = access.address < v.begin;
    const std::uintptr_t end = v.begin + v.bytes;  // an access may begin inside
    const std::uintptr_t distance = before ? v.begin - access.address : std::max(access.address, end) - end;
    if (v.bytes == 0 || distance >= best) continue;
    best = distance;
    candidate = blank(i, 0);
    candidate.distance = before ? -static_cast<std::int64_t>(distance) : static_cast<std::int64_t>(distance);
  }
  if (best == near) return;
  candidate.why = violation::reason::outside;
  candidate.action = access.action;
  entry(std::move(candidate), access);
}

}  // namespace tessera::runtime
