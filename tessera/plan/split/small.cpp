#include "tessera/plan/split/small.h"

#include <algorithm>
#include <limits>

#include "tessera/base/index.h"

namespace tessera::plan {
namespace {

using wide = __int128;

bool uses_threads(const access_rule& rule, const std::vector<bound_name>& names) {
  std::uint32_t used = 0;
  for (const index_range& i : rule.indices) {
    if (i.first) used |= i.first->names_used();
    if (i.last) used |= i.last->names_used();
  }
  for (std::size_t n = 0; n < names.size(); ++n)
    if (((used >> n) & 1) != 0 && names[n].from != bound_name::kind::block) return true;
  return used == 0;
}

/// The names of one thread in the middle of the launch.
std::vector<interval> names_of_one_thread(const launch_shape& shape) {
  box middle = box::whole(shape.space.granules());
  for (int a = 0; a < middle.rank(); ++a) {
    middle.lo[a] = middle.hi[a] / 2;
    middle.hi[a] = middle.lo[a] + 1;
  }
  std::vector<interval> names = name_intervals(shape.accesses->names, shape.space, middle, padding::include);
  for (interval& i : names) i.hi = std::min(i.lo, i.hi);
  return names;
}

/// What one thread, or a block whose threads share it, declares by a rule.
wide declared_bytes(const launch_shape& shape, const slot_use& use, const access_rule& rule,
                    const std::vector<interval>& names) {
  std::vector<box> boxes;
  evaluate(rule, names, use.slice.shape(), boxes);
  wide sum = 0;
  for (const box& b : boxes) sum += b.volume();
  return sum * shape.slots[index(use.slot)].type.size;
}

/// What all threads declare to read and write; what they combine is counted with the arrays.
wide thread_bytes(const launch_shape& shape) {
  constexpr wide least = 16;
  const std::vector<interval> names = names_of_one_thread(shape);
  wide threads = 1, blocks = 1;
  for (const std::int64_t n : shape.space.size) threads *= n;
  for (const std::int64_t n : shape.space.granules()) blocks *= n;
  wide by_thread = 0, by_block = 0;
  for (const slot_use& use : shape.uses)
    for (const access_rule& rule : shape.accesses->rules) {
      if (rule.parameter != use.parameter || !(reads(rule.mode) || writes(rule.mode))) continue;
      wide& sum = uses_threads(rule, shape.accesses->names) ? by_thread : by_block;
      sum += declared_bytes(shape, use, rule, names);
    }
  return std::max(by_thread, least) * threads + by_block * blocks;
}

wide array_bytes(const launch_shape& shape) {
  wide sum = 0;
  for (const array_slot& slot : shape.slots) sum += static_cast<wide>(box::whole(slot.shape).volume()) * slot.type.size;
  return sum;
}

bool lies_on_several_named_devices(const array_slot& slot) {
  if (!slot.home || !slot.home->names_devices()) return false;
  std::vector<partition::piece> parts;
  slot.home->pieces(box::whole(slot.shape), parts);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const partition::piece& p) { return p.device != parts.front().device; });
}

}  // namespace

std::int64_t launch_bytes(const launch_shape& shape) {
  constexpr wide most = std::numeric_limits<std::int64_t>::max();
  const wide arrays = array_bytes(shape);
  return static_cast<std::int64_t>(std::min(most, arrays > most ? most : std::max(arrays, thread_bytes(shape))));
}

bool is_small(const launch_shape& shape, std::int64_t limit) {
  if (limit <= 0 || shape.split.form != split_spec::kind::automatic) return false;
  if (array_bytes(shape) > limit) return false;  // most launches that are not small end here
  return launch_bytes(shape) <= limit &&
         std::none_of(shape.slots.begin(), shape.slots.end(), lies_on_several_named_devices);
}

}  // namespace tessera::plan
