#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/ids.h"

namespace tessera::runtime {

/// When instructions end: the events of all that later ones may still name, and the last event of every queue. Numbers
/// of instructions are given without gaps. Used by the thread that issues; `tails` also by a report from another thread
/// when nothing moves any more.
class event_table {
 public:
  explicit event_table(std::size_t queues) : tails_(queues) {}

  /// A place for the next instruction. Until `set` is called its event counts as happened.
  void add() { events_.emplace_back(); }
  /// Instruction `id` ends with `last`, which is an event of `queue`, or of none if nothing was enqueued.
  void set(instruction_id id, std::size_t queue, const event& last) {
    advance(id, queue, last);
    events_[index(id)] = last;
  }
  /// So far `queue` ends with `last`, a part of instruction `id`.
  void advance(instruction_id id, std::size_t queue, const event& last) {
    if (last.line == nullptr) return;
    tails_[queue] = last;
    if (id.value <= last_horizon_) horizon_tails_[queue] = last;
  }

  /// Calls `take` with the events of `ids`, but for those up to the horizon before the last, which have happened.
  template <class Take>
  void for_each(const std::vector<instruction_id>& ids, Take take) const {
    for (const instruction_id id : ids)
      if (id.value >= first_) take(events_[index(id)]);
  }
  /// The events of `ids` that have not happened.
  [[nodiscard]] std::vector<event> pending(const std::vector<instruction_id>& ids) const;

  /// The last event of every queue.
  [[nodiscard]] const std::vector<event>& tails() const { return tails_; }
  /// Blocks until all queues have ended their work.
  void wait_for_queues() const;

  /// The last horizon that was passed.
  [[nodiscard]] std::uint64_t last_horizon() const { return last_horizon_; }
  /// True once everything before the last horizon has ended.
  [[nodiscard]] bool horizon_reached() const;
  /// Blocks until everything before the last horizon has ended and forgets it; `id` is the last horizon from now on.
  void pass_horizon(instruction_id id);

 private:
  [[nodiscard]] std::size_t index(instruction_id id) const { return static_cast<std::size_t>(id.value - first_); }

  std::deque<event> events_;  // of the instructions first_, first_ + 1, ...
  std::uint64_t first_ = 1;
  std::uint64_t last_horizon_ = 0;
  std::vector<event> tails_;
  std::vector<event> horizon_tails_;  // the last events of instructions before the last horizon, by queue
};

}  // namespace tessera::runtime
