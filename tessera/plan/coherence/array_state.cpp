#include "tessera/plan/coherence/array_state.h"

#include <map>

#include "tessera/base/defects.h"

namespace tessera::plan {

array_state::array_state(const extents& array_shape, const dtype& element, partition_ptr parts, int memories)
    : shape(array_shape),
      type(element),
      home(std::move(parts)),
      owners(box::whole(array_shape), ownership{}),
      replicas(box::whole(array_shape), ranks{}),
      copies_(static_cast<std::size_t>(memories)) {}

void array_state::invalidate(const region& area, const provenance& from, instruction_id ended) {
  if (!planted("stale_copy") || area.volume() > 4) ++last_version_;
  for (const box& b : area.boxes()) {
    owners.update(b, [&](ownership& now) {
      now = {from, last_version_, now.everywhere && planted("everywhere_kept")};
    });
    if (!planted("replicas_kept")) replicas.assign(b, {});
  }
  changes_ += area.boxes().size();
  if (changes_ > worth_joining(pieces_)) join_owners(ended);
}

void array_state::forget_writers(copy_record& c, instruction_id ended) {
  c.writers.update(c.writers.domain(), [&](copy_state& s) {
    if (s.writer.value <= ended.value) s.writer = {};
  });
  c.looked_at = 0;
  c.pieces = c.writers.size();
}

/// Contents of different ages become one version, and owners in different partitions become one partition: what is
/// known of the array depends on who owns which element now, not on how often contents changed. Decided by what all
/// ranks know alike. What a copy holds is current or not, as before.
void array_state::join_owners(instruction_id ended) {
  constexpr std::size_t few = 16;
  changes_ = unowned_ = 0;
  pieces_ = owners.size();
  if (pieces_ <= few) return;
  std::vector<std::pair<box, std::uint64_t>> versions;
  owners.visit(owners.domain(), [&](const box& b, const ownership& o) { versions.emplace_back(b, o.version); });
  const std::uint64_t joined = ++last_version_;
  for (std::optional<copy_record>& c : copies_) {
    if (!c) continue;
    for (const auto& [bounds, version] : versions)
      c->writers.update(bounds, [&, current = version](copy_state& s) {
        s.version = s.version == current ? joined : copy_state::nothing;
        if (s.writer.value <= ended.value) s.writer = {};
      });
    c->looked_at = 0;
    c->pieces = c->writers.size();
  }
  const partition_ptr parts = joined_partition();
  owners.update(owners.domain(), [&](ownership& now) {
    now.version = joined;
    if (parts && std::holds_alternative<partition_ptr>(now.from) && !now.everywhere) now.from = parts;
  });
  pieces_ = owners.size();
  owners.visit(owners.domain(), [&](const box&, const ownership& now) {
    if (!std::holds_alternative<partition_ptr>(now.from)) ++unowned_;
  });
}

bool array_state::is_scattered() const {
  constexpr std::size_t many = 256;
  return home != nullptr && unowned_ > many;
}

/// One partition for all that devices own; null if they own nothing or there is one already.
partition_ptr array_state::joined_partition() const {
  std::map<int, std::vector<box>> owned;
  std::vector<partition::piece> pieces;
  partition_ptr only;
  bool several = false;
  owners.visit(owners.domain(), [&](const box& b, const ownership& o) {
    const auto* parts = std::get_if<partition_ptr>(&o.from);
    if (parts == nullptr || o.everywhere) return;
    several = several || (only && only != *parts);
    only = *parts;
    pieces.clear();
    only->pieces(b, pieces);
    for (const partition::piece& p : pieces) owned[p.device].push_back(p.bounds);
  });
  if (!several) return nullptr;
  std::vector<partition::piece> all;
  bool at_home = home != nullptr;
  for (auto& [device, boxes] : owned) {
    const region joined(std::move(boxes));
    for (const box& b : joined.boxes()) all.push_back({b, device, device});
    if (!at_home) continue;
    const std::map<int, region> homes = by_device(*home, joined.boxes());
    at_home = homes.size() == 1 && homes.begin()->first == device;
  }
  return at_home ? home : std::make_shared<const listed_parts>(shape, all);
}

void array_state::own_everywhere() {
  const box whole = box::whole(shape);
  invalidate(region(whole), home);
  owners.update(whole, [](ownership& now) { now.everywhere = true; });
}

std::vector<instruction_id> array_state::users() const {
  std::vector<instruction_id> all;
  for (const auto& known : copies_) {
    if (!known) continue;
    known->writers.visit(box::whole(shape), [&](const box&, const copy_state& s) { all.push_back(s.writer); });
    if (!planted("release_early")) known->readers.append_all(all);
  }
  return all;
}

std::vector<box> array_state::missing(int memory, const region& area) const {
  std::vector<box> result;
  for (const box& b : area.boxes())
    visit_copy(memory, b, [&](const box& piece, bool current, const ownership&) {
      if (!current) result.push_back(piece);
    });
  if (planted("halo_not_pulled") && result.size() > 1) result.pop_back();
  return result;
}

std::size_t array_state::tracked() const {
  std::size_t sum = owners.size() + replicas.size();
  for (const auto& known : copies_)
    if (known) sum += known->writers.size() + known->readers.size();
  return sum;
}

}  // namespace tessera::plan
