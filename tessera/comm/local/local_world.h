#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "tessera/comm/arrivals.h"
#include "tessera/comm/job_status.h"
#include "tessera/comm/note_box.h"
#include "tessera/comm/transport.h"

namespace tessera::comm {

/// The messages of one direction of one pair of ranks in one process. Thread-safe.
class local_channel {
 public:
  /// Receives message `number`. Throws `comm_error` if it has arrived with another size.
  event receive(std::uint64_t number, payload into);
  /// Message `number` arrives. Throws `comm_error` if a receive of another size awaits it.
  void deliver(std::uint64_t number, std::vector<std::byte> data);
  /// Appends the receives whose messages have not arrived.
  void list(node_id from, std::vector<pending_message>& to);
  /// Nothing more arrives: every event counts as reached.
  void close();

 private:
  void take(std::uint64_t number, const std::vector<std::byte>& data, std::span<std::byte> into);

  std::mutex mutex_;
  std::map<std::uint64_t, std::vector<std::byte>> arrived_;
  std::map<std::uint64_t, payload> expected_;
  arrivals complete_;
  bool closed_ = false;
};

/// Ranks simulated in one process, which share it. A message is copied when it is sent. Without a seed it arrives at
/// once, on the sender's thread; with one, a thread delivers what is in flight in a random order. Notes arrive at once,
/// in the order in which they were sent. Thread-safe.
class local_world {
 public:
  local_world(int ranks, std::uint64_t seed);
  ~local_world();
  local_world(const local_world&) = delete;
  local_world& operator=(const local_world&) = delete;

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] const job_status& job() const { return job_; }
  note_box& notes_for(node_id rank) { return notes_[static_cast<std::size_t>(rank.value)]; }

  void send(node_id from, node_id to, std::uint64_t number, std::span<const std::byte> data);
  event receive(node_id from, node_id to, std::uint64_t number, payload into);
  [[nodiscard]] std::vector<pending_message> pending(node_id rank);
  void fail(job_failure problem);

 private:
  struct message {
    node_id from, to;
    std::uint64_t number;
    std::vector<std::byte> data;
  };

  local_channel& between(node_id from, node_id to);
  void deliver(message m);
  void deliver_in_random_order();

  const int ranks_;
  std::deque<note_box> notes_;          // per rank
  std::deque<local_channel> channels_;  // per pair
  job_status job_;
  std::mt19937_64 random_;  // of the delivery thread
  std::mutex mutex_;        // of the members below
  std::condition_variable changed_;
  std::vector<message> in_flight_;
  bool stopping_ = false;
  std::thread delivery_;
};

}  // namespace tessera::comm
