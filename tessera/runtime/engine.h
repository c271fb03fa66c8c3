#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "tessera/base/config.h"
#include "tessera/comm/transport.h"
#include "tessera/device/backend.h"
#include "tessera/memory/residency.h"
#include "tessera/plan/planner.h"
#include "tessera/plan/split/cache.h"
#include "tessera/runtime/channel.h"
#include "tessera/runtime/execute/executor.h"
#include "tessera/runtime/execute/failures.h"
#include "tessera/runtime/execute/ticket.h"
#include "tessera/runtime/kernel_library.h"
#include "tessera/runtime/report/live_statistics.h"
#include "tessera/runtime/report/statistics.h"
#include "tessera/runtime/report/trace.h"
#include "tessera/runtime/report/watchdog.h"
#include "tessera/runtime/stream_check.h"

namespace tessera::runtime {

/// One rank of a running system: its devices, its planner thread and its executor thread. User threads submit tasks;
/// tasks become instructions on the planner thread; instructions become device work on the executor thread.
/// Thread-safe. The destructor finishes all work.
class engine {
 public:
  explicit engine(const options& given);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  using task_body = decltype(plan::task::what);

  /// Puts a task at the end of the stream.
  void submit(task_body what, call_site where = {});

  [[nodiscard]] array_id new_array() { return array_id(++last_array_); }
  /// A local number for host memory that a task names.
  array_id adopt_host(const extents& shape, const dtype& type, std::byte* data);
  void release_host(array_id buffer);

  /// A ticket and the number by which a task names it.
  std::pair<std::shared_ptr<ticket>, std::uint64_t> new_ticket();
  /// Waits; throws what made one of `buffers` fail, or what stopped the engine.
  void wait(ticket& t, std::span<const array_id> buffers);
  /// Waits for everything submitted; throws the first failure nobody has seen yet.
  void wait_all();

  /// What planning `what` now would give, without doing it.
  [[nodiscard]] std::vector<plan::instruction> rehearse(task_body what);

  [[nodiscard]] kernel_library& kernels() { return *kernels_; }
  [[nodiscard]] plan::split_cache& splits() { return *splits_; }
  [[nodiscard]] const plan::machine_table& machine() const { return splits_->machine(); }
  [[nodiscard]] const std::vector<memory::local_device>& devices() const { return devices_; }
  [[nodiscard]] statistics stats();
  void count_launch() { live_statistics::add(counters_.launches, 1); }
  [[nodiscard]] node_id node() const { return network_->rank(); }

 private:
  using command = std::variant<plan::task, std::function<void(const plan::planner&)>>;

  /// What is left to do when there is a network. Throws before it starts a thread.
  void begin(const options& how);
  void finish();
  /// Has the planner thread call `look` behind everything submitted so far, and waits for it.
  void ask_planner(const std::function<void(const plan::planner&)>& look);
  void name_rows();
  void plan_loop();
  void hand_over(std::vector<plan::instruction>& planned);
  void execute_loop();
  void stop_with(const std::exception_ptr& reason);
  [[nodiscard]] watchdog::sight look() const;
  void report_standstill(double seconds);
  [[nodiscard]] std::string name_of(task_id t);
  void throw_if_stopped();
  void throw_if_disconnected();
  void end_stream();

  std::vector<std::unique_ptr<device::backend>> backends_;
  std::vector<memory::local_device> devices_;
  std::shared_ptr<comm::transport> network_;
  std::unique_ptr<trace> trace_;
  std::unique_ptr<memory::residency> memory_;
  std::unique_ptr<kernel_library> kernels_;
  std::unique_ptr<plan::split_cache> splits_;
  std::unique_ptr<plan::planner> planner_;
  std::unique_ptr<executor> executor_;
  failure_book failures_;
  ticket_table tickets_;
  live_statistics counters_;

  std::atomic<std::uint64_t> last_array_{0}, last_buffer_{std::uint64_t{1} << 62};
  std::unique_ptr<stream_check> calls_;  // with several ranks
  const int exceptions_ = std::uncaught_exceptions();
  const bool cores_to_spare_ = std::thread::hardware_concurrency() > 4;
  std::mutex submit_mutex_;  // one order of tasks, and their numbers
  std::uint64_t last_task_ = 0;
  std::mutex call_sites_mutex_;                                 // taken last: whoever submits may wait for long
  std::array<std::pair<task_id, call_site>, 4096> call_sites_;  // of the last tasks
  std::mutex stopped_mutex_;
  std::exception_ptr stopped_;

  channel<command> commands_{4096};
  channel<plan::instruction> instructions_{8192};
  std::thread planner_thread_, executor_thread_;
  std::atomic<std::uint64_t> planned_{0};  // tasks
  std::atomic<bool> issuing_{false};       // the executor has instructions
  std::atomic<bool> given_up_{false};      // something never ends
  bool finished_ = false;                  // the process has parted with the other ranks
  std::unique_ptr<watchdog> watchdog_;
};

}  // namespace tessera::runtime
