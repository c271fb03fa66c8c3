#include "tessera/runtime/execute/memory_events.h"

#include <string_view>

#include "tessera/base/text.h"
#include "tessera/device/backend.h"
#include "tessera/plan/instruction.h"

namespace tessera::runtime {

void memory_events::wait_for_issued() {
  for (const event& e : queue_tails_) e.wait();
}

void memory_events::lost(array_id array, std::int32_t device, const std::vector<box>& parts,
                         const std::exception_ptr& reason) noexcept {
  std::vector<plan::operand> lost;
  for (const box& b : parts) lost.push_back({{array, {with_.network.rank(), device}}, b, true});
  with_.failures.poison(lost, {with_context(reason, cat("array ", array.value)), reason});
}

void memory_events::moved(const memory::movement& m, time_point begin, time_point end) noexcept {
  if (with_.logs_transfers()) log(m);
  if (with_.timeline == nullptr) return;
  const auto queue = m.out ? device::queue_kind::copy_out : device::queue_kind::copy_in;
  const int row = m.disk ? static_cast<int>(queues_) : m.device * device::queues_per_device + static_cast<int>(queue);
  with_.timeline->add(row, m.name, cat(m.name, " array", m.array.value, " ", m.bytes, " bytes"), begin, end);
}

/// Whole pages move: there is no box of elements to tell. Host memory that wants room itself moves on to the disk.
void memory_events::log(const memory::movement& m) const {
  const bool onward = std::string_view(m.name) == "demote";
  const std::string below = m.disk ? "disk" : "host";
  const std::string above = onward ? "host" : with_.name_of({with_.network.rank(), m.device});
  const link_kind link = onward ? link_kind::disk_written : m.out ? link_kind::spilled : link_kind::reloaded;
  with_.transfers->add({m.array, {}, m.out ? above : below, m.out ? below : above, m.bytes, link, {}});
}

}  // namespace tessera::runtime
