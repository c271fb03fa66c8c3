#pragma once

#include <cstdint>
#include <memory>

#include "tessera/comm/mpi/request_table.h"

namespace tessera::comm::mpi {

/// The messages that this rank sends. Large ones are sent piece by piece, only while a thread calls MPI and as their
/// receivers take them, which may be long from now. One thread at a time.
class outgoing_messages {
 public:
  explicit outgoing_messages(request_table& requests) : requests_(requests) {}

  /// Throws `comm_error`.
  void post(const std::shared_ptr<message>& m);
  /// MPI has ended the last piece of `m`.
  void ended(const message& m);
  /// Asked after each poll: whether it is worth polling again at once because large messages are being sent.
  [[nodiscard]] bool worth_polling() { return large_bytes_ > 0 && polls_left_-- > 0; }

 private:
  request_table& requests_;
  std::int64_t large_bytes_ = 0;  // of large messages
  std::int64_t polls_left_ = 0;   // that are worth while for them
};

}  // namespace tessera::comm::mpi
