#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/ids.h"
#include "tessera/comm/job_status.h"
#include "tessera/comm/note_box.h"

/// What a network can do. Ranks derive matching messages from equal plans, so a message is named by the pair and its
/// number alone; nothing is announced or negotiated.
namespace tessera::comm {

inline constexpr double default_timeout = 1800;  ///< Seconds.

/// Bytes of a message, and the owner of their memory, which the network holds for as long as it may touch them.
struct payload {
  std::span<std::byte> bytes;
  std::shared_ptr<void> owner;

  [[nodiscard]] static payload of(const std::shared_ptr<std::vector<std::byte>>& data) { return {*data, data}; }
};

/// A message that has not ended.
struct pending_message {
  bool outgoing = false;
  node_id peer;
  std::uint64_t number = 0;
  std::int64_t bytes = 0;
};

/// The network of one rank. Thread-safe. Calls return at once, except `close`. Messages and notes may be used between
/// `open` and `close`; events of a transport may be used for as long as it lives.
class transport {
 public:
  virtual ~transport() = default;

  /// A context takes the network for itself, and releases it by `close` when it ends: messages are numbered once. False
  /// if another context has had it.
  [[nodiscard]] bool open() {
    if (taken_.exchange(true)) return false;
    begin();
    open_ = true;
    return true;
  }
  /// Has `finish` called if the process ends, as it should, while the network is open; `finish` closes it. To be called
  /// when everything is made that `finish` needs: what a process made last it ends first. `close` revokes it.
  virtual void finish_with(std::function<void()> /*finish*/) {}
  /// To be called when every receive has ended. Returns when everything that was sent is sure to arrive, or soon if the
  /// job has failed; nothing is sent or received afterwards. Does nothing if the network is not open.
  void close() {
    if (open_.exchange(false)) end();
  }

  [[nodiscard]] virtual node_id rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Sends message `number` (1, 2, 3, ... per peer, in any order of calls).
  virtual void send(node_id peer, std::uint64_t number, payload data) = 0;

  /// Receives message `number` from `peer`, before or after it was sent. Called in the order of the numbers. The event
  /// of number k also says that all messages before k from that peer have arrived. A message whose size is not that of
  /// `into` ends the job.
  virtual event receive(node_id peer, std::uint64_t number, payload into) = 0;

  /// Messages that have not ended, for a report when nothing moves any more; some may be left out.
  [[nodiscard]] virtual std::vector<pending_message> pending() { return {}; }

  /// Sends a short note, of at most `note_bytes`, outside of the plan; in order for each peer. Notes are lost if the
  /// job fails.
  static constexpr std::size_t note_bytes = 1024;
  void post_note(node_id peer, std::span<const std::byte> note) {
    if (note.size() > note_bytes) throw std::logic_error("a note is too long");
    send_note(peer, note);
  }
  /// Has `listener` called with the notes of other ranks, on any thread, one at a time; those that came before are
  /// handed on at once. It may send messages and notes, and abort. Null: notes are kept from now on.
  virtual void listen(note_box::listener listener) = 0;

  /// Ends the job on all ranks, which hear of it soon. Every pending and future receive counts as ended; `failed` is
  /// true before an event is reached because of that, so that bytes which never came are not taken for a message. The
  /// first failure that a rank hears of stays.
  void abort(const std::string& reason, failure_kind kind = failure_kind::communication) noexcept {
    fail({kind, reason.empty() ? "a failure without a reason" : reason});
  }
  [[nodiscard]] virtual bool failed() const noexcept = 0;
  /// Its reason is empty while the job has not failed.
  [[nodiscard]] virtual job_failure failure() const = 0;

 private:
  virtual void begin() {}
  virtual void end() {}
  virtual void send_note(node_id peer, std::span<const std::byte> note) = 0;
  virtual void fail(job_failure problem) noexcept = 0;

  std::atomic<bool> taken_{false}, open_{false};
};

/// A network of one rank.
[[nodiscard]] std::shared_ptr<transport> make_alone();

/// All ranks that the launcher of this process started, over MPI; one rank if no launcher did. Collective. Throws
/// `comm_error` if there are several ranks and MPI cannot be used, or if the others do not come within `seconds` (0:
/// waits for ever).
[[nodiscard]] std::shared_ptr<transport> make_launched(double seconds = default_timeout);

/// `ranks` simulated ranks in this process (see local/local_world.h). Messages in flight are delivered in an order
/// drawn from `seed`; 0: as sent.
[[nodiscard]] std::vector<std::shared_ptr<transport>> make_local_world(int ranks, std::uint64_t seed);

/// The rank in the middle of `ranks` of which the others do not exist (see local/pretended_world.h): to see what
/// planning and issuing cost there. In the first `echoed` messages of each pair the others say what this rank says.
[[nodiscard]] std::shared_ptr<transport> make_pretended(int ranks, std::uint64_t echoed);

}  // namespace tessera::comm
