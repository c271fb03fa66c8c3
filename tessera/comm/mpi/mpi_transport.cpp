#include "tessera/comm/mpi/mpi_transport.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/launcher.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/base/thread_name.h"

namespace tessera::comm {
namespace mpi {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr int notice_tag = 1;

/// True if looking without a pause would take the processor from those who make the messages.
bool crowded() {
  static const bool is = std::thread::hardware_concurrency() < 4U * static_cast<unsigned>(this_process().local_ranks);
  return is;
}

}  // namespace

mpi_transport::mpi_transport(library& mpi, const void* user, std::int64_t most_bytes)
    : mpi_(mpi), most_bytes_(most_bytes) {
  std::vector<peer_identity> ranks;
  {
    const std::lock_guard turn(mpi_.turn());
    int ignored = 0;
    check(mpi_.calls().open(user, &comm_, &rank_, &size_, &most_tag_), "making a communicator");
    check(mpi_.calls().open(user, &control_, &rank_, &size_, &ignored), "making a communicator");
    expect_notice();
    const peer_identity self = peer_identity::of_this_process();
    ranks.resize(at(size_));
    check(mpi_.calls().gather(control_, &self, sizeof self, ranks.data()), "telling who is who");
  }
  for (int r = 0; r < size_; ++r) lines_.push_back(std::make_unique<arrivals>());
  thread_ = std::thread([this] { work(); });
  peers_ = std::make_unique<peer_watch>(ranks, rank_, [this](int rank, int process) {
    const std::string reason = cat("rank ", rank, " (process ", process, ") has died");
    log(log_level::error, cat(reason, "; rank ", rank_, " ends, too"));
    abort(reason);
  });
  mpi_.enter(*this);
}

mpi_transport::~mpi_transport() {
  mpi_.leave(*this);
  peers_.reset();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
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
  return lines_[at(peer.value)]->of(number);
}

void mpi_transport::push(message m) {
  const std::lock_guard lock(mutex_);
  if (failed()) return;
  waiting_.push_back(std::move(m));
  changed_.notify_one();
}

void mpi_transport::abort(const std::string& reason) noexcept {
  const std::lock_guard lock(mutex_);
  if (failed() || !to_announce_.empty()) return;
  to_announce_ = reason.empty() ? "a failure without a reason" : reason;
  changed_.notify_one();
}

std::string mpi_transport::failure() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

void mpi_transport::work() {
  name_this_thread("tessera network");
  std::deque<message> batch;
  int idle_turns = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (stopping_ && waiting_.empty() && (nothing_under_way() || failed())) break;
      batch.swap(waiting_);
    }
    try {
      if (std::string reason; !failed()) {
        {
          const std::lock_guard lock(mutex_);
          reason = to_announce_;
        }
        if (!reason.empty()) spread_notice(reason);
      }
      for (message& m : batch)
        if (!failed()) post(std::make_shared<message>(std::move(m)));
      const bool news = !batch.empty() | look();
      idle_turns = news ? 0 : idle_turns + 1;
    } catch (const std::exception& e) {
      fail(e.what());
    }
    batch.clear();
    pause(idle_turns);
  }
  const std::lock_guard turn(mpi_.turn());
  if (!mpi_.ended()) mpi_.calls().cancel(&requests_.front());
  // MPI may still read what it could not send; the process ends soon.
  if (!nothing_under_way()) static_cast<void>(new std::vector<piece>(std::move(pieces_)));
  if (failed() || mpi_.ended()) return;
  mpi_.calls().close(comm_);
  mpi_.calls().close(control_);
}

