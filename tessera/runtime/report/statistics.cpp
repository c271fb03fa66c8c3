#include "tessera/runtime/report/statistics.h"

#include <iomanip>
#include <sstream>

namespace tessera {

std::string to_string(const statistics& s) {
  std::ostringstream out;
  const auto row = [&](const char* name, std::int64_t value) {
    if (value != 0) out << std::left << std::setw(26) << name << value << '\n';
  };
  row("tasks", s.tasks);
  row("instructions", s.instructions);
  row("launches", s.launches);
  row("superblocks", s.superblocks);
  row("copies", s.copies);
  row("host to device bytes", s.host_to_device_bytes);
  row("device to host bytes", s.device_to_host_bytes);
  row("device to device bytes", s.device_to_device_bytes);
  row("sent bytes", s.sent_bytes);
  row("received bytes", s.received_bytes);
  row("messages sent", s.messages_sent);
  row("kernels compiled", s.kernels_compiled);
  row("kernel cache hits", s.kernel_cache_hits);
  row("evictions", s.evictions);
  row("spilled bytes", s.spilled_bytes);
  row("reloaded bytes", s.reloaded_bytes);
  row("disk written bytes", s.disk_written_bytes);
  row("disk read bytes", s.disk_read_bytes);
  row("memory wait ns", s.memory_wait_ns);
  row("planning ns", s.planning_ns);
  row("tracked state", s.tracked_state);
  for (std::size_t d = 0; d < s.peak_bytes.size(); ++d)
    row(("peak bytes on device " + std::to_string(d)).c_str(), s.peak_bytes[d]);
  return std::move(out).str();
}

}  // namespace tessera
