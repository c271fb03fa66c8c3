#include "tessera/plan/combine/combination.h"

#include <algorithm>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"

namespace tessera::plan {
namespace {

/// Binomial tree: the children of position p are p + 1, p + 2, p + 4, ... below the lowest set bit of p.
template <class Visit>
void for_each_child(std::size_t position, std::size_t count, Visit visit) {
  for (std::size_t bit = 1; position + bit < count && (position == 0 || (position & (bit - 1)) == 0); bit <<= 1) {
    if (position & bit) return;
    visit(position + bit);
  }
}

std::size_t parent_of(std::size_t position) { return position & (position - 1); }

/// The identity of a built-in operation.
constant_ptr identity(const combining_rule& rule, const dtype& type) {
  const reduce_op op = rule.by.op;
  std::vector<std::byte> value =
      identity_of(planted("wrong_identity") && op == reduce_op::min ? reduce_op::max : op, type);
  // x + -0.0 is x for every x, while x + 0.0 turns -0.0 into 0.0: what nothing is added to keeps its bits.
  if (type.is_floating() && op == reduce_op::add && rule.mode == access_mode::atomic) {
    const std::size_t part = value.size() / (type.is_complex() ? 2 : 1);
    for (std::size_t end = part; end <= value.size(); end += part) value[end - 1] = std::byte{0x80};
  }
  return std::make_shared<const std::vector<std::byte>>(std::move(value));
}

}  // namespace

void fill_identity(instruction_writer& writer, copy_ref target, const region& area, const combining_rule& rule) {
  if (area.empty()) return;
  const std::vector<box> boxes = list(area);
  const bool built_in = !is_registered(rule.by.op);
  constant_ptr value = built_in ? identity(rule, writer.array(target.array).type) : nullptr;
  writer.emit(fill_op{target, boxes, std::move(value), built_in ? combining{} : rule.by},
              operands_of(target, boxes, true));
}

bool combines_parameter(const access_pattern& pattern, int parameter) {
  return std::any_of(pattern.rules.begin(), pattern.rules.end(),
                     [&](const access_rule& rule) { return rule.parameter == parameter && combines(rule.mode); });
}

combination::combination(mover& contents, array_id array, const split_plan& plan, int slot, const combining_rule& rule,
                         std::vector<array_id> temporaries)
    : contents_(contents),
      writer_(contents.writer()),
      array_(array),
      plan_(plan),
      slot_(slot),
      rule_(rule),
      temporaries_(std::move(temporaries)) {}

std::map<int, region> replace_at_home(mover& contents, array_id array, const region& area, const combining_rule& rule) {
  // Old contents of `atomic` take part, at home: bring them there before they count as replaced.
  std::map<int, region> parts = rule.mode == access_mode::atomic
                                    ? contents.bring_home(array, area)
                                    : by_device(*contents.writer().array(array).home, area.boxes());
  contents.writer().invalidate(array, area, contents.writer().array(array).home);
  return parts;
}

region contents_before(const region& part, const combining_rule& rule) {
  return rule.mode == access_mode::atomic && !planted("atomic_forgets_old") ? part : region();
}

void combination::run() {
  const region& all = plan_.slots[index(slot_)].combined;
  if (all.empty()) return;
  for (const auto& [device, part] : replace_at_home(contents_, array_, all, rule_)) deliver(device, part);
}

combination::contributions combination::contributions_to(const region& part) const {
  return by_device(*plan_.slots[index(slot_)].combiners, part.boxes());
}

void combination::deliver(int home_device, const region& part) {
  const contributions all = contributions_to(part);
  const location home = writer_.machine().table().locate(home_device);
  std::vector<node_id> ranks{home.node};
  for (const auto& [device, area] : all) {
    const node_id n = writer_.machine().table().node_of(device);
    if (std::find(ranks.begin(), ranks.end(), n) == ranks.end()) ranks.push_back(n);
  }
  std::sort(ranks.begin() + 1, ranks.end());
  const auto mine = std::find(ranks.begin(), ranks.end(), writer_.machine().node());
  if (mine == ranks.end()) return;
  const auto position = static_cast<std::size_t>(mine - ranks.begin());

  if (position == 0) {
    const copy_ref target{array_, home};
    region covered = contents_before(part, rule_);
    fold_local(all, writer_.machine().node(), target, home.index, covered);
    fold_children(all, ranks, 0, target, covered);
    // What is declared as a whole, but by no superblock for itself, has nothing to combine.
    fill_identity(writer_, target, subtract(part, covered), rule_);
    return;
  }
  const int first = writer_.machine().table().first_device(writer_.machine().node());
  const auto contributor = all.lower_bound(first);  // this rank's lowest contributing device gathers for it
  const int gatherer = contributor->first - first;
  const copy_ref target{temporaries_[index(gatherer)], writer_.machine().device(gatherer)};
  region covered = contributor->second;
  fold_local(all, writer_.machine().node(), target, gatherer, covered);
  fold_children(all, ranks, position, target, covered);
  const node_id parent = ranks[parent_of(position)];
  writer_.send(parent, target.place, {{target.array, list(subtree(all, ranks, position))}});
}

void fold_into(instruction_writer& writer, copy_ref source, copy_ref target, const region& area, const combining& by,
               region& covered) {
  const auto emit = [&](const region& part, bool overwrite) {
    if (part.empty()) return;
    const std::vector<box> boxes = list(part);
    std::vector<operand> operands = operands_of(source, boxes, false);
    for (const box& b : boxes) {
      if (!overwrite) operands.push_back({target, b, false});
      operands.push_back({target, b, true});
    }
    writer.emit(fold_op{source, target, boxes, by, overwrite}, std::move(operands));
  };
  emit(intersect(area, covered), planted("fold_overwrites"));
  emit(subtract(area, covered), true);
  covered = unite(covered, area);
}

/// Folds what the devices of this rank contribute into `target` on local device `device`.
void combination::fold_local(const contributions& all, node_id node, copy_ref target, int device, region& covered) {
  const int first = writer_.machine().table().first_device(node);
  for (const auto& [number, area] : all) {
    const int d = number - first;
    if (d < 0 || d >= writer_.machine().device_count()) continue;
    const copy_ref source{temporaries_[index(d)], writer_.machine().device(d)};
    if (source == target || (planted("lost_reduction_part") && d + 1 == writer_.machine().device_count() && d > 0))
      continue;
    copy_ref here = source;
    if (d != device) {
      here.place = writer_.machine().device(device);
      const extents nowhere = extents::uniform(area.boxes().front().rank(), 0);
      const copy_op copy{source, here, list(area), nowhere};
      writer_.emit(copy, operands_of(copy));
    }
    fold_into(writer_, here, target, area, rule_.by, covered);
  }
}

void combination::fold_children(const contributions& all, const std::vector<node_id>& ranks, std::size_t position,
                                copy_ref target, region& covered) {
  const extents shape = writer_.array(array_).shape;
  const dtype type = writer_.array(array_).type;
  for_each_child(position, ranks.size(), [&](std::size_t child) {
    const region area = subtree(all, ranks, child);
    const copy_ref arrived{writer_.make_temporary(shape, type), target.place};
    writer_.receive(ranks[child], arrived.place, {{arrived.array, list(area)}});
    fold_into(writer_, arrived, target, area, rule_.by, covered);
    writer_.release(arrived.array);
  });
}

/// Everything that the rank at `position` and those below it contribute.
region combination::subtree(const contributions& all, const std::vector<node_id>& ranks, std::size_t position) const {
  region result;
  for (const auto& [device, area] : all)
    if (writer_.machine().table().node_of(device) == ranks[position]) result = unite(result, area);
  for_each_child(position, ranks.size(),
                 [&](std::size_t child) { result = unite(result, subtree(all, ranks, child)); });
  return result;
}

}  // namespace tessera::plan
