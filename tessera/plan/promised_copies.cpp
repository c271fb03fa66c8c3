#include "tessera/plan/promised_copies.h"

#include <algorithm>

#include "tessera/base/text.h"

namespace tessera::plan {

promised_copies::promised_copies(partition_ptr parts, const extents& shape, const extents& halo)
    : parts_(std::move(parts)), whole_(box::whole(shape)), halo_(halo) {
  for (int k = 0; k < shape.rank(); ++k) halo_[k] = std::min(halo_[k], shape[k]);
}

promised_copies::promised_copies(const extents& shape, int devices)
    : whole_(box::whole(shape)), halo_(shape), devices_(devices) {}

box promised_copies::grown(box b) const {
  for (int k = 0; k < b.rank(); ++k) b.lo[k] -= halo_[k], b.hi[k] += halo_[k];
  return intersect(b, whole_);
}

void promised_copies::pieces(const box& query, std::vector<piece>& out) const {
  pieces_of(0, std::numeric_limits<int>::max(), query, out);
}

void promised_copies::pieces_of(int first, int last, const box& query, std::vector<piece>& out) const {
  const box inside = intersect(query, whole_);
  if (inside.empty()) return;
  if (everything()) {
    for (int d = first; d < std::min(last, devices_); ++d) out.push_back({inside, d, d});
    return;
  }
  // What lies within the halo of `inside` is all of a part that matters to it.
  std::vector<piece> near;
  if (first == 0 && last == std::numeric_limits<int>::max())
    parts_->pieces(grown(inside), near);
  else
    parts_->pieces_of(first, last, grown(inside), near);
  for (const piece& p : near) out.push_back({intersect(grown(p.bounds), inside), p.device, p.device});
}

namespace {

bool fits(const extents& shape, const dtype& type, const machine_table& machine) {
  return box::whole(shape).volume() * type.size <= machine.least().memory / 2;
}

}  // namespace

promised_ptr kept_copies(const partition& home, const extents& shape, const dtype& type, const machine_table& machine) {
  const promised_ptr& promised = home.promised();
  if (promised && promised->everything() && !fits(shape, type, machine)) return nullptr;
  return promised;
}

std::string promise_note(const std::string& name, const partition& home, const extents& shape, const dtype& type,
                         const machine_table& machine) {
  const promised_ptr& promised = home.promised();
  if (!promised) return {};
  if (!kept_copies(home, shape, type, machine))
    return cat("'", name, "' is not replicated behind the launch: it takes more than half the memory of a device");
  if (promised->everything())
    return cat("every device gets what is new of '", name, "' behind the launch, as its distribution promises");
  return cat("every device gets what is new within ", to_string(promised->halo()), " of its parts of '", name,
             "' behind the launch, as its distribution promises");
}

}  // namespace tessera::plan
