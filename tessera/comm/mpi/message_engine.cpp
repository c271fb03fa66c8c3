#include "tessera/comm/mpi/message_engine.h"

#include <exception>
#include <memory>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::comm::mpi {
namespace {

constexpr std::chrono::seconds timeout(1);  // before a job ends badly

/// The engine that this thread is in: a listener of notes, called from there, may send.
thread_local const message_engine* entered = nullptr;

}  // namespace

message_engine::message_engine(const connection& network, std::int64_t most_bytes, job_status& job, work_queue& work)
    : network_(network),
      job_(job),
      work_(work),
      requests_(network, most_bytes),
      outgoing_(requests_),
      incoming_(network.ranks.size, requests_),
      control_(network, requests_) {}

bool message_engine::advance_if_free(bool polling) {
  if (entered == this) return false;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return false;
  advance_locked(polling);
  return true;
}

bool message_engine::sends_large() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock && outgoing_.worth_polling();
}

message_engine::step message_engine::advance() {
  const std::lock_guard lock(mutex_);
  if (may_stop()) return {true, false, 0};
  const bool busy = advance_locked(true);
  return {false, busy, requests_.bytes()};
}

std::vector<pending_message> message_engine::pending() {
  std::vector<pending_message> result;
  const std::lock_guard lock(mutex_);
  requests_.list(result);
  incoming_.list_kept(result);
  return result;
}

/// True if there was something to do.
bool message_engine::advance_locked(bool polling) {
  entered = this;
  bool busy = false;
  try {
    if (work_.any()) busy = take_work();
    if (polling) busy = poll() || busy;
    if (suspicion_ && !job_.failed() && std::chrono::steady_clock::now() - suspected_ > timeout)
      spread_failure(*suspicion_);
  } catch (const std::exception& e) {
    spread_failure({failure_kind::communication, e.what()});
  }
  under_way_.store(!requests_.idle(), std::memory_order_relaxed);
  entered = nullptr;
  return busy;
}

/// True if there was something.
bool message_engine::take_work() {
  work_queue::batch taken = work_.take();
  if (taken.failure) spread_failure(*taken.failure);
  for (message& m : taken.messages) {
    if (job_.failed()) break;
    auto kept = std::make_shared<message>(std::move(m));
    if (kept->outgoing)
      outgoing_.post(kept);
    else
      incoming_.post(std::move(kept));
  }
  for (work_queue::outgoing_note& n : taken.notes)
    if (!job_.failed()) control_.send(n.peer, std::move(n.content));
  return !taken.messages.empty() || !taken.notes.empty();
}

/// True if something has ended.
bool message_engine::poll() {
  const std::span<const tessera_mpi_status> statuses = requests_.ended();
  if (statuses.empty()) return false;
  for (const tessera_mpi_status& status : statuses) {
    try {
      ended(status);
    } catch (const comm_error& e) {
      suspect(e.what());
    }
  }
  requests_.remove(statuses);
  if (!job_.failed()) incoming_.post_kept();
  return true;
}

void message_engine::ended(const tessera_mpi_status& status) {
  if (status.index == 0) {
    if (const std::optional<job_failure> problem = control_.receive(status.source)) fail(*problem);
    return;
  }
  const request_table::entry& piece = requests_[status.index];
  if (!piece.of || job_.failed()) return;  // a note, or a message that no one waits for any more
  message& m = *piece.of;
  if (status.error != 0)
    network_.check(status.error, cat(m.outgoing ? "sending message " : "receiving message ", m.number,
                                     m.outgoing ? " to rank " : " from rank ", m.peer));
  if (!m.outgoing && status.bytes != piece.bytes)
    throw comm_error(cat("message ", m.number, " from rank ", m.peer, " to rank ", network_.ranks.rank, " has ",
                         status.bytes, " bytes where ", piece.bytes, " are expected"));
  if (--m.pieces > 0) return;
  if (m.outgoing)
    outgoing_.ended(m);
  else
    incoming_.ended(m);
}

/// A message is not what it should be, most likely because the ranks make different calls. That is about to be found,
/// too, and says more.
void message_engine::suspect(const std::string& reason) {
  if (suspicion_) return;
  suspicion_ = {failure_kind::communication, reason};
  suspected_ = std::chrono::steady_clock::now();
}

void message_engine::spread_failure(const job_failure& problem) {
  if (job_.failed()) return;
  control_.send_to_all(problem);
  fail(problem);
}

/// From now on everything counts as ended.
void message_engine::fail(const job_failure& problem) {
  if (!job_.fail(problem)) return;
  work_.drop_all();
  network_.mpi.job_failed();
  incoming_.close();
}

/// A job that has failed is not waited for, but that the others are told is, for a while.
bool message_engine::may_stop() {
  if (!work_.finished()) return false;
  if (requests_.idle()) return true;
  if (!job_.failed()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!stopping_since_) stopping_since_ = now;
  return !requests_.sends_notes() || now - *stopping_since_ > timeout;
}

void message_engine::release() {
  const std::lock_guard lock(mutex_);
  const std::lock_guard turn(network_.mpi.turn());
  if (!network_.mpi.ended()) {
    requests_.cancel_note_receive();
    if (!job_.failed()) network_.mpi.calls().close(network_.ranks.comm);
  }
  if (!requests_.idle()) requests_.keep_for_good();
}

}  // namespace tessera::comm::mpi
