#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/comm/transport.h"
#include "tessera/device/backend.h"
#include "tessera/memory/residency.h"
#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/continuation.h"
#include "tessera/runtime/execute/failures.h"
#include "tessera/runtime/execute/launch_check.h"
#include "tessera/runtime/execute/memory_events.h"
#include "tessera/runtime/execute/ticket.h"
#include "tessera/runtime/kernel_library.h"
#include "tessera/runtime/report/live_statistics.h"
#include "tessera/runtime/report/trace.h"

namespace tessera::runtime {

/// What the executor works with; all of it outlives the executor.
struct services {
  std::vector<memory::local_device> devices;
  memory::residency& memory;
  comm::transport& network;
  kernel_library& kernels;
  failure_book& failures;
  ticket_table& tickets;
  live_statistics& statistics;
  trace* timeline = nullptr;
  launch_checks checks{};
};

/// Gives instructions to devices and the network, in the order planned. An instruction is enqueued as soon as it
/// comes, whether or not those before it have ended: queues and events keep the order, and the host is not in the
/// loop. Used by one thread.
class executor {
 public:
  explicit executor(services with);
  ~executor();

  /// Issues all of `batch`, which is empty afterwards. Instructions that come later may be had from `more`, which
  /// leaves none if there are none: the farther ahead memory sees, the better it chooses what stays.
  void issue_all(std::vector<plan::instruction>& batch,
                 const std::function<void(std::vector<plan::instruction>&)>& more);
  /// Blocks until everything issued has ended.
  void drain();

  /// Which queues have not ended their work, a line each; for a report when nothing moves any more.
  [[nodiscard]] std::string describe_queues() const;

  /// The messages that have not ended and the tasks that they belong to, a line each; `name` names a task. Likewise.
  [[nodiscard]] std::string describe_messages(const std::function<std::string(task_id)>& name) const;

  /// Destroys instructions that have ended. For the thread that makes them, one at a time: there their memory is used
  /// again, and neither the executor nor the devices spend time on it.
  void clear_ended();

 private:
  class running;
  struct native_work;

  /// Where and after what the pieces of one instruction's work go.
  struct verb {
    device::backend* backend = nullptr;
    device::order how;
    std::size_t queue = 0;  ///< Index into queue_tails_.
    instruction_id id;
    std::vector<event> waits;

    /// The order for the next piece: only the first one waits, the queue keeps the rest behind it.
    device::order next() {
      device::order result = how;
      if (!begun) result.after = waits;
      begun = true;
      return result;
    }
    /// The same for a piece that waits for more.
    device::order next(const std::vector<event>& more) {
      if (more.empty()) return next();
      if (begun) waits.clear();
      begun = false;
      for (const event& e : more) wait_for(e);
      return next();
    }
    void wait_for(const event& e) {
      if (backend->can_wait(e))
        waits.push_back(e);
      else
        e.wait();
    }
    bool begun = false;
  };

  void carry_out(const plan::instruction& i, const plan::declare_op& o);
  void carry_out(const plan::instruction& i, const plan::release_op& o);
  void carry_out(const plan::instruction& i, const plan::launch_op& o);
  void carry_out(const plan::instruction& i, const plan::copy_op& o);
  void carry_out(const plan::instruction& i, const plan::fill_op& o);
  void carry_out(const plan::instruction& i, const plan::fold_op& o);
  void carry_out(const plan::instruction& i, const plan::send_op& o);
  void carry_out(const plan::instruction& i, const plan::receive_op& o);
  void carry_out(const plan::instruction& i, const plan::horizon_op& o);
  void carry_out(const plan::instruction& i, const plan::notify_op& o);
  void carry_out(const plan::instruction& i, const plan::reject_op& o);

