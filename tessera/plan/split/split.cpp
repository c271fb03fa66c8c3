#include "tessera/plan/split/split.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/plan/access/text.h"
#include "tessera/plan/combine/reduced_elements.h"
#include "tessera/plan/promised_copies.h"
#include "tessera/plan/split/check.h"
#include "tessera/plan/split/cuts.h"
#include "tessera/plan/split/home_bytes.h"
#include "tessera/plan/split/placement.h"
#include "tessera/plan/split/slabs.h"
#include "tessera/plan/split/small.h"

namespace tessera::plan {
namespace {

using grid_ptr = std::shared_ptr<const launch_grid>;

bool reduces(const launch_shape& shape, int slot) {
  for (const slot_use& use : shape.uses)
    for (const access_rule& rule : shape.accesses->rules)
      if (use.slot == slot && rule.parameter == use.parameter && rule.mode == access_mode::reduce) return true;
  return false;
}

class splitter {
 public:
  splitter(const launch_shape& shape, const machine_table& machine) : shape_(shape), machine_(machine) {
    refuse_mixed_writes();
    refuse_mixed_combinations();
    if (machine.settings().deterministic) look_for_sums();
    choose();
    put_on_devices();
  }

  grid_ptr grid;
  bool in_order = false;
  bool whole_by_choice = false;
  std::vector<int> devices;
  std::vector<std::string> notes;

 private:
  /// A result that is combined later cannot be written in place by the same launch.
  void refuse_mixed_writes() const {
    const launch_grid whole(shape_, whole_cuts(shape_));
    for (int slot = 0; slot < static_cast<int>(shape_.slots.size()); ++slot)
      if (whole.touches(slot, touch::write) && whole.touches(slot, touch::combine))
        throw argument_error(cat("launch of '", shape_.name, "': array '", shape_.slots[index(slot)].name,
                                 "' is both written and reduced"));
  }

  /// Private results are combined in one way.
  void refuse_mixed_combinations() const {
    std::vector<const access_rule*> known(shape_.slots.size());
    for (const slot_use& use : shape_.uses)
      for (const access_rule& rule : shape_.accesses->rules) {
        if (rule.parameter != use.parameter || !combines(rule.mode)) continue;
        const access_rule*& first = known[index(use.slot)];
        if (first == nullptr) first = &rule;
        if (first->mode != rule.mode || first->op != rule.op)
          throw argument_error(cat("launch of '", shape_.name, "': array '", shape_.slots[index(use.slot)].name,
                                   "' is combined in two different ways: `", mode_text(first->mode, first->op),
                                   "` and `", mode_text(rule.mode, rule.op), "`"));
      }
  }

  /// Sums of floats depend on their order, and so may whatever a registered operation does (rule F3).
  void look_for_sums() {
    for (const slot_use& use : shape_.uses)
      for (const access_rule& rule : shape_.accesses->rules) {
        const array_slot& slot = shape_.slots[index(use.slot)];
        if (rule.parameter != use.parameter || !combines(rule.mode)) continue;
        if (!slot.type.is_floating() && !is_registered(rule.op)) continue;
        if (rule.mode == access_mode::atomic)
          throw argument_error(cat("launch of '", shape_.name, "': array '", slot.name, "' is combined by `",
                                   mode_text(rule.mode, rule.op), "`, whose order nobody knows, but ",
                                   "TESSERA_DETERMINISTIC asks for the same bits everywhere; use `reduce`"));
        in_order = true;
        keeps_order_ = keeps_order_ || is_registered(rule.op);
      }
  }

