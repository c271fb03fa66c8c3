#pragma once

#include <vector>

#include "tessera/base/event.h"
#include "tessera/memory/listener.h"
#include "tessera/runtime/execute/services.h"

namespace tessera::runtime {

/// What the executor does about events of memory: contents that could not be brought back poison what depends on them,
/// movements are drawn into the trace and told to the transfer log. Everything it is given outlives it; see
/// `memory::listener` for the threads.
class memory_events final : public memory::listener {
 public:
  /// `queue_tails`: the last event of every queue of every device, changed by the thread that makes reservations alone.
  memory_events(const services& with, const std::vector<event>& queue_tails)
      : with_(with), queue_tails_(queue_tails), queues_(queue_tails.size()) {}

  void wait_for_issued() override;
  void lost(array_id array, std::int32_t device, const std::vector<box>& parts,
            const std::exception_ptr& reason) noexcept override;
  void moved(const memory::movement& m, time_point begin, time_point end) noexcept override;

 private:
  void log(const memory::movement& m) const;

  const services& with_;
  const std::vector<event>& queue_tails_;
  const std::size_t queues_;
};

}  // namespace tessera::runtime
