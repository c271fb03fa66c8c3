// What the engine says about itself: statistics, and a report when nothing moves any more.

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/runtime/engine.h"

namespace tessera::runtime {

watchdog::sight engine::look() const {
  const std::int64_t begun = counters_.begun, ended = counters_.ended;
  const bool waiting = commands_.size() > 0 || instructions_.size() > 0 || issuing_ || executor_->held() > 0;
  return {waiting || begun != ended, planned_ + static_cast<std::uint64_t>(begun + ended)};
}

/// Work is pending and nothing has begun or ended for `seconds`.
void engine::report_standstill(double seconds) {
  given_up_ = true;
  const std::size_t held = executor_->held();
  const std::string text =
      cat("no progress for ", seconds, " s (TESSERA_TIMEOUT): ", commands_.size(), " tasks wait to be planned, ",
          instructions_.size(), " instructions wait to be issued, ", counters_.begun - counters_.ended,
          " are with devices", held > 0 ? cat(", ", held, " are held back and wait for a kernel to be compiled") : "",
          issuing_ ? ", and the executor waits for memory, an event or a kernel to be compiled" : "",
          executor_->describe_queues(), executor_->describe_messages([this](task_id t) { return name_of(t); }), "\n  ",
          memory_->describe());
  log(log_level::error, text);
  stop_with(std::make_exception_ptr(device_error(text)));
}

std::string engine::name_of(task_id t) {
  const std::lock_guard lock(call_sites_mutex_);
  const auto& [task, where] = call_sites_[t.value % call_sites_.size()];
  if (task != t || where.line == 0) return cat("task ", t.value);
  return cat("the call at ", where.file, ":", where.line);
}

statistics engine::stats() {
  statistics s;
  s.tasks = counters_.tasks;
  s.instructions = counters_.instructions;
  s.launches = counters_.launches;
  s.superblocks = counters_.superblocks;
  s.copies = counters_.copies;
  s.host_to_device_bytes = counters_.host_to_device;
  s.device_to_host_bytes = counters_.device_to_host;
  s.device_to_device_bytes = counters_.device_to_device;
  s.sent_bytes = counters_.sent;
  s.received_bytes = counters_.received;
  s.messages_sent = counters_.messages;
  s.planning_ns = counters_.planning_ns;
  ask_planner([&](const plan::planner& now) { s.tracked_state = static_cast<std::int64_t>(now.tracked()); });
  const kernels::compile_counters c = kernels_->counters();
  s.kernels_compiled = c.compiled;
  s.kernel_cache_hits = c.disk_hits;
  const memory::spill_counters moved = memory_->counters();
  s.evictions = moved.evictions;
  s.spilled_bytes = moved.spilled_bytes;
  s.reloaded_bytes = moved.reloaded_bytes;
  s.disk_written_bytes = moved.disk_written_bytes;
  s.disk_read_bytes = moved.disk_read_bytes;
  s.memory_wait_ns = moved.waited_ns;
  for (std::size_t d = 0; d < devices_.size(); ++d) s.peak_bytes.push_back(memory_->peak_bytes(static_cast<int>(d)));
  return s;
}

}  // namespace tessera::runtime