  void choose() {
    const split_spec& asked = shape_.split;
    const bool undivided = shape_.accesses->single || asked.form == split_spec::kind::whole;
    follow_ = asked.form == split_spec::kind::like ? followed_slot(shape_) : leading_slot(shape_).value_or(-1);
    small_ = !undivided && machine_.device_count() > 1 && is_small(shape_, machine_.settings().small);
    if (asked.form == split_spec::kind::blocks || asked.form == split_spec::kind::slabs) {
      by_hand();
      if (!in_order) return;
      notes.clear();
    }
    if (asked.form == split_spec::kind::on_device) {
      check_device(shape_, asked.device, machine_.device_count());
      if (undivided || !in_order) return take_whole(cat("not split: it is to run ", to_string(asked)));
    }
    if (undivided) return take_whole("not split: it is declared as one piece");
    if (in_order) return take_fixed_parts();
    if (machine_.device_count() == 1) return take_whole("one superblock: there is one device");
    if (small_) return take_whole("one superblock");
    cut_automatically();
  }

  void cut_automatically() {
    const int axes = shape_.space.size.rank();
    const int parts = static_cast<int>(machine_.automatic_devices().size());
    const grid_cuts wanted = follow_ >= 0 ? aligned(shape_, cuts_following(shape_, follow_)) : whole_cuts(shape_);
    if (try_cuts(wanted, cat("follows the distribution of '", follow_name(), "'"))) return;
    for (int a = axes - 1; a >= 0; --a)
      if (try_cuts(only_axis(shape_, wanted, a), cat("follows the distribution of '", follow_name(), "' on axis ", a)))
        return;
    for (int a = axes - 1; a >= 0; --a)
      if (try_cuts(aligned(shape_, even_cuts(shape_, a, parts)), cat("even parts of axis ", a))) return;
    take_whole(reason_.empty() ? "not split: it has a single block or writes the same elements everywhere"
                               : cat("not split: ", reason_));
  }

  [[nodiscard]] std::string follow_name() const { return follow_ < 0 ? "" : shape_.slots[index(follow_)].name; }

  void by_hand() {
    const bool in_slabs = shape_.split.form == split_spec::kind::slabs;
    grid = std::make_shared<launch_grid>(
        shape_, in_slabs ? cuts_by_slabs(shape_, machine_.device_count()) : cuts_by_size(shape_, shape_.split.blocks));
    if (shape_.accesses->single && grid->size() > 1)
      throw argument_error(cat("launch of '", shape_.name, "' cannot be split into ", grid->size(),
                               " superblocks: a kernel without annotation, or annotated `single`, is one superblock; "
                               "leave the split out, or annotate what its threads touch"));
    if (const auto conflict = find_conflict(grid))
      throw argument_error(cat("launch of '", shape_.name, "' cannot be split like this: ", *conflict,
                               "; leave the split out, or make it a multiple of what one element depends on"));
    notes.push_back(in_slabs ? cat("split by hand ", to_string(shape_.split)) : "split by hand");
  }

  bool try_cuts(const grid_cuts& cuts, std::string note) {
    auto candidate = std::make_shared<launch_grid>(shape_, cuts);
    if (candidate->size() <= 1) return false;
    if (const auto conflict = find_conflict(candidate); conflict && !planted("split_unchecked")) {
      reason_ = *conflict;
      return false;
    }
    grid = std::move(candidate);
    notes.push_back(std::move(note));
    return true;
  }

  /// True if superblocks follow each other as their thread blocks do: where an axis is cut, all slower ones are cut at
  /// each thread block.
  static bool follows_blocks(const grid_cuts& cuts) {
    bool by_blocks = true;
    for (std::size_t a = cuts.size(); a-- > 0;) {
      const auto parts = static_cast<std::int64_t>(cuts[a].size()) - 1;
      if (parts > 1 && !by_blocks) return false;
      by_blocks = by_blocks && parts == cuts[a].back();
    }
    return true;
  }

