#include "tessera/runtime/execute/event_table.h"

#include <algorithm>

namespace tessera::runtime {

std::vector<event> event_table::pending(const std::vector<instruction_id>& ids) const {
  std::vector<event> result;
  for_each(ids, [&](const event& e) {
    if (!e.done()) result.push_back(e);
  });
  return result;
}

void event_table::wait_for_queues() const {
  for (const event& e : tails_) e.wait();
}

bool event_table::horizon_reached() const {
  return std::all_of(horizon_tails_.begin(), horizon_tails_.end(), [](const event& e) { return e.done(); });
}

void event_table::pass_horizon(instruction_id id) {
  for (const event& e : horizon_tails_) e.wait();
  horizon_tails_ = tails_;
  // No later instruction names anything up to the last horizon.
  for (; first_ <= last_horizon_; ++first_) events_.pop_front();
  last_horizon_ = id.value;
}

}  // namespace tessera::runtime