/// Stays awake while messages are likely, then lets others work, then sleeps: for a moment while something is under
/// way, otherwise until it is called, with a look at the notices now and then.
void mpi_transport::pause(int idle_turns) {
  constexpr int awake = 200, polite = 400;
  constexpr std::chrono::microseconds moment(50), long_while(20'000);
  if (idle_turns < awake && !crowded()) return;
  if (idle_turns < polite) {
    sched_yield();
    return;
  }
  std::unique_lock lock(mutex_);
  const auto wanted = [&] { return !waiting_.empty() || stopping_ || (!to_announce_.empty() && !failed()); };
  changed_.wait_for(lock, nothing_under_way() ? long_while : moment, wanted);
}

/// All pieces of a message have its tag: MPI keeps them in order. Tags come round again after very many messages.
void mpi_transport::post(const std::shared_ptr<message>& m) {
  const auto tag = static_cast<int>(m->number % (static_cast<std::uint64_t>(most_tag_) + 1));
  const std::int64_t all = std::ssize(m->data.bytes);
  const std::lock_guard turn(mpi_.turn());
  std::int64_t begin = 0;
  do {
    const std::int64_t bytes = std::min(most_bytes_, all - begin);
    std::byte* const data = m->data.bytes.data() + begin;
    tessera_mpi_handle request{};
    check(m->outgoing ? mpi_.calls().send(comm_, data, static_cast<int>(bytes), m->peer, tag, &request)
                      : mpi_.calls().receive(comm_, data, static_cast<int>(bytes), m->peer, tag, &request),
          m->outgoing ? "sending" : "receiving");
    ++m->pieces;
    requests_.push_back(request);
    pieces_.push_back({m, bytes});
    begin += bytes;
  } while (begin < all);
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
  for (int i = 0; i < count; ++i) ended(statuses_[at(i)]);
  std::vector<std::size_t> places;
  for (int i = 0; i < count; ++i)
    if (statuses_[at(i)].index > 0) places.push_back(at(statuses_[at(i)].index));
  std::sort(places.rbegin(), places.rend());
  for (const std::size_t place : places) {
    requests_[place] = requests_.back();
    pieces_[place] = std::move(pieces_.back());
    requests_.pop_back();
    pieces_.pop_back();
  }
  return true;
}

void mpi_transport::ended(const tessera_mpi_status& status) {
  if (status.index == 0) {
    incoming_.reason.back() = 0;
    fail(incoming_.reason.data());
    return expect_notice();
  }
  const piece& p = pieces_[at(status.index)];
  if (!p.of) return;  // a notice on its way
  message& m = *p.of;
  check(status.error, m.outgoing ? "sending" : "receiving");
  if (!m.outgoing && status.bytes != p.bytes)
    throw comm_error(cat("message ", m.number, " from rank ", m.peer, " to rank ", rank_, " has ", status.bytes,
                         " bytes where ", p.bytes, " are expected"));
  if (--m.pieces == 0 && !m.outgoing && !failed()) lines_[at(m.peer)]->complete(m.number);
}

void mpi_transport::expect_notice() {
  tessera_mpi_handle request{};
  check(mpi_.calls().receive(control_, &incoming_, sizeof incoming_, -1, notice_tag, &request), "receiving");
  if (requests_.empty()) requests_.emplace_back(), pieces_.emplace_back();
  requests_.front() = request;
}

void mpi_transport::spread_notice(const std::string& reason) {
  auto text = std::make_shared<notice>();
  std::strncpy(text->reason.data(), reason.c_str(), text->reason.size() - 1);
  outgoing_.push_back(text);
  for (int r = 0; r < size_; ++r) {
    if (r == rank_) continue;
    const std::lock_guard turn(mpi_.turn());
    tessera_mpi_handle request{};
    check(mpi_.calls().send(control_, text.get(), sizeof *text, r, notice_tag, &request), "sending");
    requests_.push_back(request);
    pieces_.emplace_back();
  }
  fail(reason);
}

/// From now on everything counts as ended.
void mpi_transport::fail(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    if (failed()) return;
    reason_ = reason;
    failed_.store(true, std::memory_order_release);
    waiting_.clear();
  }
  mpi_.job_failed();
  give_up_receives();
  for (const auto& line : lines_) line->close();
}

/// Their memory is given back soon. What is being sent stays with the message until the process ends.
void mpi_transport::give_up_receives() {
  const std::lock_guard turn(mpi_.turn());
  for (std::size_t k = 1; k < requests_.size(); ++k)
    if (pieces_[k].of && !pieces_[k].of->outgoing) mpi_.calls().cancel(&requests_[k]);
}

}  // namespace mpi

std::shared_ptr<transport> make_launched() {
  if (this_process().ranks == 1) return make_alone();
  std::int64_t most = std::int64_t{1} << 30;
  if (const char* limit = std::getenv("TESSERA_MESSAGE_LIMIT")) {
    const auto [rest, status] = std::from_chars(limit, limit + std::strlen(limit), most);
    if (status != std::errc{} || *rest != 0 || most < 1 || most > (std::int64_t{1} << 30))
      throw argument_error(cat("TESSERA_MESSAGE_LIMIT is '", limit, "'; a number of bytes is expected"));
  }
  return std::make_shared<mpi::mpi_transport>(mpi::library::open(), nullptr, most);
}

}  // namespace tessera::comm
