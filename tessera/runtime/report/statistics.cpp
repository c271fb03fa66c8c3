#include "tessera/runtime/report/statistics.h"

#include <array>
#include <iomanip>
#include <sstream>

namespace tessera {
namespace {

/// Every counter with the name it is printed with.
struct counter {
  const char* name;
  std::int64_t statistics::*value;
  bool level = false;  // what is now, not what has been counted so far
};
constexpr std::array counters{
    counter{"tasks", &statistics::tasks},
    counter{"instructions", &statistics::instructions},
    counter{"launches", &statistics::launches},
    counter{"superblocks", &statistics::superblocks},
    counter{"uncompiled_superblocks", &statistics::uncompiled_superblocks},
    counter{"copies", &statistics::copies},
    counter{"host to device bytes", &statistics::host_to_device_bytes},
    counter{"device to host bytes", &statistics::device_to_host_bytes},
    counter{"device to device bytes", &statistics::device_to_device_bytes},
    counter{"same device bytes", &statistics::same_device_bytes},
    counter{"peer bytes", &statistics::peer_bytes},
    counter{"through host bytes", &statistics::through_host_bytes},
    counter{"sent bytes", &statistics::sent_bytes},
    counter{"received bytes", &statistics::received_bytes},
    counter{"messages sent", &statistics::messages_sent},
    counter{"kernels compiled", &statistics::kernels_compiled},
    counter{"kernel cache hits", &statistics::kernel_cache_hits},
    counter{"evictions", &statistics::evictions},
    counter{"spilled bytes", &statistics::spilled_bytes},
    counter{"reloaded bytes", &statistics::reloaded_bytes},
    counter{"disk written bytes", &statistics::disk_written_bytes},
    counter{"disk read bytes", &statistics::disk_read_bytes},
    counter{"memory wait ns", &statistics::memory_wait_ns},
    counter{"planning ns", &statistics::planning_ns},
    counter{"tracked state", &statistics::tracked_state, true},
    counter{"allocated host bytes", &statistics::allocated_host_bytes, true},
    counter{"allocated disk bytes", &statistics::allocated_disk_bytes, true},
};

}  // namespace

statistics operator-(const statistics& later, const statistics& earlier) {
  statistics difference = later;
  for (const counter& c : counters)
    if (!c.level) difference.*c.value -= earlier.*c.value;
  return difference;
}

std::string to_string(const statistics& s) {
  std::ostringstream out;
  const auto row = [&](const std::string& name, std::int64_t value) {
    if (value != 0) out << std::left << std::setw(30) << name << value << '\n';
  };
  for (const counter& c : counters) row(c.name, s.*c.value);
  for (std::size_t d = 0; d < s.peak_bytes.size(); ++d)
    row("peak bytes on device " + std::to_string(d), s.peak_bytes[d]);
  for (std::size_t d = 0; d < s.allocated_bytes.size(); ++d)
    row("allocated bytes on device " + std::to_string(d), s.allocated_bytes[d]);
  return std::move(out).str();
}

}  // namespace tessera
