// What ranks tell each other besides messages: notes, and that the job has failed.

#include <algorithm>
#include <cstddef>

#include "tessera/base/error.h"
#include "tessera/comm/mpi/mpi_transport.h"

namespace tessera::comm::mpi {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void mpi_transport::expect_notice() {
  tessera_mpi_handle request{};
  check(mpi_.calls().receive(control_.comm, &incoming_, sizeof incoming_, -1, control_.tag, &request), "receiving");
  if (requests_.empty()) requests_.emplace_back(), pieces_.emplace_back();
  requests_.front() = request;
}

void mpi_transport::take_notice(int from) {
  const notice n = incoming_;
  {
    const std::lock_guard turn(mpi_.turn());
    expect_notice();
  }
  const std::size_t bytes = std::min(n.text.size(), at(n.bytes));
  if (n.is_failure != 0)
    fail(std::string(n.text.data(), bytes));
  else
    notes_.deliver(node_id(from), std::as_bytes(std::span(n.text.data(), bytes)));
}

void mpi_transport::send_notice(int peer, std::shared_ptr<const notice> what) {
  const std::lock_guard turn(mpi_.turn());
  tessera_mpi_handle request{};
  const int bytes = static_cast<int>(offsetof(notice, text)) + what->bytes;
  check(mpi_.calls().send(control_.comm, what.get(), bytes, peer, control_.tag, &request), "sending");
  requests_.push_back(request);
  pieces_.push_back({nullptr, 0, std::move(what)});
}

void mpi_transport::spread_failure(const std::string& reason) {
  auto made = std::make_shared<notice>();
  made->is_failure = 1;
  made->bytes = static_cast<int>(std::min(reason.size(), made->text.size()));
  std::copy_n(reason.begin(), made->bytes, made->text.begin());
  try {
    for (int r = 0; r < size_ && !failed(); ++r)
      if (r != rank_) send_notice(r, made);
  } catch (const comm_error&) {
    // Those who can still be told are told by others.
  }
  fail(reason);
}

/// A message is not what it should be, most likely because the ranks make different calls. That is about to be found,
/// too, and says more.
void mpi_transport::suspect(const std::string& reason) {
  if (!suspicion_.empty()) return;
  suspicion_ = reason;
  suspected_ = std::chrono::steady_clock::now();
}

/// From now on everything counts as ended.
void mpi_transport::fail(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    if (failed()) return;
    reason_ = reason;
    failed_.store(true, std::memory_order_release);
    waiting_.clear();
    notes_to_send_.clear();
  }
  mpi_.job_failed();
  for (const auto& from : lines_) {
    from->later.clear();
    from->arrived.close();
  }
  give_up_receives();
}

/// Messages keep their memory for as long as MPI may touch it. One that has begun to arrive cannot be taken back, and
/// its end depends on its sender: nobody waits for it.
void mpi_transport::give_up_receives() {
  const std::lock_guard turn(mpi_.turn());
  if (mpi_.ended()) return;
  for (std::size_t k = 1; k < requests_.size(); ++k)
    if (pieces_[k].of && !pieces_[k].of->outgoing) mpi_.calls().give_up(requests_[k]);
}

}  // namespace tessera::comm::mpi
