#include "tessera/comm/mpi/mpi_transport.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <set>

#include "tessera/base/config.h"
#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/comm/communicator.h"
#include "tessera/device/host/launcher.h"

namespace tessera::comm {
namespace mpi {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

mpi_transport::mpi_transport(library& mpi, std::int64_t most_bytes, const tessera_mpi_handle* given, double patience)
    : mpi_(mpi), most_bytes_(most_bytes) {
  const auto making = mpi_.make_one(patience);
  const library::group group = mpi_.open(given);
  comm_ = group.comm, rank_ = group.rank, size_ = group.size, most_tag_ = group.most_tag;
  control_ = mpi_.control(given);
  const peer_identity self = peer_identity::of_this_process();
  ranks_.resize(at(size_));
  mpi_.gather(group, std::as_bytes(std::span(&self, 1)), std::as_writable_bytes(std::span(ranks_)));
  for (int r = 0; r < size_; ++r) lines_.push_back(std::make_unique<line>());
  const std::lock_guard turn(mpi_.turn());
  expect_notice();
}

void mpi_transport::begin() {
  thread_ = std::thread([this] { work(); });
  peers_ = std::make_unique<peer_watch>(ranks_, rank_, [this](int rank, int process) {
    const std::string reason = cat("rank ", rank, " (process ", process, ") has died");
    log(log_level::error, cat(reason, "; rank ", rank_, " ends, too"));
    abort(reason);
  });
  mpi_.enter(*this, nullptr);
  progress::add(*this);
}

void mpi_transport::end() {
  progress::remove(*this);
  mpi_.leave(*this);
  peers_.reset();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

mpi_transport::~mpi_transport() {
  close();
  if (stopping_) return;
  const std::lock_guard turn(mpi_.turn());  // nobody has used it
  let_go();
}

/// Gives back what MPI holds. By whoever has the turn.
void mpi_transport::let_go() {
  if (mpi_.ended()) return;
  mpi_.calls().cancel(&requests_.front());
  if (!failed()) mpi_.calls().close(comm_);
}

void mpi_transport::check(int error, const char* doing) {
  if (error != 0) throw comm_error(cat("rank ", rank_, ", ", doing, ": ", mpi_.text_of(error)));
}

void mpi_transport::send(node_id peer, std::uint64_t number, payload data) {
  push({true, peer.value, number, std::move(data), 0});
}

event mpi_transport::receive(node_id peer, std::uint64_t number, payload into) {
  if (failed()) return {};
  push({false, peer.value, number, std::move(into), 0});
  return lines_[at(peer.value)]->arrived.of(number);
}

void mpi_transport::push(message m) {
  {
    const std::lock_guard lock(mutex_);
    if (failed() || !to_announce_.empty()) return;  // what is sent may be the result of what failed
    waiting_.push_back(std::move(m));
    has_work_.store(true, std::memory_order_relaxed);
  }
  have_it_done();
}

std::vector<pending_message> mpi_transport::pending() {
  std::vector<pending_message> result;
  const std::lock_guard desk(desk_);
  const auto add = [&](const message& m) {
    result.push_back({m.outgoing, node_id(m.peer), m.number, std::ssize(m.data.bytes)});
  };
  std::set<const message*> seen;
  for (const piece& p : pieces_)
    if (p.of && seen.insert(p.of.get()).second) add(*p.of);
  for (const auto& from : lines_)
    for (const auto& m : from->later) add(*m);
  return result;
}

void mpi_transport::tell(node_id peer, std::span<const std::byte> note) {
  if (note.size() > note_bytes) throw std::logic_error("a note is too long");
  auto made = std::make_shared<notice>();
  made->bytes = static_cast<int>(note.size());
  std::memcpy(made->text.data(), note.data(), note.size());
  {
    const std::lock_guard lock(mutex_);
    if (failed()) return;
    notes_to_send_.emplace_back(peer.value, std::move(made));
    has_work_.store(true, std::memory_order_relaxed);
  }
  have_it_done();
}

void mpi_transport::abort(const std::string& reason) noexcept {
  const std::lock_guard lock(mutex_);
  if (failed() || !to_announce_.empty()) return;
  to_announce_ = reason.empty() ? "a failure without a reason" : reason;
  has_work_.store(true, std::memory_order_relaxed);
  changed_.notify_one();
}

std::string mpi_transport::failure() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

/// Every look asks MPI about all that is posted, so that of the messages expected from a peer only the next ones are.
/// They come here in the order of their numbers, and whatever a message depends on was planned before it: those that
/// wait here cannot keep an earlier one from coming.
void mpi_transport::post_in_turn(std::shared_ptr<message> m) {
  line& from = *lines_[at(m->peer)];
  if (m->outgoing || from.posted < most_posted) return post(m);
  from.later.push_back(std::move(m));
}

/// All pieces of a message have its tag: MPI keeps them in order. Tags come round again after very many messages.
void mpi_transport::post(const std::shared_ptr<message>& m) {
  const auto tag = static_cast<int>(m->number % (static_cast<std::uint64_t>(most_tag_) + 1));
  const std::int64_t all = std::ssize(m->data.bytes);
  const std::lock_guard turn(mpi_.turn());
  std::int64_t begin = 0;
  if (!m->outgoing) ++lines_[at(m->peer)]->posted;
  do {
    const std::int64_t bytes = std::min(most_bytes_, all - begin);
    std::byte* const data = m->data.bytes.data() + begin;
    tessera_mpi_handle request{};
    check(m->outgoing ? mpi_.calls().send(comm_, data, static_cast<int>(bytes), m->peer, tag, &request)
                      : mpi_.calls().receive(comm_, data, static_cast<int>(bytes), m->peer, tag, &request),
          m->outgoing ? "sending" : "receiving");
    ++m->pieces;
    requests_.push_back(request);
    pieces_.push_back({m, bytes, nullptr});
    bytes_under_way_ += bytes;
    begin += bytes;
  } while (begin < all);
  if (!m->outgoing || all < large) return;
  constexpr std::int64_t bytes_per_turn = 2048, at_least = 400;
  bytes_leaving_ += all;
  turns_left_ = at_least + bytes_leaving_ / bytes_per_turn;
}

/// True if something has ended.
bool mpi_transport::look() {
  statuses_.resize(requests_.size());
  int count = 0;
  {
    const std::lock_guard turn(mpi_.turn());
    if (mpi_.ended()) return false;
    check(mpi_.calls().test(static_cast<int>(requests_.size()), requests_.data(), &count, statuses_.data()),
          "looking for messages");
  }
  if (count == 0) return false;
  for (int i = 0; i < count; ++i) {
    try {
      ended(statuses_[at(i)]);
    } catch (const comm_error& e) {
      suspect(e.what());
    }
  }
  std::vector<std::size_t> places;
  for (int i = 0; i < count; ++i)
    if (statuses_[at(i)].index > 0) places.push_back(at(statuses_[at(i)].index));
  std::sort(places.rbegin(), places.rend());
  for (const std::size_t place : places) {
    bytes_under_way_ -= pieces_[place].bytes;
    requests_[place] = requests_.back();
    pieces_[place] = std::move(pieces_.back());
    requests_.pop_back();
    pieces_.pop_back();
  }
  if (!failed()) post_later();
  return true;
}

void mpi_transport::post_later() {
  for (const auto& from : lines_)
    for (; !from->later.empty() && from->posted < most_posted; from->later.pop_front()) post(from->later.front());
}

void mpi_transport::ended(const tessera_mpi_status& status) {
  if (status.index == 0) return take_notice(status.source);
  const piece& p = pieces_[at(status.index)];
  if (!p.of || failed()) return;  // a notice, or what nobody waits for any more
  message& m = *p.of;
  check(status.error, m.outgoing ? "sending" : "receiving");
  if (!m.outgoing && status.bytes != p.bytes)
    throw comm_error(cat("message ", m.number, " from rank ", m.peer, " to rank ", rank_, " has ", status.bytes,
                         " bytes where ", p.bytes, " are expected"));
  if (--m.pieces > 0) return;
  if (m.outgoing && std::ssize(m.data.bytes) >= large) bytes_leaving_ -= std::ssize(m.data.bytes);
  if (m.outgoing) return;
  line& from = *lines_[at(m.peer)];
  --from.posted;
  from.arrived.complete(m.number);
}

}  // namespace mpi

namespace {

std::shared_ptr<transport> make_transport(const tessera_mpi_handle* given, double patience) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  const char* const limit = std::getenv("TESSERA_MESSAGE_LIMIT");
  const std::int64_t bytes = limit == nullptr ? most : parse_integer(limit, 1, most, "TESSERA_MESSAGE_LIMIT");
  return std::make_shared<mpi::mpi_transport>(mpi::library::open(), bytes, given, patience);
}

}  // namespace

std::shared_ptr<transport> make_launched(double seconds) {
  return this_process().ranks == 1 ? make_alone() : make_transport(nullptr, seconds);
}

std::shared_ptr<transport> adopt_communicator(const void* handle, std::size_t bytes) {
  tessera_mpi_handle given{};
  if (bytes > sizeof given) throw argument_error("no MPI communicator has so many bytes");
  std::memcpy(&given, handle, bytes);
  return make_transport(&given, usual_patience);
}

}  // namespace tessera::comm
