#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/comm/arrivals.h"
#include "tessera/comm/mpi/request_table.h"
#include "tessera/comm/transport.h"

namespace tessera::comm::mpi {

/// The messages that this rank receives. Every poll asks MPI about all that is posted, so of the messages expected from
/// a peer only the next ones are. They come in the order of their numbers, and what a message depends on was planned
/// before it: those that wait to be posted cannot keep an earlier one from coming. One thread at a time, except
/// `arrival`.
class incoming_messages {
 public:
  incoming_messages(int ranks, request_table& requests);

  /// The event of a message. Any thread.
  [[nodiscard]] event arrival(int peer, std::uint64_t number) { return from(peer).arrived.of(number); }
  /// Gives a receive to MPI, or keeps it until those before it have ended. Throws `comm_error`.
  void post(std::shared_ptr<message> m);
  /// MPI has ended the last piece of `m`.
  void ended(const message& m);
  /// Gives receives that were kept to MPI. Throws `comm_error`.
  void post_kept();
  /// The job has failed: nothing more arrives, every event counts as reached. Messages keep their memory for as long as
  /// MPI may touch it; one that has begun to arrive ends when its sender does, which is not waited for.
  void close();
  /// Appends the receives that MPI does not know yet.
  void list_kept(std::vector<pending_message>& to) const;

 private:
  static constexpr int most_posted = 8;  // per peer
  struct channel {
    arrivals arrived;
    int posted = 0;
    std::deque<std::shared_ptr<message>> kept;
  };
  [[nodiscard]] channel& from(int peer) { return *channels_[static_cast<std::size_t>(peer)]; }
  void give(const std::shared_ptr<message>& m);

  request_table& requests_;
  std::vector<std::unique_ptr<channel>> channels_;  // per peer
};

}  // namespace tessera::comm::mpi
