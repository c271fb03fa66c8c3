#include "tessera/plan/coherence/instruction_writer.h"

#include <algorithm>
#include <map>

#include "tessera/base/defects.h"

namespace tessera::plan {
namespace {

constexpr std::uint64_t horizon_step = 1024;  // instructions between horizons: bounds state and work under way
// Arrays in many pieces whose writers may still be at work cost every access a look at each piece: then horizons come
// sooner, after which these pieces are joined.
constexpr std::uint64_t short_step = 128;
constexpr std::uint64_t many_dependencies = 8 * horizon_step;

}  // namespace

void instruction_writer::create(array_id id, const extents& shape, const dtype& type, const partition_ptr& home) {
  emit(declare_op{id, shape, type}, {});
  state_.arrays.create(id, shape, type, home);
}

array_id instruction_writer::make_temporary(const extents& shape, const dtype& type) {
  const array_id id = state_.arrays.next_temporary();
  create(id, shape, type, nullptr);
  return id;
}

void instruction_writer::release(array_id id) {
  const array_state* a = state_.arrays.find(id);
  if (a == nullptr) return;
  std::vector<instruction_id> users = a->users();
  state_.arrays.erase(id);
  emit(release_op{id}, {}, std::move(users));
}

void instruction_writer::invalidate(array_id id, const region& area, const provenance& from) {
  array_state& a = array(id);
  a.invalidate(area, from, ended());
  if (a.is_scattered()) bring_constants_home(id);
}

/// Every rank fills its own part. What holds nothing yet becomes part of the home without an instruction, unless reads
/// of it are to be found.
void instruction_writer::bring_constants_home(array_id id) {
  array_state& a = array(id);
  std::map<constant_ptr, std::vector<box>> constants;
  std::vector<box> nothing;
  const bool keep_nothing = machine().table().settings().check_uninitialised;
  a.owners.visit(a.owners.domain(), [&](const box& b, const ownership& now) {
    if (const auto* value = std::get_if<constant_ptr>(&now.from)) constants[*value].push_back(b);
    if (std::holds_alternative<std::monostate>(now.from) && !keep_nothing) nothing.push_back(b);
  });
  const device_range here = machine().devices();
  if (!nothing.empty()) {
    const region area(std::move(nothing));
    a.invalidate(area, a.home, ended());
    for (const auto& [device, part] : by_device(*a.home, area.boxes(), here))
      for (const box& b : part.boxes()) a.note_write(device - here.first, b, {}, ended());
  }
  for (auto& [value, boxes] : constants) {
    const region area(std::move(boxes));
    a.invalidate(area, a.home, ended());
    for (const auto& [device, part] : by_device(*a.home, area.boxes(), here)) {
      const copy_ref target{id, machine().device(device - here.first)};
      emit(fill_op{target, list(part), value}, operands_of(target, part.boxes(), true));
    }
  }
}

void instruction_writer::finish() {
  instruction_numbers& numbers = state_.numbers;
  const std::uint64_t made = numbers.next - numbers.last_horizon;
  if (made < (numbers.dependencies > many_dependencies ? short_step : horizon_step)) return;
  const instruction_id id = emit(horizon_op{}, {});
  numbers.previous_horizon = numbers.last_horizon;
  numbers.last_horizon = id.value;
  numbers.dependencies = 0;
}

instruction& instruction_writer::append(std::vector<operand> operands, std::vector<instruction_id> also) {
  constexpr std::size_t many = 256;
  if (take_ != nullptr && out_.size() >= many) (*take_)(out_);
  instruction& made = out_.emplace_back();
  made.id = instruction_id(state_.numbers.next++);
  made.task = task_;
  made.after = std::move(also);
  constexpr std::size_t usual_dependencies = 8;
  if (made.after.capacity() == 0 && !operands.empty()) made.after.reserve(usual_dependencies);
  for (const operand& o : operands)
    if (array_state* a = state_.arrays.find(o.copy.array))
      a->dependencies(machine().memory_of(o.copy.place), o.bounds, o.written, made.after);
  for (const operand& o : operands)
    if (!o.written) note(o, made.id);
  for (const operand& o : operands)
    if (o.written) note(o, made.id);
  // Everything up to the previous horizon has ended before this is issued.
  instruction_numbers& numbers = state_.numbers;
  const std::uint64_t ended = planted("horizon_too_near") ? numbers.last_horizon : numbers.previous_horizon;
  numbers.dependencies += made.after.size();
  std::erase_if(made.after, [&](instruction_id i) { return i.value <= ended || i == made.id; });
  std::sort(made.after.begin(), made.after.end());
  made.after.erase(std::unique(made.after.begin(), made.after.end()), made.after.end());
  made.operands = std::move(operands);
  return made;
}

void instruction_writer::note(const operand& o, instruction_id id) {
  array_state* a = state_.arrays.find(o.copy.array);
  if (a == nullptr) return;
  const int memory = machine().memory_of(o.copy.place);
  if (o.written)
    a->note_write(memory, o.bounds, id, ended());
  else
    a->note_read(memory, o.bounds, id, ended());
}

instruction_id instruction_writer::send(node_id peer, location source, std::vector<message_part> parts,
                                        std::vector<instruction_id> also) {
  const std::uint64_t next = state_.numbers.next_sent[static_cast<std::size_t>(peer.value)]++;
  const std::uint64_t number = next ^ planted("messages_swapped");
  std::vector<operand> operands = operands_of(source, parts, false);
  return emit(send_op{peer, number, source, std::move(parts)}, std::move(operands), std::move(also));
}

instruction_id instruction_writer::receive(node_id peer, location target, std::vector<message_part> parts) {
  const std::uint64_t number = state_.numbers.next_received[static_cast<std::size_t>(peer.value)]++;
  std::vector<operand> operands = operands_of(target, parts, true);
  return emit(receive_op{peer, number, target, std::move(parts)}, std::move(operands));
}

std::vector<operand> operands_of(const copy_ref& copy, std::span<const box> boxes, bool written) {
  std::vector<operand> result;
  result.reserve(boxes.size());
  for (const box& b : boxes) result.push_back({copy, b, written});
  return result;
}

std::vector<operand> operands_of(location place, std::span<const message_part> parts, bool written) {
  std::vector<operand> result;
  result.reserve(parts.size());
  for (const message_part& p : parts)
    for (const box& b : p.boxes) result.push_back({{p.array, place}, b, written});
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
