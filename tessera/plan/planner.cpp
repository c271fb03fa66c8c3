#include "tessera/plan/planner.h"

#include "tessera/plan/launch_planner.h"

namespace tessera::plan {

planner::planner(machine_table machine, node_id node, planner_options options)
    : state_(std::move(machine), node), options_(options) {}

void planner::plan(const task& t, std::vector<instruction>& out, const instruction_taker& take) {
  state_.begin_task(t.id, out, take);
  std::visit([this](const auto& what) { plan_one(what); }, t.what);
  state_.end_task();
}

void planner::plan_one(const create_task& t) {
  state_.create(t.array, t.shape, t.type,
                t.parts ? t.parts : make_partition(t.home, t.shape, state_.machine().device_count()));
}

void planner::plan_one(const drop_task& t) { state_.release(t.array); }

void planner::plan_one(const fill_task& t) {
  state_.at(t.array).invalidate(region(t.where), std::make_shared<const std::vector<std::byte>>(t.value));
}

void planner::plan_one(const host_write_task& t) {
  array_state& a = state_.at(t.array);
  std::vector<partition::piece> mine;
  const int first = state_.machine().first_device(state_.node());
  a.home->pieces_of(first, first + state_.local_devices(), t.where, mine);
  std::map<int, std::vector<box>> by_device;
  for (const partition::piece& p : mine) by_device[p.device - first].push_back(p.where);
  a.invalidate(region(t.where), a.home);

  extents to_buffer = t.where.lo;
  for (int k = 0; k < to_buffer.rank(); ++k) to_buffer[k] = -to_buffer[k];
  std::vector<instruction_id> copies;
  for (const auto& [device, boxes] : by_device) {
    const region parts(boxes);
    const copy_ref source{t.buffer, state_.host()}, target{t.array, state_.local(device)};
    std::vector<box> from;
    for (const box& b : parts.boxes()) from.push_back(translate(b, to_buffer));
    copies.push_back(
        state_.emit(copy_op{source, target, std::move(from), t.where.lo}, operands_of(target, parts.boxes(), true)));
  }
  state_.emit(notify_op{t.ticket, t.buffer}, {}, std::move(copies));
}

void planner::plan_one(const host_read_task& t) {
  std::vector<box> nothing;
  std::vector<instruction_id> copies = state_.gather_to_host(t.array, t.where, t.buffer, nothing);
  if (options_.check_uninitialised && !nothing.empty()) {
    const operand whole{{t.buffer, state_.host()}, box::whole(t.where.hi), true};
    state_.emit(reject_op{"read() of " + to_string(nothing.front()) + ", which nobody wrote"}, {whole});
  }
  state_.emit(notify_op{t.ticket, t.buffer}, {}, std::move(copies));
}

void planner::plan_one(const std::shared_ptr<const launch_task>& t) {
  if (t->plan) return launch_planner(state_, t, options_.check_uninitialised).run();
  auto complete = std::make_shared<launch_task>(*t);
  const launch_shape shape = shape_of(*t, [&](const launch_array& a) {
    const array_state& s = state_.at(a.array);
    return array_slot{"parameter " + std::to_string(a.parameter), s.shape, s.type, s.home};
  });
  complete->plan = split_launch(shape, state_.machine(), state_.node());
  launch_planner(state_, complete, options_.check_uninitialised).run();
}

void planner::plan_one(const fence_task& t) { state_.emit(notify_op{t.ticket, array_id{}}, {}); }

}  // namespace tessera::plan
