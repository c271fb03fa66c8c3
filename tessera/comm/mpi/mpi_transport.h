#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tessera/base/threads/progress_engine.h"
#include "tessera/comm/job_status.h"
#include "tessera/comm/mpi/connection.h"
#include "tessera/comm/mpi/message_engine.h"
#include "tessera/comm/mpi/peer_watch.h"
#include "tessera/comm/mpi/progress_thread.h"
#include "tessera/comm/mpi/work_queue.h"
#include "tessera/comm/transport.h"

namespace tessera::comm::mpi {

/// Messages over MPI. The thread that sends or receives gives the message to MPI itself, if no other thread is doing so
/// for another message; threads that have nothing else to do look for what has ended (see `progress`), and so does a
/// thread of its own when no other does. A failure that is announced takes effect soon, on one of these threads.
class mpi_transport final : public transport, private progress_engine::source {
 public:
  /// Collective over the ranks of `given`, or over all of them if it is null; waits for the others for `timeout`
  /// seconds. Messages larger than `most_bytes` go in pieces.
  mpi_transport(library& mpi, std::int64_t most_bytes, const tessera_mpi_handle* given, double timeout);
  ~mpi_transport() override;
  mpi_transport(const mpi_transport&) = delete;
  mpi_transport& operator=(const mpi_transport&) = delete;

  [[nodiscard]] node_id rank() const override { return node_id(network_.ranks.rank); }
  [[nodiscard]] int size() const override { return network_.ranks.size; }
  void send(node_id peer, std::uint64_t number, payload data) override;
  event receive(node_id peer, std::uint64_t number, payload into) override;
  [[nodiscard]] std::vector<pending_message> pending() override { return engine_->pending(); }
  void listen(note_box::listener listener) override { engine_->notes().listen(std::move(listener)); }
  [[nodiscard]] bool failed() const noexcept override { return job_.failed(); }
  [[nodiscard]] job_failure failure() const override { return job_.failure(); }
  void finish_with(std::function<void()> finish) override { network_.mpi.attach(*this, std::move(finish)); }

 private:
  void begin() override;
  void end() override;
  void send_note(node_id peer, std::span<const std::byte> note) override;
  void fail(job_failure problem) noexcept override { work_.announce(std::move(problem)); }
  progress_engine::activity poll() noexcept override;
  void pollers_gone() noexcept override { work_.wake(); }
  /// Gives to MPI what was added to the work queue, or has the thread that is in the engine do it, and sees to it that
  /// a thread looks for its end.
  void advance();

  connection network_;
  std::vector<peer_identity> processes_;  // of the ranks
  job_status job_;
  work_queue work_;
  std::optional<message_engine> engine_;
  std::optional<progress_thread> thread_;  // while it is open
  std::unique_ptr<peer_watch> peers_;      // likewise
};

}  // namespace tessera::comm::mpi
