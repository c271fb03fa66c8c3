#pragma once

#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/ids.h"
#include "tessera/memory/listener.h"
#include "tessera/runtime/execute/failures.h"
#include "tessera/runtime/report/trace.h"

namespace tessera::runtime {

/// What the executor does about news from memory: contents that could not be brought back poison what depends on them,
/// movements are drawn into the trace. Everything it is given outlives it; see `memory::listener` for the threads.
class memory_events final : public memory::listener {
 public:
  /// `queue_tails`: the last event of every queue of every device, changed by the thread that makes reservations alone.
  /// `timeline` may be null.
  memory_events(node_id rank, const std::vector<event>& queue_tails, failure_book& failures, trace* timeline)
      : rank_(rank), queue_tails_(queue_tails), queues_(queue_tails.size()), failures_(failures), timeline_(timeline) {}

  void wait_for_issued() override;
  void lost(array_id array, std::int32_t device, const std::vector<box>& parts,
            const std::exception_ptr& reason) noexcept override;
  void moved(const memory::movement& m, time_point begin, time_point end) noexcept override;

 private:
  const node_id rank_;
  const std::vector<event>& queue_tails_;
  const std::size_t queues_;
  failure_book& failures_;
  trace* const timeline_;
};

}  // namespace tessera::runtime
