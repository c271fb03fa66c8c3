#include "tessera/plan/launch_planner.h"

#include <algorithm>
#include <stdexcept>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/plan/combine/ordered_combination.h"

namespace tessera::plan {

launch_planner::launch_planner(mover& contents, std::shared_ptr<const launch_task> launch)
    : contents_(contents),
      writer_(contents.writer()),
      machine_(writer_.machine()),
      launch_(std::move(launch)),
      plan_(launch_->plan),
      check_uninitialised_(machine_.table().settings().check_uninitialised) {
  slots_.reserve(plan_->slots.size());
  for (const slot_use& use : plan_->grid->shape().uses) {
    if (index(use.slot) < slots_.size()) continue;
    slots_.push_back({launch_->arrays[index(&use - plan_->grid->shape().uses.data())].array, false, {}});
  }
}

void launch_planner::run() {
  place_single();
  if (check_uninitialised_) rejections_.resize(plan_->local.size());
  bring_in();
  prepare_results();
  emit_launches();
  deliver_results();
  keep_promises();
}

/// A launch that cannot be split runs on the device that owns most of its bytes (rule A6), unless the user names one.
void launch_planner::place_single() {
  if (plan_->grid->size() != 1 || machine_.table().device_count() == 1) return;
  if (plan_->whole_by_choice || plan_->grid->shape().split.names_devices()) return;
  std::vector<std::int64_t> bytes(index(machine_.table().device_count()));
  std::vector<partition::piece> pieces;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    array_state& a = writer_.array(slots_[s].array);
    pieces.clear();
    a.owners.visit(box::whole(a.shape), [&](const box& b, const ownership& now) {
      if (const auto* parts = std::get_if<partition_ptr>(&now.from)) (*parts)->pieces(b, pieces);
    });
    for (const partition::piece& p : pieces) bytes[index(p.device)] += p.bounds.volume() * a.type.size;
  }
  const auto most = std::max_element(bytes.begin(), bytes.end());
  if (*most == 0) return;
  const int device = static_cast<int>(most - bytes.begin());
  if (device != plan_->devices->front()) plan_ = placed_on(*plan_, device, machine_.table(), machine_.node());
}

/// Makes what every superblock reads current where it runs, ours and those of other ranks that read from us.
void launch_planner::bring_in() {
  if (!machine_.is_alone()) exchange();
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!plan_->slots[s].readers) continue;
    for (std::size_t i = 0; i < plan_->local.size(); ++i) {
      const split_plan::local_part& part = plan_->local[i];
      const region& need = part.footprints[s].reads;
      if (need.empty()) continue;
      const std::vector<box> nothing = contents_.pull({slots_[s].array, part.device, &need});
      if (check_uninitialised_ && !nothing.empty() && rejections_[i].empty())
        rejections_[i] = cat("kernel '", launch_->name, "' reads '", plan_->grid->shape().slots[s].name, "' at ",
                             to_string(nothing.front()), ", which nobody wrote (superblock ", part.superblock, ")");
    }
  }
}

/// Brings to this rank what its superblocks read of others, and to others what theirs read of this one.
void launch_planner::exchange() {
  std::vector<mover::common_need> common;
  for (std::size_t s = 0; s < slots_.size(); ++s)
    if (!plan_->slots[s].read_by_all.empty()) common.push_back({slots_[s].array, &plan_->slots[s].read_by_all});
  if (!common.empty()) contents_.spread(common, plan_->local.front().device);

  message_batch messages;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const split_plan::slot_summary& summary = plan_->slots[s];
    if (summary.readers) contents_.exchange(slots_[s].array, summary.readers, {&summary.read_bounds, 1}, messages);
  }
  messages.emit(writer_);
}

combining_rule launch_planner::rule_of(int slot) const {
  for (const slot_use& use : plan_->grid->shape().uses)
    for (const access_rule& rule : launch_->accesses->rules)
      if (use.slot == slot && rule.parameter == use.parameter && combines(rule.mode)) return {rule, launch_};
  throw std::logic_error("a combined slot has no combining rule");
}

/// Makes the private results of the superblocks that combine; each starts at the identity.
void launch_planner::prepare_results() {
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!plan_->slots[s].combiners) continue;
    slot_state& slot = slots_[s];
    const combining_rule rule = rule_of(static_cast<int>(s));
    slot.in_place = plan_->grid->size() == 1 && !plan_->slots[s].readers && !plan_->slots[s].combined_in_part;
    const region& combined = plan_->slots[s].combined;
    if (slot.in_place && rule.mode == access_mode::atomic) {
      message_batch messages;
      contents_.exchange(slot.array, plan_->slots[s].combiners, combined.boxes(), messages);
      messages.emit(writer_);
      for (const split_plan::local_part& part : plan_->local) contents_.pull({slot.array, part.device, &combined});
    }
    if (slot.in_place) writer_.invalidate(slot.array, combined, plan_->slots[s].combiners);
    make_partials(s, rule);
  }
}

