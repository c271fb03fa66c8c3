#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <variant>
#include <vector>

#include "tessera/base/threads/alert_wait.h"
#include "tessera/comm/transport.h"
#include "tessera/plan/planner.h"
#include "tessera/runtime/channel.h"
#include "tessera/runtime/execute/executor.h"
#include "tessera/runtime/execute/ticket.h"
#include "tessera/runtime/report/call_sites.h"
#include "tessera/runtime/report/live_statistics.h"
#include "tessera/runtime/stream_check.h"

namespace tessera::runtime {

/// The way of a task through one rank: user threads submit it, the planner thread turns it into instructions, the
/// executor thread gives those to the devices. Two bounded channels lie between the threads. Thread-safe.
///
/// If planning or issuing throws, which only a defect or exhausted host memory can cause, the pipeline stops: all
/// waiting threads are released, and every later call throws the reason.
class task_pipeline {
 public:
  /// What the pipeline works with; all of it outlives the pipeline.
  struct parts {
    comm::transport& network;
    executor& issuer;
    ticket_table& tickets;
    live_statistics& counters;
    call_sites& sites;
    stream_check* calls = nullptr;  ///< With several ranks.
  };

  task_pipeline(const parts& with, plan::planner planner);
  ~task_pipeline() { close(); }
  task_pipeline(const task_pipeline&) = delete;
  task_pipeline& operator=(const task_pipeline&) = delete;

  /// Puts a task at the end of the stream. Waits while the planner is far behind.
  void submit(plan::task_body body, call_site site);
  /// Has the planner thread call `look` behind everything submitted so far, and waits for it.
  void ask_planner(const std::function<void(const plan::planner&)>& look);
  /// The instructions of this rank if the launches were submitted now, one after the other; none is. Waits for the
  /// planner.
  [[nodiscard]] std::vector<plan::instruction> rehearse(
      std::span<const std::shared_ptr<const plan::launch_task>> launches);

  /// Has the executor look at what it holds back.
  void wake_executor() { instructions_.wake(); }

  /// To be called before the calling thread waits for other ranks: they hear of all calls made so far.
  void flush_calls();
  /// This rank makes no more calls: tells the others, and waits a little for what they say.
  void end_calls();

  /// Issues what was submitted and ends the threads; later calls do nothing. `wake_executor` may still be called.
  void close();
  /// Nothing can be promised any more, because of `reason`.
  void stop(const std::exception_ptr& reason);
  /// From now on calls throw `reason`; what was submitted goes on.
  void refuse_calls(const std::exception_ptr& reason);
  void throw_if_stopped();

  /// How much waits at which place, for a look from outside.
  struct load {
    std::size_t tasks = 0, instructions = 0;  ///< That wait to be planned or issued.
    bool issuing = false;                     ///< The executor has instructions.
    std::uint64_t planned = 0;                ///< Tasks so far.
  };
  [[nodiscard]] load look() const;

 private:
  using command = std::variant<plan::task, std::function<void(const plan::planner&)>>;

  void plan_loop();
  void hand_over(std::vector<plan::instruction>& planned);
  void execute_loop();

  parts with_;
  plan::planner planner_;  // used by the planner thread alone

  std::mutex submit_mutex_;  // one order of tasks, and their numbers
  std::uint64_t last_task_ = 0;
  std::mutex stopped_mutex_;
  std::exception_ptr stopped_;

  channel<command> commands_{4096};
  channel<plan::instruction> instructions_{8192};
  std::atomic<std::uint64_t> planned_{0};  // tasks
  std::atomic<bool> issuing_{false};
  std::thread planner_thread_, executor_thread_;  // last: they use all of the above
};

}  // namespace tessera::runtime