  /// Where the parts lie is all that depends on the machine.
  void take_fixed_parts() {
    constexpr int most = 64;
    std::string note = cat("in at most ", most, " parts that are the same on every machine");
    if (shape_.split.names_devices()) note += cat("; asked for ", to_string(shape_.split));
    const auto attempt = [&](const grid_cuts& cuts) {
      if (!keeps_order_ || follows_blocks(cuts)) return try_cuts(cuts, note);
      reason_ = "the order of thread blocks would be lost";
      return false;
    };
    if (attempt(aligned(shape_, slowest_first_cuts(shape_, most)))) return;
    for (int a = shape_.space.size.rank() - 1; a >= 0; --a)
      if (attempt(aligned(shape_, even_cuts(shape_, a, most)))) return;
    take_whole(reason_.empty() ? "not split: it has a single block" : cat("not split: ", reason_));
  }

  void take_whole(std::string note) {
    grid = std::make_shared<launch_grid>(shape_, whole_cuts(shape_));
    notes.push_back(std::move(note));
  }

  void put_on_devices() {
    if (small_) return put_on_one_device();
    placement placed = place(*grid, machine_);
    devices = std::move(placed.devices);
    const bool apart = std::any_of(devices.begin(), devices.end(), [&](int d) { return d != devices.front(); });
    const bool together = !apart && devices.size() > 1 && !planted("placed_by_first_element");
    if (shape_.split.form == split_spec::kind::automatic && !in_order && together) {
      grid = std::make_shared<launch_grid>(shape_, whole_cuts(shape_));
      devices.resize(1);
      whole_by_choice = true;
      notes = {cat("one superblock: all that decides where it runs is at home on device ", devices.front())};
    }
    if (grid->size() > 1) std::move(placed.notes.begin(), placed.notes.end(), std::back_inserter(notes));
  }

  /// Parts of sums that are combined in order stay what they are on every machine (rule F3).
  void put_on_one_device() {
    const placement placed = place(launch_grid(shape_, whole_cuts(shape_)), machine_);
    devices.assign(index(grid->size()), placed.devices.front());
    whole_by_choice = grid->size() == 1;
    notes.push_back(cat("too small to share: ", launch_bytes(shape_), " bytes, TESSERA_SMALL is ",
                        machine_.settings().small, "; most of it is at home on device ", devices.front()));
    std::copy(placed.notes.begin(), placed.notes.end(), std::back_inserter(notes));
  }

