#include "tessera/algo/exec/emit/emit_parts.h"

#include <algorithm>

#include "tessera/algo/container/storage.h"
#include "tessera/base/checked.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

using place = call_argument::place;

/// The first argument of which a chunk reads its own elements; null if there is none.
const call_argument* spread_elements(const call& bound) {
  for (const bound_argument& a : bound.arguments)
    if (a.as == bound_argument::kind::element || is_elsewhere(a))
      if (a.given->as == call_argument::kind::elements) return a.given;
  return nullptr;
}

/// Elements lo <= i < hi of the container as elements of the sequence.
slab in_sequence(const call_argument& a, const slab& part, std::int64_t size) {
  const std::int64_t offset = a.at == place::own ? 0 : a.offset;
  const slab moved = a.at == place::backward ? slab{offset - part.hi + 1, offset - part.lo + 1, part.device}
                                             : slab{part.lo - offset, part.hi - offset, part.device};
  return {std::clamp<std::int64_t>(moved.lo, 0, size), std::clamp<std::int64_t>(moved.hi, 0, size), moved.device};
}

/// The parts of a box as ranges of its elements, counted row by row; nothing if they are none.
std::vector<slab> ranges_of(const operand& elements) {
  const extents shape = elements.shape();
  std::int64_t row = 1;
  for (int k = 1; k < shape.rank(); ++k) row *= shape[k];
  std::vector<slab> ranges;
  for (const plan::placed_box& p : elements.elements->layout()) {
    const box own = intersect(p.bounds, elements.part);
    if (own.empty()) continue;
    for (int k = 1; k < shape.rank(); ++k)
      if (own.lo[k] != elements.part.lo[k] || own.hi[k] != elements.part.hi[k]) return {};
    const std::int64_t begin = elements.part.lo[0];
    ranges.push_back({(own.lo[0] - begin) * row, (own.hi[0] - begin) * row, p.device});
  }
  return ranges;
}

std::vector<slab> parts_at_home(const call& bound, std::int64_t size) {
  const call_argument* const leading = spread_elements(bound);
  if (leading == nullptr) return {};
  std::vector<slab> ranges;
  for (const slab& own : ranges_of(leading->elements)) {
    const slab moved = in_sequence(*leading, own, size);
    if (moved.lo < moved.hi) ranges.push_back(moved);
  }
  std::sort(ranges.begin(), ranges.end(), [](const slab& a, const slab& b) { return a.lo < b.lo; });
  std::vector<slab> parts;
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const bool is_last = k + 1 == ranges.size();
    const std::int64_t end = is_last ? ceil_div(size, emit_chunk) : (ranges[k + 1].lo + emit_chunk / 2) / emit_chunk;
    if (end <= begin) continue;
    if (!parts.empty() && parts.back().device == ranges[k].device)
      parts.back().hi = end;
    else
      parts.push_back({begin, end, ranges[k].device});
    begin = end;
  }
  return parts;
}

}  // namespace

bool has_one_device(const context& ctx) { return ctx.engine()->machine().device_count() == 1; }

std::vector<slab> chunk_parts(const call& bound, std::int64_t size, const device_choice& where, const context& ctx) {
  const std::int64_t chunks = ceil_div(size, emit_chunk);
  if (chunks == 0 || has_one_device(ctx)) return {};
  if (!where.is_open()) {
    const plan::split_spec spec = where.split_for({chunks}, {1}).spec();
    if (spec.form == plan::split_spec::kind::on_device) return {{0, chunks, spec.device}};
    return spec.form == plan::split_spec::kind::slabs ? spec.slabs : std::vector<slab>();
  }
  if (const std::optional<int> device = device_scope::current()) return {{0, chunks, *device}};
  return parts_at_home(bound, size);
}

split split_of_chunks(std::vector<slab> parts, std::int64_t threads) {
  if (parts.empty()) return {};
  for (slab& part : parts) part.lo *= threads, part.hi *= threads;
  return tessera::parts(std::move(parts));
}

plan::layout layout_of(const std::vector<slab>& parts) {
  plan::layout home;
  home.form = plan::layout::kind::listed;
  for (const slab& part : parts)
    if (part.lo < part.hi) home.parts.push_back({box({part.lo}, {part.hi}), part.device, std::ssize(home.parts)});
  return home;
}

plan::layout layout_of(std::vector<slab> parts, const std::vector<std::int64_t>& offsets) {
  for (slab& part : parts) {
    part.lo = offsets[static_cast<std::size_t>(part.lo)];
    part.hi = offsets[static_cast<std::size_t>(part.hi)];
  }
  return layout_of(parts);
}

}  // namespace tessera::algo