void launch_planner::make_partials(std::size_t s, const combining_rule& rule) {
  slot_state& slot = slots_[s];
  slot.partials.resize(plan_->in_order ? plan_->local.size() : index(machine_.device_count()));
  for (std::size_t i = 0; i < plan_->local.size(); ++i) {
    partial& p = slot.partials[partial_of(i)];
    p.device = plan_->local[i].device;
    p.declared = unite(p.declared, plan_->local[i].footprints[s].combines);
  }
  const extents shape = writer_.array(slot.array).shape;
  const dtype type = writer_.array(slot.array).type;
  for (partial& p : slot.partials) {
    if (p.declared.empty()) continue;
    p.array = slot.in_place ? slot.array : writer_.make_temporary(shape, type);
    if (slot.in_place && rule.mode == access_mode::atomic) continue;
    fill_identity(writer_, {p.array, machine_.device(p.device)}, p.declared, rule);
  }
}

void launch_planner::emit_launches() {
  for (std::size_t s = 0; s < slots_.size(); ++s)
    if (plan_->slots[s].writers) writer_.invalidate(slots_[s].array, plan_->slots[s].written, plan_->slots[s].writers);

  for (std::size_t i = 0; i < plan_->local.size(); ++i) {
    const split_plan::local_part& part = plan_->local[i];
    if (part.pieces.empty()) emit_piece(i, part.granules, part.footprints, part.workspace);
    for (const launch_piece& piece : part.pieces) emit_piece(i, piece.granules, piece.footprints, piece.workspace);
  }
}

void launch_planner::emit_piece(std::size_t i, const box& granules, const std::vector<footprint>& footprints,
                                std::int64_t workspace) {
  const split_plan::local_part& part = plan_->local[i];
  const location place = machine_.device(part.device);
  std::vector<operand> operands;
  std::size_t boxes = 0;
  for (const footprint& f : footprints)
    boxes += f.reads.boxes().size() + f.writes.boxes().size() + 2 * f.combines.boxes().size();
  operands.reserve(boxes);
  const auto add = [&](array_id array, const region& r, bool written) {
    for (const box& b : r.boxes()) operands.push_back({{array, place}, b, written});
  };
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const footprint& f = footprints[s];
    add(slots_[s].array, f.reads, false);
    add(slots_[s].array, f.writes, true);
    if (f.combines.empty()) continue;
    const array_id target = slots_[s].partials[partial_of(i)].array;
    add(target, f.combines, false);
    add(target, f.combines, true);
  }
  if (check_uninitialised_ && !rejections_[i].empty()) {
    writer_.emit(reject_op{rejections_[i]}, std::move(operands));
    return;
  }
  std::vector<array_id> arrays;
  arrays.reserve(plan_->grid->shape().uses.size());
  for (const slot_use& use : plan_->grid->shape().uses) {
    const slot_state& slot = slots_[index(use.slot)];
    const bool combined =
        plan_->slots[index(use.slot)].combiners && combines_parameter(*launch_->accesses, use.parameter);
    const bool has_private = combined && !slot.partials[partial_of(i)].declared.empty();
    arrays.push_back(has_private ? slot.partials[partial_of(i)].array : slot.array);
  }
  const bool first_again = planted("wrong_superblock") && i > 0 && plan_->local[i - 1].device == part.device;
  writer_.emit(launch_op{launch_, part.superblock, first_again ? plan_->local[i - 1].granules : granules, place,
                         std::move(arrays), workspace},
               std::move(operands));
}

void launch_planner::deliver_results() {
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    slot_state& slot = slots_[s];
    if (!plan_->slots[s].combiners || slot.in_place) continue;
    const combining_rule rule = rule_of(static_cast<int>(s));
    std::vector<array_id> temporaries;
    for (const partial& p : slot.partials) temporaries.push_back(p.array);
    if (plan_->in_order)
      ordered_combination(contents_, slot.array, *plan_, static_cast<int>(s), rule, temporaries).run();
    else
      combination(contents_, slot.array, *plan_, static_cast<int>(s), rule, temporaries).run();
    for (const partial& p : slot.partials)
      if (!p.declared.empty()) writer_.release(p.array);
  }
}

void launch_planner::keep_promises() {
  std::vector<mover::common_need> written;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!writer_.array(slots_[s].array).promised) continue;
    const split_plan::slot_summary& summary = plan_->slots[s];
    if (summary.writers) written.push_back({slots_[s].array, &summary.written});
    if (summary.combiners) written.push_back({slots_[s].array, &summary.combined});
  }
  if (!written.empty()) contents_.keep_promises(written);
}

}  // namespace tessera::plan
