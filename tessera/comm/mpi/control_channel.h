#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "tessera/comm/job_status.h"
#include "tessera/comm/mpi/connection.h"
#include "tessera/comm/mpi/request_table.h"
#include "tessera/comm/note_box.h"
#include "tessera/comm/transport.h"

namespace tessera::comm::mpi {

/// What one rank tells another outside of the plan, as it travels: a note, or why the job has failed.
struct notice {
  enum class content : std::uint8_t { note, communication_failure, divergence };
  content is = content::note;
  std::int32_t bytes = 0;
  std::array<char, transport::note_bytes> text{};

  [[nodiscard]] static std::shared_ptr<const notice> of_note(std::span<const std::byte> note);
  /// A reason that is too long is cut.
  [[nodiscard]] static std::shared_ptr<const notice> of_failure(const job_failure& problem);
  [[nodiscard]] std::span<const char> contents() const;
};

/// Sends and receives notices, on a communicator of their own. One thread at a time, except `notes`; takes MPI's turn.
class control_channel {
 public:
  /// Posts the receive of the first notice. Throws `comm_error`, as the other functions do.
  control_channel(const connection& network, request_table& requests);

  /// The listener and the notes that have arrived. Thread-safe.
  [[nodiscard]] note_box& notes() { return notes_; }

  void send(int peer, std::shared_ptr<const notice> n);
  /// Tells all other ranks, as far as they can be told.
  void send_to_all(const job_failure& problem);
  /// The receive of a notice has ended: posts the next one, hands a note to the listener, returns a failure.
  [[nodiscard]] std::optional<job_failure> receive(int from);

 private:
  void post_receive();

  const connection& network_;
  request_table& requests_;
  notice incoming_;
  note_box notes_;
};

}  // namespace tessera::comm::mpi
