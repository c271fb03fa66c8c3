#include "tessera/algo/exec/routes/parts.h"

#include <algorithm>
#include <map>

#include "tessera/algo/container/storage.h"
#include "tessera/base/checked.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

/// Neighbours on one device are one part.
std::vector<device_part> joined(const std::vector<device_part>& parts) {
  std::vector<device_part> made;
  for (const device_part& p : parts)
    if (!made.empty() && made.back().device == p.device)
      made.back().hi = p.hi;
    else
      made.push_back(p);
  return made;
}

bool cover(const std::vector<device_part>& parts, std::int64_t size) {
  std::int64_t end = 0;
  for (const device_part& p : parts) {
    if (p.lo != end) return false;
    end = p.hi;
  }
  return end == size;
}

std::map<int, std::int64_t> elements_by_device(const std::vector<device_part>& parts) {
  std::map<int, std::int64_t> sums;
  for (const device_part& p : parts) sums[p.device] += p.size();
  return sums;
}

}  // namespace

std::int64_t memory_of_devices(const context& ctx) { return ctx.engine()->machine().least().memory; }

std::vector<device_part> even_parts(std::int64_t size, const context& ctx) {
  const std::vector<int>& devices = ctx.engine()->machine().automatic_devices();
  std::vector<device_part> parts;
  const std::int64_t each = ceil_div(size, std::ssize(devices));
  for (std::int64_t lo = 0; lo < size; lo += each)
    parts.push_back({lo, std::min(lo + each, size), devices[static_cast<std::size_t>(lo / each)]});
  return parts;
}

std::vector<device_part> parts_of(const operand& range) {
  const std::int64_t size = range.size();
  if (size == 0) return {};
  const plan::machine_table& machine = range.elements->ctx().engine()->machine();
  std::vector<device_part> parts;
  if (range.shape().rank() == 1)
    for (const plan::placed_box& p : range.elements->layout()) {
      const box own = intersect(p.bounds, range.part);
      if (!own.empty()) parts.push_back({own.lo[0] - range.part.lo[0], own.hi[0] - range.part.lo[0], p.device});
    }
  std::sort(parts.begin(), parts.end(), [](const device_part& a, const device_part& b) { return a.lo < b.lo; });
  parts = joined(parts);
  const bool is_usable = cover(parts, size) && std::ssize(parts) <= 8 * std::int64_t{machine.device_count()};
  return is_usable ? parts : even_parts(size, range.elements->ctx());
}

std::vector<device_part> in_pieces(const std::vector<device_part>& parts, std::int64_t size) {
  std::vector<device_part> pieces;
  for (const device_part& p : parts) {
    const std::int64_t each = ceil_div(p.size(), ceil_div(p.size(), size));
    for (std::int64_t lo = p.lo; lo < p.hi; lo += each) pieces.push_back({lo, std::min(lo + each, p.hi), p.device});
  }
  return pieces;
}

bool reads_all(const request_sizes& sizes, const context& ctx) {
  const std::map<int, std::int64_t> owned = elements_by_device(sizes.owned), asking = elements_by_device(sizes.from);
  std::int64_t all = 0;
  for (const auto& [device, elements] : owned) all += elements;
  if (all * sizes.element_bytes > memory_of_devices(ctx) / 4) return false;
  double by_reading = 0, by_asking = 0;
  for (const auto& [device, requests] : asking) {
    const auto own = owned.find(device);
    const auto elsewhere = static_cast<double>(all - (own == owned.end() ? 0 : own->second));
    by_reading += elsewhere * static_cast<double>(sizes.element_bytes);
    by_asking +=
        static_cast<double>(requests) * elsewhere / static_cast<double>(all) * static_cast<double>(sizes.request_bytes);
  }
  return by_reading <= by_asking;
}

}  // namespace tessera::algo