  void issue(plan::instruction next);
  void announce();
  /// As memory wants them; valid until the next call.
  [[nodiscard]] std::span<const memory::use> uses_of(std::span<const plan::operand> operands);
  /// Makes what an instruction uses lie in memory; what it must wait for then is in memory_waits_.
  void reserve(instruction_id position, std::span<const plan::operand> operands, memory::workspace besides = {});
  /// Cuts boxes until what each part uses of the copies' memories is small.
  [[nodiscard]] std::vector<box> in_parts(const std::vector<box>& boxes, std::initializer_list<plan::copy_ref> copies,
                                          const extents& shift) const;
  /// Does the work of the current instruction part by part, each as soon as there is memory for it: `uses(k)` says what
  /// part k uses, `enqueue(verb, order, k)` hands it to the device.
  template <class Uses, class Enqueue>
  event run_parts(std::int32_t device, device::queue_kind kind, std::size_t parts, const event& first, Uses uses,
                  Enqueue enqueue);
  /// Some elements of a copy and where they lie in a message.
  struct packed_part {
    plan::copy_ref copy;
    box where;
    device::strided packed;
    std::int64_t element = 1;
  };
  [[nodiscard]] std::int64_t message_bytes(std::span<const plan::message_part> parts) const;
  [[nodiscard]] std::vector<packed_part> unpacked(std::span<const plan::message_part> parts, location where,
                                                  std::byte* data) const;
  void abandon(verb& v, std::size_t parts, const std::exception_ptr& reason);
  verb begin(std::int32_t device, device::queue_kind kind, int steps);
  void end(verb& v, const event& last);
  void fail(const std::exception_ptr& reason);
  [[nodiscard]] std::vector<event> events_of(const std::vector<instruction_id>& ids) const;
  [[nodiscard]] device::strided part(const plan::copy_ref& copy, const box& where);
  void launch_source(const plan::launch_op& o, const kernel_entry& kernel);
  void launch_native(const plan::launch_op& o, const std::shared_ptr<const kernel_entry>& kernel);
  /// Enqueues `work` on the compute queue of `device`, between the two halves of the checks of launches.
  template <class Work>
  void enqueue_checked(std::int32_t device, Work work);
  [[nodiscard]] std::byte* argument_address(const plan::launch_op& o, std::size_t array);
  [[nodiscard]] bool pulls(const plan::copy_op& o) const;
  [[nodiscard]] bool is_tiny(const plan::copy_op& o, std::int64_t bytes) const;
  void count_copy(const plan::copy_op& o, std::int64_t bytes);

  services with_;
  std::unique_ptr<running> current_;  // until `begin` gives it to the device to watch its work
  std::deque<event> events_;          // of the instructions first_id_, first_id_ + 1, ...
  std::uint64_t first_id_ = 1;
  std::uint64_t last_horizon_ = 0;
  std::vector<event> queue_tails_;  // the last event of every queue
  memory_events memory_events_{with_.network.rank(), queue_tails_, with_.failures, with_.timeline};
  std::vector<event> horizon_tails_;  // queue_tails_ at the last horizon
  continuation_list continuations_;
  std::atomic<running*> ended_{nullptr};  // a list of those whose work has ended

  /// Which task a message belongs to, of the last ones.
  struct message_note {
    std::atomic<std::uint64_t> key{0}, task{0};
  };
  static std::uint64_t key_of(bool outgoing, node_id peer, std::uint64_t number) {
    return (static_cast<std::uint64_t>(peer.value) << 1 | (outgoing ? 1 : 0)) << 40 ^ number;
  }
  void note_message(bool outgoing, node_id peer, std::uint64_t number, task_id task);
  std::array<message_note, 1024> message_notes_;
  std::size_t next_note_ = 0;

  std::vector<plan::instruction> window_;  // those before next_ have been issued, those before announced_ announced
  std::size_t next_ = 0, announced_ = 0;
  std::vector<memory::use> uses_;  // of the reservation being made
  std::vector<event> memory_waits_;
};

/// Behind the last piece the instruction may be gone.
template <class Uses, class Enqueue>
event executor::run_parts(std::int32_t device, device::queue_kind kind, std::size_t parts, const event& first,
                          Uses uses, Enqueue enqueue) {
  verb v = begin(device, kind, static_cast<int>(parts));
  if (!first.done()) v.wait_for(first);
  event last;
  for (std::size_t k = 0; k < parts; ++k) {
    try {
      const auto operands = uses(k);
      reserve(v.id, operands);
      last = enqueue(v, v.next(memory_waits_), k);
    } catch (...) {
      abandon(v, parts - k, std::current_exception());
      break;
    }
    queue_tails_[v.queue] = last;
    with_.memory.reserved_for(last);
  }
  end(v, last);
  return last;
}

}  // namespace tessera::runtime
