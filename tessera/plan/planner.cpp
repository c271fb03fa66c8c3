#include "tessera/plan/planner.h"

#include "tessera/plan/launch_planner.h"

namespace tessera::plan {

planner::planner(machine_table machine, node_id node) : state_(std::move(machine), node) {}

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
  state_.emit(notify_op{t.ticket, false}, {}, state_.scatter_from_host(t));
}

void planner::plan_one(const host_read_task& t) {
  std::vector<box> nothing;
  std::vector<instruction_id> copies = state_.gather_to_host(t, nothing);
  if (checks_uninitialised() && !nothing.empty())
    for (const array_id buffer : t.buffers)
      state_.emit(reject_op{"read() of " + to_string(nothing.front()) + ", which nobody wrote"},
                  {{{buffer, state_.host()}, box::whole(t.where.hi), true}});
  state_.emit(notify_op{t.ticket, false}, {}, std::move(copies));
}

void planner::plan_one(const snapshot_task& t) {
  if (state_.keep(t) || !checks_uninitialised()) return;
  state_.own_everywhere(t.value);  // whoever uses it hears of this
  state_.emit(reject_op{"value() of " + to_string(t.where) + ", which nobody wrote"},
              {{{t.value, state_.local(0)}, box::whole(state_.at(t.value).shape), true}});
}

void planner::plan_one(const std::shared_ptr<const launch_task>& t) {
  if (t->plan) return launch_planner(state_, t).run();
  auto complete = std::make_shared<launch_task>(*t);
  const launch_shape shape = shape_of(*t, [&](const launch_array& a) {
    const array_state& s = state_.at(a.array);
    return array_slot{"parameter " + std::to_string(a.parameter), s.shape, s.type, s.home};
  });
  complete->plan = split_launch(shape, state_.machine(), state_.node());
  launch_planner(state_, complete).run();
}

void planner::plan_one(const fence_task& t) { state_.emit(notify_op{t.ticket, true}, {}); }

}  // namespace tessera::plan
