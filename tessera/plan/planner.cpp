#include "tessera/plan/planner.h"

#include "tessera/plan/coherence/host_mover.h"
#include "tessera/plan/launch_planner.h"

namespace tessera::plan {
namespace {

/// Plans one task.
class task_planner {
 public:
  explicit task_planner(mover& contents) : contents_(contents), writer_(contents.writer()) {}

  void operator()(const create_task& t) {
    const partition_ptr home = t.parts ? t.parts : make_partition(t.home, t.shape, writer_.machine().table());
    writer_.create(t.array, t.shape, t.type, home);
    writer_.array(t.array).promised = kept_copies(*home, t.shape, t.type, writer_.machine().table());
  }

  void operator()(const drop_task& t) { writer_.release(t.array); }

  /// Constants are known everywhere: promised copies need no bytes of them.
  void operator()(const fill_task& t) {
    writer_.invalidate(t.array, region(t.bounds), std::make_shared<const std::vector<std::byte>>(t.value));
  }

  void operator()(const host_write_task& t) {
    writer_.emit(notify_op{t.ticket, false}, {}, host_mover(contents_).scatter(t));
    const region written(t.bounds);
    const mover::common_need promised{t.array, &written};
    contents_.keep_promises({&promised, 1});
  }

  void operator()(const host_read_task& t) {
    std::vector<box> nothing;
    std::vector<instruction_id> copies = host_mover(contents_).gather(t, nothing);
    if (checks_uninitialised() && !nothing.empty())
      for (const array_id buffer : t.buffers)
        writer_.emit(reject_op{"read() of " + to_string(nothing.front()) + ", which nobody wrote"},
                     {{{buffer, writer_.machine().host()}, box::whole(t.bounds.hi), true}});
    writer_.emit(notify_op{t.ticket, false}, {}, std::move(copies));
  }

  void operator()(const snapshot_task& t) {
    if (contents_.keep_value(t) || !checks_uninitialised()) return;
    array_state& value = writer_.array(t.value);
    value.own_everywhere();  // so that what uses it fails
    writer_.emit(reject_op{"value() of " + to_string(t.bounds) + ", which nobody wrote"},
                 {{{t.value, writer_.machine().device(0)}, box::whole(value.shape), true}});
  }

  void operator()(const std::shared_ptr<const launch_task>& t) {
    if (t->plan) return launch_planner(contents_, t).run();
    auto complete = std::make_shared<launch_task>(*t);
    const launch_shape shape = shape_of(*t, [&](const launch_array& a) {
      const array_state& s = writer_.array(a.array);
      return array_slot{"parameter " + std::to_string(a.parameter), s.shape, s.type, s.home};
    });
    complete->plan = split_launch(shape, writer_.machine().table(), writer_.machine().node());
    launch_planner(contents_, complete).run();
  }

  void operator()(const fence_task& t) { writer_.emit(notify_op{t.ticket, true}, {}); }

 private:
  [[nodiscard]] bool checks_uninitialised() const { return writer_.machine().table().settings().check_uninitialised; }

  mover& contents_;
  instruction_writer& writer_;
};

}  // namespace

void planner::plan(const task& t, std::vector<instruction>& out, const instruction_taker& take) {
  instruction_writer writer(state_, t.id, out, take);
  mover contents(state_, writer);
  std::visit(task_planner(contents), t.body);
  writer.finish();
}

}  // namespace tessera::plan
