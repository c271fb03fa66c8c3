#include "tessera/runtime/execute/memory_events.h"

#include "tessera/base/text.h"
#include "tessera/device/backend.h"
#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/running.h"

namespace tessera::runtime {

void memory_events::wait_for_issued() {
  for (const event& e : queue_tails_) e.wait();
}

void memory_events::lost(array_id array, std::int32_t device, const std::vector<box>& parts,
                         const std::exception_ptr& reason) noexcept {
  std::vector<plan::operand> lost;
  for (const box& b : parts) lost.push_back({{array, {rank_, device}}, b, true});
  failures_.poison(lost, {with_context(reason, cat("array ", array.value)), reason});
}

void memory_events::moved(const memory::movement& m, time_point begin, time_point end) noexcept {
  if (timeline_ == nullptr) return;
  const auto queue = m.out ? device::queue_kind::copy_out : device::queue_kind::copy_in;
  const int row = m.disk ? static_cast<int>(queues_) : m.device * device::queues_per_device + static_cast<int>(queue);
  timeline_->add(row, m.name, cat(m.name, " array", m.array.value, " ", m.bytes, " bytes"), begin, end);
}

}  // namespace tessera::runtime
