#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/device/backend.h"
#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/event_table.h"
#include "tessera/runtime/execute/running_instruction.h"

namespace tessera::runtime {

/// Where and after which events the pieces of one instruction's work go.
struct device_work {
  device::backend* backend = nullptr;
  device::order order;
  std::size_t queue = 0;  ///< As in `event_table`.
  instruction_id id;
  std::vector<event> waits;
  bool begun = false;

  /// The order for the next piece: only the first one waits, the queue keeps the rest behind it.
  [[nodiscard]] device::order next() {
    device::order result = order;
    if (!begun) result.after = waits;
    begun = true;
    return result;
  }
  /// The order for the next piece, which waits for `more` besides.
  [[nodiscard]] device::order next(const std::vector<event>& more) {
    if (more.empty()) return next();
    if (begun) waits.clear();
    begun = false;
    for (const event& e : more) wait_for(e);
    return next();
  }
  /// Blocks if the device cannot wait for `e` by itself.
  void wait_for(const event& e) {
    if (backend->can_wait(e))
      waits.push_back(e);
    else
      e.wait();
  }
};

/// Hands the device work of one instruction after the other to the queues: finds memory for it and puts it behind the
/// work that it depends on. Used by the thread that issues.
class work_issuer {
 public:
  /// Both outlive it.
  work_issuer(services& with, event_table& events) : with_(with), events_(events) {}

  /// Makes `next` the current instruction.
  void take(std::unique_ptr<running_instruction> next) { current_ = std::move(next); }
  /// The current instruction back, if no work of it was begun.
  [[nodiscard]] std::unique_ptr<running_instruction> give_back() { return std::move(current_); }
  /// Keeps what the work of the current instruction uses until it has ended. Before `begin`.
  void keep(std::shared_ptr<const void> used) { current_->keep(std::move(used)); }
  /// Until `begin` is called.
  [[nodiscard]] const plan::instruction& current() const { return current_->instruction(); }

  /// Prepares `steps` pieces of the current instruction's work on a queue of `device` (of the first one if it is the
  /// host's). From now on the device owns the instruction, which may be gone behind the last piece.
  [[nodiscard]] device_work begin(std::int32_t device, device::queue_kind kind, int steps);
  /// All pieces are enqueued; `last` is the end of the last one.
  void end(const device_work& work, const event& last) { events_.set(work.id, work.queue, last); }
  /// The last `parts` pieces of the work cannot be enqueued.
  static void abandon(const device_work& work, std::size_t parts, const std::exception_ptr& reason);

  /// Makes what an instruction uses lie in memory. Its first piece must wait for `memory_waits` then.
  void reserve(instruction_id position, std::span<const plan::operand> operands, memory::workspace besides = {});
  [[nodiscard]] const std::vector<event>& memory_waits() const { return memory_waits_; }
  /// As memory wants them; valid until the next call.
  [[nodiscard]] std::span<const memory::use> uses_of(std::span<const plan::operand> operands);

  /// The box `bounds` of a copy whose memory is reserved.
  [[nodiscard]] device::strided part(const plan::copy_ref& copy, const box& bounds) const;
  /// Cuts boxes until what each part uses of the copies' memories is small. `shift` is added for the last copy.
  [[nodiscard]] std::vector<box> in_parts(const std::vector<box>& boxes, std::initializer_list<plan::copy_ref> copies,
                                          const extents& shift) const;
  /// Does the work of the current instruction part by part, each as soon as there is memory for it: `uses(k)` says what
  /// part k uses, `enqueue(work, order, k)` hands it to the device. The first part waits for `first`. Gives the event
  /// of the end.
  template <class Uses, class Enqueue>
  event run_parts(std::int32_t device, device::queue_kind kind, std::size_t parts, const event& first, Uses uses,
                  Enqueue enqueue);

 private:
  services& with_;
  event_table& events_;
  std::unique_ptr<running_instruction> current_;  // until `begin` gives it to the device to watch its work
  std::vector<memory::use> uses_;                 // of the reservation being made
  std::vector<event> memory_waits_;
};

template <class Uses, class Enqueue>
event work_issuer::run_parts(std::int32_t device, device::queue_kind kind, std::size_t parts, const event& first,
                             Uses uses, Enqueue enqueue) {
  device_work work = begin(device, kind, static_cast<int>(parts));
  if (!first.done()) work.wait_for(first);
  event last;
  for (std::size_t k = 0; k < parts; ++k) {
    try {
      const auto operands = uses(k);
      reserve(work.id, operands);
      last = enqueue(work, work.next(memory_waits_), k);
    } catch (...) {
      abandon(work, parts - k, std::current_exception());
      break;
    }
    events_.advance(work.id, work.queue, last);
    with_.memory.reserved_for(last);
  }
  end(work, last);
  return last;
}

}  // namespace tessera::runtime
