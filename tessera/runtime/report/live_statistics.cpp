#include "tessera/runtime/report/live_statistics.h"

#include <array>
#include <utility>

namespace tessera::runtime {

statistics live_statistics::totals() const {
  using live = live_statistics;
  constexpr std::array counted{
      std::pair{&live::tasks, &statistics::tasks},
      std::pair{&live::instructions, &statistics::instructions},
      std::pair{&live::launches, &statistics::launches},
      std::pair{&live::superblocks, &statistics::superblocks},
      std::pair{&live::uncompiled, &statistics::uncompiled_superblocks},
      std::pair{&live::copies, &statistics::copies},
      std::pair{&live::host_to_device_bytes, &statistics::host_to_device_bytes},
      std::pair{&live::device_to_host_bytes, &statistics::device_to_host_bytes},
      std::pair{&live::device_to_device_bytes, &statistics::device_to_device_bytes},
      std::pair{&live::same_device_bytes, &statistics::same_device_bytes},
      std::pair{&live::peer_bytes, &statistics::peer_bytes},
      std::pair{&live::through_host_bytes, &statistics::through_host_bytes},
      std::pair{&live::sent_bytes, &statistics::sent_bytes},
      std::pair{&live::received_bytes, &statistics::received_bytes},
      std::pair{&live::messages_sent, &statistics::messages_sent},
      std::pair{&live::planning_ns, &statistics::planning_ns},
  };
  statistics result;
  for (const auto& [from, to] : counted) result.*to = (this->*from).load(std::memory_order_relaxed);
  return result;
}

}  // namespace tessera::runtime
