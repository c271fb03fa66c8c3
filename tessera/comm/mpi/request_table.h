#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tessera/comm/mpi/connection.h"
#include "tessera/comm/transport.h"

namespace tessera::comm::mpi {

/// A message between this rank and a peer.
struct message {
  bool outgoing = false;
  int peer = 0;
  std::uint64_t number = 0;
  payload data;
  int pieces = 0;  ///< With MPI.
};

/// The requests that MPI has not ended, and the memory that it may touch because of them. The first one is always the
/// receive of the next note. One thread at a time; takes MPI's turn where it calls MPI.
class request_table {
 public:
  /// A message or a note that a request belongs to.
  struct entry {
    std::shared_ptr<message> of;  ///< Null for a note.
    std::int64_t bytes = 0;       ///< Of this piece of the message.
    std::shared_ptr<const void> note;
  };

  /// Messages larger than `most_bytes` go in pieces.
  request_table(const connection& network, std::int64_t most_bytes);

  /// Gives a message to MPI. Throws `comm_error`.
  void post(const std::shared_ptr<message>& m);
  /// A note that MPI sends; `note` is kept until it has.
  void add_note(tessera_mpi_handle request, std::shared_ptr<const void> note);
  /// The receive of the next note, which replaces one that has ended.
  void set_note_receive(tessera_mpi_handle request) { requests_.front() = request; }

  /// The requests that have ended since the last call, by their index; 0 is the receive of a note. To be removed before
  /// the next call. Throws `comm_error`.
  [[nodiscard]] std::span<const tessera_mpi_status> ended();
  [[nodiscard]] const entry& operator[](int index) const { return entries_[static_cast<std::size_t>(index)]; }
  void remove(std::span<const tessera_mpi_status> ended);

  /// Takes receives back. One that has begun to arrive goes on and keeps its memory.
  void cancel_receives();
  /// Takes the receive of notes back. To be called with MPI's turn.
  void cancel_note_receive();
  /// Keeps all memory until the process ends: MPI may still read what it could not send, or write what it could not
  /// receive.
  void keep_for_good();

  [[nodiscard]] bool idle() const { return entries_.size() == 1; }
  [[nodiscard]] bool sends_notes() const;
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  /// Appends the messages that have not ended.
  void list(std::vector<pending_message>& to) const;

 private:
  const connection& network_;
  const std::int64_t most_bytes_;
  std::vector<tessera_mpi_handle> requests_;
  std::vector<entry> entries_;  // of each request
  std::int64_t bytes_ = 0;
  std::vector<tessera_mpi_status> statuses_;
  std::vector<std::size_t> places_;  // those to be removed
};

}  // namespace tessera::comm::mpi
