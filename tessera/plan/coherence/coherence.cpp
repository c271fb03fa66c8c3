#include "tessera/plan/coherence/coherence.h"

#include <algorithm>

#include "tessera/base/defects.h"

namespace tessera::plan {
namespace {

constexpr std::uint64_t horizon_step = 1024;  // instructions between horizons: bounds state and work under way

}  // namespace

array_state::array_state(const extents& array_shape, const dtype& element, partition_ptr parts, int memories)
    : shape(array_shape),
      type(element),
      home(std::move(parts)),
      owners(box::whole(array_shape), ownership{}),
      replicas(box::whole(array_shape), ranks{}),
      copies_(static_cast<std::size_t>(memories)) {}

region_map<array_state::copy_state>& array_state::copy(int index) {
  auto& slot = copies_[static_cast<std::size_t>(index)];
  if (!slot) slot.emplace(box::whole(shape), copy_state{});
  return *slot;
}

const region_map<array_state::copy_state>* array_state::find_copy(int index) const {
  const auto& slot = copies_[static_cast<std::size_t>(index)];
  return slot ? &*slot : nullptr;
}

void array_state::invalidate(const region& where, const origin& from) {
  if (!planted("stale_copy") || where.volume() > 4) ++last_version_;
  for (const box& b : where.boxes()) {
    owners.update(b, [&](ownership& now) {
      now = {from, last_version_, now.everywhere && planted("everywhere_kept")};
    });
    if (!planted("replicas_kept")) replicas.assign(b, {});
  }
}

coherence::coherence(machine_table machine, node_id node)
    : machine_(std::move(machine)),
      node_(node),
      local_devices_(machine_.devices_of(node)),
      sent_(static_cast<std::size_t>(machine_.node_count()), 1),  // message 1 of each pair was the table of devices
      received_(sent_) {}

void coherence::create(array_id id, const extents& shape, const dtype& type, const partition_ptr& home) {
  emit(declare_op{id, shape, type}, {});
  arrays_.try_emplace(id, shape, type, home, local_devices_ + 1);
}

array_id coherence::make_temporary(const extents& shape, const dtype& type) {
  const array_id id(next_temporary_++);
  create(id, shape, type, nullptr);
  return id;
}

void coherence::release(array_id id) {
  const auto found = arrays_.find(id);
  if (found == arrays_.end()) return;
  std::vector<instruction_id> users;
  const box whole = box::whole(found->second.shape);
  for (int m = 0; m <= local_devices_; ++m)
    if (const auto* copy = found->second.find_copy(m))
      copy->visit(whole, [&](const box&, const array_state::copy_state& s) {
        users.push_back(s.writer);
        if (planted("release_early")) return;
        users.insert(users.end(), s.readers.begin(), s.readers.end());
      });
  arrays_.erase(found);
  emit(release_op{id}, {}, std::move(users));
}

void coherence::begin_task(task_id task, std::vector<instruction>& out, const instruction_taker& take) {
  task_ = task;
  out_ = &out;
  take_ = take ? &take : nullptr;
}

void coherence::end_task() {
  if (next_instruction_ - last_horizon_ < horizon_step) return;
  const instruction_id id = emit(horizon_op{}, {});
  previous_horizon_ = last_horizon_;
  last_horizon_ = id.value;
}

instruction& coherence::append(std::vector<operand> operands, std::vector<instruction_id> also) {
  constexpr std::size_t many = 256;
  if (take_ != nullptr && out_->size() >= many) (*take_)(*out_);
  instruction& made = out_->emplace_back();
  made.id = instruction_id(next_instruction_++);
  made.task = task_;
  made.after = std::move(also);
  constexpr std::size_t usual_dependencies = 8;
  if (made.after.capacity() == 0 && !operands.empty()) made.after.reserve(usual_dependencies);
  for (const operand& o : operands) collect(o, made.after);
  for (const operand& o : operands)
    if (!o.written) record(o, made.id);
  for (const operand& o : operands)
    if (o.written) record(o, made.id);
  // Everything up to the previous horizon has ended before this is issued.
  const std::uint64_t ended = planted("horizon_too_near") ? last_horizon_ : previous_horizon_;
  std::erase_if(made.after, [&](instruction_id i) { return i.value <= ended || i == made.id; });
  std::sort(made.after.begin(), made.after.end());
  made.after.erase(std::unique(made.after.begin(), made.after.end()), made.after.end());
  made.operands = std::move(operands);
  return made;
}

void coherence::collect(const operand& o, std::vector<instruction_id>& after) {
  const auto found = arrays_.find(o.copy.array);
  if (found == arrays_.end()) return;
  const auto* copy = found->second.find_copy(memory_index(o.copy.where));
  if (copy == nullptr) return;
  copy->visit(o.where, [&](const box&, const array_state::copy_state& s) {
    if (!planted(o.written ? "write_after_write" : "read_after_write")) after.push_back(s.writer);
    if (o.written && !planted("write_after_read")) after.insert(after.end(), s.readers.begin(), s.readers.end());
  });
}

void coherence::record(const operand& o, instruction_id id) {
  const auto found = arrays_.find(o.copy.array);
  if (found == arrays_.end()) return;
  array_state& a = found->second;
  auto& copy = a.copy(memory_index(o.copy.where));
  if (o.written) {
    a.owners.visit(o.where, [&](const box& piece, const ownership& now) {
      copy.update(piece, [&](array_state::copy_state& s) {
        s.writer = id;
        s.version = now.version;
        s.readers.clear();
      });
    });
    return;
  }
  copy.update(o.where, [&](array_state::copy_state& s) {
    if (planted("reader_forgotten")) s.readers.clear();
    s.readers.erase_if([&](instruction_id r) { return r.value <= previous_horizon_ || r == id; });
    s.readers.push_back(id);
  });
}

instruction_id coherence::send(node_id peer, location source, std::vector<message_part> parts,
                               std::vector<instruction_id> also) {
  const std::uint64_t number = ++sent_[static_cast<std::size_t>(peer.value)] ^ planted("messages_swapped");
  std::vector<operand> operands = operands_of(source, parts, false);
  return emit(send_op{peer, number, source, std::move(parts)}, std::move(operands), std::move(also));
}

instruction_id coherence::receive(node_id peer, location target, std::vector<message_part> parts) {
  const std::uint64_t number = ++received_[static_cast<std::size_t>(peer.value)];
  std::vector<operand> operands = operands_of(target, parts, true);
  return emit(receive_op{peer, number, target, std::move(parts)}, std::move(operands));
}

std::size_t coherence::tracked() const {
  std::size_t sum = 0;
  for (const auto& [id, a] : arrays_) {
    sum += a.owners.size() + a.replicas.size();
    for (int m = 0; m <= local_devices_; ++m)
      if (const auto* copy = a.find_copy(m))
        copy->visit(box::whole(a.shape),
                    [&](const box&, const array_state::copy_state& s) { sum += 1 + s.readers.size(); });
  }
  return sum;
}

std::vector<operand> operands_of(const copy_ref& copy, std::span<const box> boxes, bool written) {
  std::vector<operand> result;
  result.reserve(boxes.size());
  for (const box& b : boxes) result.push_back({copy, b, written});
  return result;
}

std::vector<operand> operands_of(location where, std::span<const message_part> parts, bool written) {
  std::vector<operand> result;
  result.reserve(parts.size());
  for (const message_part& p : parts)
    for (const box& b : p.boxes) result.push_back({{p.array, where}, b, written});
  return result;
}

std::vector<operand> operands_of(const copy_op& o) {
  std::vector<operand> result;
  result.reserve(2 * o.boxes.size());
  for (const box& b : o.boxes) result.push_back({o.source, b, false});
  for (const box& b : o.boxes) result.push_back({o.target, translate(b, o.shift), true});
  return result;
}

}  // namespace tessera::plan