  const launch_shape& shape_;
  const machine_table& machine_;
  int follow_ = -1;
  bool small_ = false;
  bool keeps_order_ = false;  // superblocks follow each other as their thread blocks do
  std::string reason_;
};

/// The union of what all superblocks touch: one box if their parts tile it.
region total(const launch_grid& grid, int slot, touch kind) {
  std::vector<box> all;
  bool disjoint = kind == touch::write;  // boxes of several superblocks are; those of one may overlap
  for (std::int64_t s = 0; s < grid.size(); ++s) {
    const std::size_t before = all.size();
    grid.touched(slot, kind, grid.position(s), all);
    disjoint = disjoint && all.size() <= before + 1;
  }
  std::int64_t covered = 0;
  box bounds;
  for (const box& b : all) {
    covered += b.volume();
    bounds = bounds.rank() == 0 ? b : hull(bounds, b);
  }
  if (disjoint && covered == bounds.volume()) return region(bounds);
  return region(std::move(all));
}

void find_combined(const launch_grid& grid, int slot, split_plan::slot_summary& summary) {
  const region all = total(grid, slot, touch::combine);
  summary.combined = all;
  if (!reduces(grid.shape(), slot)) return;
  summary.combined = reduced_elements(grid.shape(), slot);
  summary.combined_in_part = !(summary.combined == all);
}

/// What superblocks of every rank read: found in a few steps where it is nothing.
region read_by_all(const split_plan& plan, int slot, const machine_table& machine) {
  if (machine.node_count() < 3) return {};
  std::vector<std::vector<std::int64_t>> by_rank(index(machine.node_count()));
  for (std::int64_t s = 0; s < plan.grid->size(); ++s)
    by_rank[index(machine.node_of((*plan.devices)[index(s)]).value)].push_back(s);
  region common(box::whole(plan.grid->shape().slots[index(slot)].shape));
  std::vector<box> boxes;
  for (const auto& superblocks : by_rank) {
    boxes.clear();
    for (const std::int64_t s : superblocks) plan.grid->touched(slot, touch::read, plan.grid->position(s), boxes);
    common = intersect(common, region(boxes));
    if (common.empty()) break;
  }
  return common;
}

/// Everything that follows from the grid and the devices.
void complete(split_plan& plan, const machine_table& machine, node_id node) {
  const launch_grid& grid = *plan.grid;
  const auto parts = [&](int slot, touch kind) -> partition_ptr {
    if (!grid.touches(slot, kind)) return nullptr;
    return std::make_shared<launch_parts>(plan.grid, plan.devices, slot, kind);
  };
  plan.slots.clear();
  for (int slot = 0; slot < static_cast<int>(grid.shape().slots.size()); ++slot) {
    split_plan::slot_summary& summary = plan.slots.emplace_back();
    summary.readers = parts(slot, touch::read);
    summary.writers = parts(slot, touch::write);
    summary.combiners = parts(slot, touch::combine);
    if (summary.writers) summary.written = total(grid, slot, touch::write);
    if (summary.combiners) find_combined(grid, slot, summary);
    if (!summary.readers) continue;
    summary.read_bounds = grid.reach(slot, touch::read);
    if (summary.read_bounds.rank() == 0) summary.readers = nullptr;
    summary.read_by_all = read_by_all(plan, slot, machine);
  }

  const int first = machine.first_device(node), last = first + machine.devices_of(node);
  const device_spec least = machine.least();
  plan.local.clear();
  for (std::int64_t s = 0; s < grid.size(); ++s) {
    const int device = (*plan.devices)[index(s)];
    if (device < first || device >= last) continue;
    std::vector<footprint> footprints = grid.footprints(s);
    std::vector<launch_piece> pieces = fit(grid, grid.part(s), footprints, least, plan.in_order);
    const std::int64_t workspace = workspace_bytes(grid, grid.part(s), footprints, least);
    plan.local.push_back({s, device - first, grid.part(s), std::move(footprints), std::move(pieces), workspace});
  }
}

/// Says what follows the launch (rule C2).
void note_promises(split_plan& plan, const machine_table& machine) {
  for (std::size_t s = 0; s < plan.slots.size(); ++s) {
    const array_slot& slot = plan.grid->shape().slots[s];
    if (!slot.home || (!plan.slots[s].writers && !plan.slots[s].combiners)) continue;
    std::string note = promise_note(slot.name, *slot.home, slot.shape, slot.type, machine);
    if (!note.empty()) plan.notes.push_back(std::move(note));
  }
}

}  // namespace

std::shared_ptr<const split_plan> split_launch(const launch_shape& shape, const machine_table& machine, node_id node) {
  check_tables(shape);
  splitter made(shape, machine);
  auto plan = std::make_shared<split_plan>();
  plan->grid = made.grid;
  plan->devices = std::make_shared<const std::vector<int>>(std::move(made.devices));
  plan->notes = std::move(made.notes);
  plan->in_order = made.in_order;
  plan->whole_by_choice = made.whole_by_choice;
  if (machine.node_count() > 1) refuse_what_never_fits(*plan->grid, machine.least(), plan->in_order);
  complete(*plan, machine, node);
  note_promises(*plan, machine);
  return plan;
}

std::shared_ptr<const split_plan> placed_on(const split_plan& plan, int device, const machine_table& machine,
                                            node_id node) {
  auto moved = std::make_shared<split_plan>(plan);
  moved->devices = std::make_shared<const std::vector<int>>(1, device);
  complete(*moved, machine, node);
  return moved;
}

}  // namespace tessera::plan
