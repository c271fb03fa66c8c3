#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/continuation.h"
#include "tessera/runtime/execute/event_table.h"
#include "tessera/runtime/execute/held_list.h"
#include "tessera/runtime/execute/issue/data_mover.h"
#include "tessera/runtime/execute/issue/launch_issuer.h"
#include "tessera/runtime/execute/issue/message_issuer.h"
#include "tessera/runtime/execute/issue/work_issuer.h"
#include "tessera/runtime/execute/memory_events.h"
#include "tessera/runtime/execute/running_instruction.h"
#include "tessera/runtime/execute/services.h"

namespace tessera::runtime {

/// Gives instructions to devices and the network, in the order planned. An instruction is enqueued as soon as it
/// comes, whether or not those before it have ended: queues and events keep the order, and the host is not in the
/// loop. A launch whose kernel is still being compiled is held back, with whatever depends on it, and the others go on;
/// the thread never sleeps for an event or for memory while it could issue something that it holds
/// (docs/design/0020-uncompiled-launches-are-held-back.md). Used by one thread, but for the functions that say
/// otherwise.
class executor {
 public:
  explicit executor(services with);
  ~executor();

  /// Issues all of `batch`, which is empty afterwards, and what was held back and can go now. Instructions that come
  /// later may be had from `more`, which leaves none if there are none: the farther ahead memory sees, the better it
  /// chooses what stays.
  void issue_all(std::vector<plan::instruction>& batch,
                 const std::function<void(std::vector<plan::instruction>&)>& more);
  /// Blocks until everything has been issued and has ended.
  void drain();

  /// Instructions that are held back until a kernel is compiled. Any thread.
  [[nodiscard]] std::size_t held() const { return held_.size(); }

  /// Which queues have not ended their work, a line each; for a report when nothing moves any more. Any thread.
  [[nodiscard]] std::string describe_queues() const;

  /// The messages that have not ended and the tasks that they belong to, a line each; `name` names a task. Any thread.
  [[nodiscard]] std::string describe_messages(const std::function<std::string(task_id)>& name) const;

  /// Destroys instructions that have ended. For the thread that makes them.
  void clear_ended() { ended_.clear(); }

 private:
  struct action_visitor;

  void announce();
  void issue(plan::instruction next);
  /// Finds out what a launch runs, and asks the network for a message, in the order of the plan.
  void prepare(pending_instruction& p);
  /// Does it unless it must be held back: something is, or the kernel of this launch is not compiled.
  void issue_or_hold(pending_instruction p);
  void pass_horizon(const plan::instruction& horizon);
  void hold(pending_instruction p);
  /// True if it and all that is held fit into memory beside what is there.
  [[nodiscard]] bool has_room(const plan::instruction& i);
  /// True if it can be issued without waiting for an event on this thread.
  [[nodiscard]] bool can_go(const pending_instruction& p) const;
  /// Issues what was held back and can go.
  void release_held();
  /// Issues everything that is held back as soon as it can go, until `done()` or nothing is held.
  template <class Done>
  void release_until(Done done);
  /// Issues everything that is held back.
  void settle();
  void carry_out(pending_instruction p);
  /// The current instruction cannot be enqueued: what depends on it gets the reason instead of a result.
  void fail(const std::exception_ptr& reason);

  services with_;
  event_table events_;
  memory_events memory_events_{with_, events_.tails()};
  continuation_list continuations_;
  running_instruction::ended_list ended_;
  work_issuer work_{with_, events_};
  data_mover mover_{with_, work_};
  message_issuer messages_{{with_, events_, work_, continuations_}};
  launch_issuer launches_{with_, work_};
  held_list held_{with_.devices.size()};
  std::atomic<bool> compiled_{false};  // a kernel that something held waits for

  std::vector<plan::instruction> window_;  // those before next_ have been issued, those before announced_ announced
  std::size_t next_ = 0, announced_ = 0;
};

}  // namespace tessera::runtime
