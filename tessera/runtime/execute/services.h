#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tessera/comm/transport.h"
#include "tessera/memory/residency.h"
#include "tessera/runtime/execute/failures.h"
#include "tessera/runtime/execute/launch_check.h"
#include "tessera/runtime/execute/ticket.h"
#include "tessera/runtime/kernel_library.h"
#include "tessera/runtime/library_handles.h"
#include "tessera/runtime/report/live_statistics.h"
#include "tessera/runtime/report/trace.h"
#include "tessera/runtime/report/transfer_log.h"

namespace tessera::runtime {

/// Everything outside the executor that instructions are carried out with; all of it outlives the executor.
struct services {
  std::vector<memory::local_device> devices;
  memory::residency& memory;
  comm::transport& network;
  kernel_library& kernels;
  failure_table& failures;
  ticket_table& tickets;
  live_statistics& statistics;
  trace* timeline = nullptr;
  launch_checks checks{};
  transfer_log* transfers = nullptr;
  library_handles* handles = nullptr;
  /// Has the thread that issues call `executor::issue_all` again, although there may be no new instructions. Called by
  /// any thread.
  std::function<void()> wake = [] {};

  [[nodiscard]] bool logs_transfers() const { return transfers != nullptr && transfers->wanted(); }
  /// "cpu:0" or "host".
  [[nodiscard]] std::string name_of(location place) const {
    if (place.is_host()) return "host";
    const memory::local_device& d = devices[static_cast<std::size_t>(place.index)];
    return d.backend->devices()[static_cast<std::size_t>(d.index)].name;
  }
};

}  // namespace tessera::runtime
