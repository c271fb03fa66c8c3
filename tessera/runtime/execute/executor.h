#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/continuation.h"
#include "tessera/runtime/execute/event_table.h"
#include "tessera/runtime/execute/issue/data_mover.h"
#include "tessera/runtime/execute/issue/launch_issuer.h"
#include "tessera/runtime/execute/issue/message_issuer.h"
#include "tessera/runtime/execute/issue/work_issuer.h"
#include "tessera/runtime/execute/running_instruction.h"
#include "tessera/runtime/execute/services.h"

namespace tessera::runtime {

/// Gives instructions to devices and the network, in the order planned. An instruction is enqueued as soon as it
/// comes, whether or not those before it have ended: queues and events keep the order, and the host is not in the
/// loop. Used by one thread, but for the functions that say otherwise.
class executor {
 public:
  explicit executor(services with);
  ~executor();

  /// Issues all of `batch`, which is empty afterwards. Instructions that come later may be had from `more`, which
  /// leaves none if there are none: the farther ahead memory sees, the better it chooses what stays.
  void issue_all(std::vector<plan::instruction>& batch,
                 const std::function<void(std::vector<plan::instruction>&)>& more);
  /// Blocks until everything issued has ended.
  void drain();

  /// Which queues have not ended their work, a line each; for a report when nothing moves any more. Any thread.
  [[nodiscard]] std::string describe_queues() const;

  /// The messages that have not ended and the tasks that they belong to, a line each; `name` names a task. Any thread.
  [[nodiscard]] std::string describe_messages(const std::function<std::string(task_id)>& name) const;

  /// Destroys instructions that have ended. For the thread that makes them.
  void clear_ended() { ended_.clear(); }

 private:
  void issue(plan::instruction next);
  void announce();
  void connect_memory();
  /// The current instruction cannot be enqueued: what depends on it gets the reason instead of a result.
  void fail(const std::exception_ptr& reason);

  void carry_out(const plan::instruction& i, const plan::declare_op& o);
  void carry_out(const plan::instruction& i, const plan::release_op& o);
  void carry_out(const plan::instruction& i, const plan::launch_op& o);
  void carry_out(const plan::instruction&, const plan::copy_op& o) { mover_.issue(o); }
  void carry_out(const plan::instruction&, const plan::fill_op& o) { mover_.issue(o); }
  void carry_out(const plan::instruction&, const plan::fold_op& o) { mover_.issue(o); }
  void carry_out(const plan::instruction& i, const plan::send_op& o) { messages_.issue(i, o); }
  void carry_out(const plan::instruction& i, const plan::receive_op& o) { messages_.issue(o, messages_.expect(i, o)); }
  void carry_out(const plan::instruction& i, const plan::horizon_op& o);
  void carry_out(const plan::instruction& i, const plan::notify_op& o);
  void carry_out(const plan::instruction& i, const plan::reject_op& o);

  services with_;
  event_table events_;
  continuation_list continuations_;
  running_instruction::ended_list ended_;
  work_issuer work_{with_, events_};
  data_mover mover_{with_, work_};
  message_issuer messages_{{with_, events_, work_, continuations_}};
  launch_issuer launches_{with_, work_};

  std::vector<plan::instruction> window_;  // those before next_ have been issued, those before announced_ announced
  std::size_t next_ = 0, announced_ = 0;
};

}  // namespace tessera::runtime
