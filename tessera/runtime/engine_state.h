#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tessera/base/config.h"
#include "tessera/comm/transport.h"
#include "tessera/device/backend.h"
#include "tessera/memory/residency.h"
#include "tessera/plan/split/cache.h"
#include "tessera/runtime/execute/executor.h"
#include "tessera/runtime/execute/failures.h"
#include "tessera/runtime/execute/ticket.h"
#include "tessera/runtime/kernel_library.h"
#include "tessera/runtime/launch_tasks.h"
#include "tessera/runtime/machine/machine_notes.h"
#include "tessera/runtime/report/array_names.h"
#include "tessera/runtime/report/call_sites.h"
#include "tessera/runtime/report/live_statistics.h"
#include "tessera/runtime/report/trace.h"
#include "tessera/runtime/report/transfer_log.h"
#include "tessera/runtime/report/watchdog.h"
#include "tessera/runtime/stream_check.h"
#include "tessera/runtime/task_pipeline.h"
#include "tessera/runtime/variables/file_variables.h"

namespace tessera::runtime {

/// What an engine consists of, and how it begins and ends. Parts are made in the order of their declaration, each of
/// those before it, and end in the opposite order.
struct engine_state {
  /// Connects to the other ranks and makes everything. If it throws, the other ranks are told.
  engine_state(const engine& owner, const options& settings);
  /// Finishes all work, unless that makes no progress any more: then the process ends.
  ~engine_state();
  engine_state(const engine_state&) = delete;
  engine_state& operator=(const engine_state&) = delete;

  /// Throws what a failed network left behind instead of results.
  void throw_if_disconnected();
  /// Waits for everything submitted; throws the first failure that has not been thrown yet.
  void wait_all();

  check_list checks;  ///< Of programs.
  std::shared_ptr<comm::transport> network;
  std::vector<std::unique_ptr<device::backend>> backends;
  std::vector<memory::local_device> devices;
  std::unique_ptr<trace> timeline;
  library_handles handles;  ///< Of native kernels; they end before the backends do.
  std::unique_ptr<memory::residency> residency;
  std::unique_ptr<machine_notes> notes;
  std::unique_ptr<kernel_library> kernels;
  std::unique_ptr<plan::split_cache> splits;
  std::unique_ptr<launch_task_maker> launches;
  array_names names;
  call_sites sites;
  std::unique_ptr<transfer_log> transfers;
  failure_table failures;
  ticket_table tickets;
  live_statistics counters;
  std::unique_ptr<stream_check> calls;  ///< With several ranks.
  std::unique_ptr<executor> issuer;
  std::unique_ptr<task_pipeline> tasks;
  std::unique_ptr<file_variables> variables;  ///< Made, and ended, by the engine that it uses.

  std::atomic<std::uint64_t> last_array{0}, last_buffer{std::uint64_t{1} << 62};

 private:
  void begin(const engine& owner, const options& settings);
  /// The process ends, and the context later than the network can be used: in a global object, perhaps.
  void finish_early();
  void name_rows();
  [[nodiscard]] watchdog::observation look() const;
  /// Work is pending and nothing has begun or ended for `seconds`.
  void report_standstill(double seconds);

  const int exceptions_ = std::uncaught_exceptions();
  std::atomic<bool> given_up_{false};  // something never ends
  bool finished_ = false;              // the process has parted with the other ranks
  std::unique_ptr<watchdog> watchdog_;
};

}  // namespace tessera::runtime
