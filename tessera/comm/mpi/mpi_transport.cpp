#include "tessera/comm/mpi/mpi_transport.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "tessera/base/config.h"
#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/comm/communicator.h"
#include "tessera/device/host/launcher.h"

namespace tessera::comm {
namespace mpi {

mpi_transport::mpi_transport(library& mpi, std::int64_t most_bytes, const tessera_mpi_handle* given, double timeout)
    : network_{mpi, {}, {}}, work_(job_) {
  const auto making = mpi.make_one(timeout);
  network_.ranks = mpi.open(given);
  network_.control = mpi.control(given);
  const peer_identity self = peer_identity::of_this_process();
  processes_.resize(static_cast<std::size_t>(size()));
  mpi.gather(network_.ranks, std::as_bytes(std::span(&self, 1)), std::as_writable_bytes(std::span(processes_)));
  engine_.emplace(network_, most_bytes, job_, work_);
}

mpi_transport::~mpi_transport() {
  close();
  if (!work_.stopped()) engine_->release();  // it was never opened
}

void mpi_transport::begin() {
  thread_.emplace(*engine_, work_);
  peers_ = std::make_unique<peer_watch>(processes_, rank().value, [this](int rank, int process) {
    const std::string reason = cat("rank ", rank, " (process ", process, ") has died");
    log(log_level::error, cat(reason, "; rank ", this->rank().value, " ends, too"));
    abort(reason);
  });
  network_.mpi.attach(*this, nullptr);
  progress_engine::add(*this);
}

void mpi_transport::end() {
  progress_engine::remove(*this);
  network_.mpi.detach(*this);
  peers_.reset();
  work_.stop();
  thread_.reset();
}

void mpi_transport::send(node_id peer, std::uint64_t number, payload data) {
  if (work_.add(message{true, peer.value, number, std::move(data), 0})) advance();
}

event mpi_transport::receive(node_id peer, std::uint64_t number, payload into) {
  if (failed()) return {};
  if (work_.add(message{false, peer.value, number, std::move(into), 0})) advance();
  return engine_->arrival(peer.value, number);
}

void mpi_transport::send_note(node_id peer, std::span<const std::byte> note) {
  if (work_.add(work_queue::outgoing_note{peer.value, notice::of_note(note)})) advance();
}

void mpi_transport::advance() {
  if (!engine_->advance_if_free(false) || !progress_engine::has_pollers()) work_.wake();
}

progress_engine::activity mpi_transport::poll() noexcept {
  const bool polled = engine_->advance_if_free(true);
  if (polled && engine_->sends_large()) return progress_engine::activity::moving;
  return engine_->under_way() ? progress_engine::activity::expected : progress_engine::activity::nothing;
}

}  // namespace mpi

namespace {

std::shared_ptr<transport> make_transport(const tessera_mpi_handle* given, double timeout) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  const char* const limit = std::getenv("TESSERA_MESSAGE_LIMIT");
  const std::int64_t bytes = limit == nullptr ? most : parse_integer(limit, 1, most, "TESSERA_MESSAGE_LIMIT");
  return std::make_shared<mpi::mpi_transport>(mpi::library::open(), bytes, given, timeout);
}

}  // namespace

std::shared_ptr<transport> make_launched(double seconds) {
  return this_process().ranks == 1 ? make_alone() : make_transport(nullptr, seconds);
}

std::shared_ptr<transport> adopt_communicator(const void* handle, std::size_t bytes) {
  tessera_mpi_handle given{};
  if (bytes > sizeof given) throw argument_error("no MPI communicator has so many bytes");
  std::memcpy(&given, handle, bytes);
  return make_transport(&given, default_timeout);
}

}  // namespace tessera::comm
