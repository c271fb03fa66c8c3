#include "tessera/plan/coherence/array_state.h"

#include "tessera/base/defects.h"

namespace tessera::plan {

array_state::array_state(const extents& array_shape, const dtype& element, partition_ptr parts, int memories)
    : shape(array_shape),
      type(element),
      home(std::move(parts)),
      owners(box::whole(array_shape), ownership{}),
      replicas(box::whole(array_shape), ranks{}),
      copies_(static_cast<std::size_t>(memories)) {}

void array_state::invalidate(const region& where, const origin& from) {
  if (!planted("stale_copy") || where.volume() > 4) ++last_version_;
  for (const box& b : where.boxes()) {
    owners.update(b, [&](ownership& now) {
      now = {from, last_version_, now.everywhere && planted("everywhere_kept")};
    });
    if (!planted("replicas_kept")) replicas.assign(b, {});
  }
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
    known->visit(box::whole(shape), [&](const box&, const copy_state& s) {
      all.push_back(s.writer);
      if (planted("release_early")) return;
      all.insert(all.end(), s.readers.begin(), s.readers.end());
    });
  }
  return all;
}

std::vector<box> array_state::missing(int memory, const region& where) const {
  std::vector<box> result;
  for (const box& b : where.boxes())
    visit_copy(memory, b, [&](const box& piece, bool current, const ownership&) {
      if (!current) result.push_back(piece);
    });
  if (planted("halo_not_pulled") && result.size() > 1) result.pop_back();
  return result;
}

std::size_t array_state::tracked() const {
  std::size_t sum = owners.size() + replicas.size();
  for (const auto& known : copies_)
    if (known) known->visit(box::whole(shape), [&](const box&, const copy_state& s) { sum += 1 + s.readers.size(); });
  return sum;
}

}  // namespace tessera::plan
