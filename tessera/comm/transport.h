#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/ids.h"
#include "tessera/comm/note_box.h"

/// What a network can do. Ranks derive matching messages from equal plans, so a message is named by the pair and its
/// number alone; nothing is announced or negotiated.
namespace tessera::comm {

inline constexpr double usual_patience = 1800;  ///< Seconds.

/// Bytes of a message, and what keeps them for as long as the network may touch them.
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

/// Thread-safe. Calls return at once.
class transport {
 public:
  virtual ~transport() = default;

  /// A context takes the network for itself, and lets go of it when it ends: messages are numbered once. False if
  /// another one has had it.
  [[nodiscard]] bool open() {
    if (taken_.exchange(true)) return false;
    begin();
    open_ = true;
    return true;
  }
  /// What is to be done if the process ends, as it should, while the network is open: `how` closes it. Said when all
  /// is made that `how` needs: what a process made last it ends first.
  virtual void finish_with(std::function<void()> /*how*/) {}
  /// Nothing is sent or received any more. Does nothing if it is not open.
  void close() {
    if (open_.exchange(false)) end();
  }

  [[nodiscard]] virtual node_id rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Sends message `number` (1, 2, 3, ... per peer, in any order of calls).
  virtual void send(node_id peer, std::uint64_t number, payload data) = 0;

  /// Receives message `number` from `peer`; its size must be that of `into`. Called in the order of the numbers. The
  /// event of number k also says that all messages before k from that peer have arrived.
  virtual event receive(node_id peer, std::uint64_t number, payload into) = 0;

  /// Messages that have not ended, for a report when nothing moves any more; some may be left out.
  [[nodiscard]] virtual std::vector<pending_message> pending() { return {}; }

  /// A short note, of at most `note_bytes`, outside of the plan; in order for each peer.
  static constexpr std::size_t note_bytes = 1024;
  virtual void tell(node_id peer, std::span<const std::byte> note) = 0;
  /// Who gets the notes of other ranks, on any thread, one at a time; those that came before are handed on at once.
  /// Null: nobody from now on.
  virtual void listen(note_box::listener who) = 0;

  /// Ends the job on all ranks: every pending and future receive counts as ended, `failure` tells why.
  virtual void abort(const std::string& reason) noexcept = 0;
  /// The reason of the first abort; empty while there was none.
  [[nodiscard]] virtual std::string failure() const = 0;
  [[nodiscard]] virtual bool failed() const noexcept = 0;

 private:
  virtual void begin() {}
  virtual void end() {}

  std::atomic<bool> taken_{false}, open_{false};
};

/// A network of one rank.
[[nodiscard]] std::shared_ptr<transport> make_alone();

/// All ranks that the launcher of this process started, over MPI; one rank if no launcher did. Collective. Throws
/// `comm_error` if there are several ranks and MPI cannot be used, or if the others do not come within `seconds` (0:
/// waits for ever).
[[nodiscard]] std::shared_ptr<transport> make_launched(double seconds = usual_patience);

/// `ranks` simulated ranks in this process. Messages in flight are delivered in an order drawn from `seed`; 0: as sent.
[[nodiscard]] std::vector<std::shared_ptr<transport>> make_local_world(int ranks, std::uint64_t seed);

/// The rank in the middle of `ranks` of which the others do not exist: to see what planning and issuing cost there.
[[nodiscard]] std::shared_ptr<transport> make_pretended(int ranks);

}  // namespace tessera::comm
