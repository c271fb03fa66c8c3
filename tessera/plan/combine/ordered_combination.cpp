#include "tessera/plan/combine/ordered_combination.h"

#include <bit>

#include "tessera/base/index.h"

namespace tessera::plan {

ordered_combination::ordered_combination(mover& contents, array_id array, const split_plan& plan, int slot,
                                         const combining_rule& rule, std::vector<array_id> temporaries)
    : contents_(contents),
      writer_(contents.writer()),
      array_(array),
      plan_(plan),
      combined_(plan.slots[index(slot)].combined),
      rule_(rule),
      temporaries_(index(plan.grid->size())) {
  for (std::size_t i = 0; i < plan.local.size(); ++i) temporaries_[index(plan.local[i].superblock)] = temporaries[i];
  for (std::int64_t s = 0; s < plan.grid->size(); ++s) {
    std::vector<box> boxes;
    plan.grid->touched(slot, touch::combine, plan.grid->position(s), boxes);
    declared_.push_back(intersect(region(std::move(boxes)), combined_));
  }
}

void ordered_combination::run() {
  if (combined_.empty()) return;
  for (const auto& [device, part] : replace_at_home(contents_, array_, combined_, rule_)) deliver(device, part);
}

void ordered_combination::deliver(int home_device, const region& part) {
  const copy_ref target{array_, writer_.machine().table().locate(home_device)};
  const node root = subtree(0, plan_.grid->size(), part);
  const bool here = target.place.node == writer_.machine().node();
  region covered = contents_before(part, rule_);
  if (!root.covered.empty() && (here || root.place.node == writer_.machine().node())) {
    array_id message;
    const copy_ref result = bring(root, target.place, message);
    if (here) fold_into(writer_, result, target, root.covered, rule_.by, covered);
    if (message != array_id{}) writer_.release(message);
  }
  if (here) fill_identity(writer_, target, subtract(part, covered), rule_);
}

ordered_combination::node ordered_combination::leaf(std::int64_t superblock, const region& part) const {
  return {writer_.machine().table().locate((*plan_.devices)[index(superblock)]), temporaries_[index(superblock)],
          intersect(declared_[index(superblock)], part)};
}

/// The left part is the largest power of two: so every tree over more superblocks holds those over fewer.
ordered_combination::node ordered_combination::subtree(std::int64_t first, std::int64_t last, const region& part) {
  if (last - first == 1) return leaf(first, part);
  const auto half = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(last - first - 1)));
  node left = subtree(first, first + half, part);
  node right = subtree(first + half, last, part);
  if (right.covered.empty()) return left;
  if (left.covered.empty()) return right;
  const bool here = left.place.node == writer_.machine().node();
  if (here || right.place.node == writer_.machine().node()) {
    array_id message;
    const copy_ref arrived = bring(right, left.place, message);
    region covered = left.covered;
    if (here) fold_into(writer_, arrived, {left.array, left.place}, right.covered, rule_.by, covered);
    if (message != array_id{}) writer_.release(message);
  }
  left.covered = unite(left.covered, right.covered);
  return left;
}

copy_ref ordered_combination::bring(const node& from, location to, array_id& message) {
  const std::vector<box> boxes = list(from.covered);
  const copy_ref source{from.array, from.place};
  const extents shape = writer_.array(array_).shape, nowhere = extents::uniform(shape.rank(), 0);
  if (from.place.node == to.node) {
    const copy_ref target{from.array, to};
    const copy_op copy{source, target, boxes, nowhere};
    if (from.place != to) writer_.emit(copy, operands_of(copy));
    return target;
  }
  if (from.place.node == writer_.machine().node()) {
    writer_.send(to.node, from.place, {{from.array, boxes}});
    return source;
  }
  message = writer_.make_temporary(shape, writer_.array(array_).type);
  writer_.receive(from.place.node, to, {{message, boxes}});
  return {message, to};
}

}  // namespace tessera::plan
