// Who looks after the messages: whoever is at the desk, one thread at a time.

#include <sched.h>

#include <algorithm>
#include <chrono>

#include "tessera/base/thread_name.h"
#include "tessera/comm/mpi/mpi_transport.h"
#include "tessera/device/host/launcher.h"

namespace tessera::comm::mpi {
namespace {

constexpr std::chrono::seconds patience(1);  // before a job ends badly

/// True if looking without a pause would take the processor from those who make the messages.
bool crowded() {
  static const bool is = std::thread::hardware_concurrency() < 4U * static_cast<unsigned>(this_process().local_ranks);
  return is;
}

/// The transport whose desk this thread is at: what it calls may send.
thread_local const void* at_desk = nullptr;

}  // namespace

/// False if somebody is at the desk, perhaps this thread: it may not see what was left since.
bool mpi_transport::serve_if_free(bool looking) {
  if (at_desk == this) return false;
  const std::unique_lock desk(desk_, std::try_to_lock);
  if (!desk) return false;
  serve(looking);
  return true;
}

/// Posts what was left, or has the one at the desk do it, and sees to it that somebody looks for its end.
void mpi_transport::have_it_done() {
  if (!serve_if_free(false) || !progress::looked_after()) changed_.notify_one();
}

progress::outlook mpi_transport::poll() noexcept {
  const bool served = serve_if_free(true);
  if (served && moving()) return progress::outlook::moving;
  return under_way_.load(std::memory_order_relaxed) ? progress::outlook::expected : progress::outlook::nothing;
}

/// Asked after each look. Large messages leave piece by piece as the receiver takes them, which may be long from now.
bool mpi_transport::moving() noexcept {
  const std::unique_lock desk(desk_, std::try_to_lock);
  return desk && bytes_leaving_ > 0 && turns_left_-- > 0;
}

/// Posts what is waiting and, if `looking`, looks for what has ended. True if there was something to do. By whoever is
/// at the desk.
bool mpi_transport::serve(bool looking) {
  at_desk = this;
  bool busy = false;
  try {
    if (has_work_.load(std::memory_order_relaxed)) busy = take_work();
    if (looking) busy = look() || busy;
    if (!suspicion_.empty() && !failed() && std::chrono::steady_clock::now() - suspected_ > patience)
      spread_failure(suspicion_);
  } catch (const std::exception& e) {
    spread_failure(e.what());
  }
  under_way_.store(!nothing_under_way(), std::memory_order_relaxed);
  at_desk = nullptr;
  return busy;
}

/// Posts what others have left. True if there was something.
bool mpi_transport::take_work() {
  std::vector<message> messages;
  decltype(notes_to_send_) notes;
  std::string failure;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(waiting_);
    notes.swap(notes_to_send_);
    if (!failed()) failure = to_announce_;
    has_work_.store(false, std::memory_order_relaxed);
  }
  if (!failure.empty()) spread_failure(failure);
  for (message& m : messages)
    if (!failed()) post_in_turn(std::make_shared<message>(std::move(m)));
  for (auto& [peer, text] : notes)
    if (!failed()) send_notice(peer, std::move(text));
  return !messages.empty() || !notes.empty();
}

void mpi_transport::work() {
  name_this_thread("tessera network");
  int idle_turns = 0;
  while (true) {
    std::unique_lock desk(desk_);
    if (may_stop()) break;
    idle_turns = serve(true) ? 0 : idle_turns + 1;
    const std::int64_t bytes = bytes_under_way_;
    desk.unlock();
    pause(idle_turns, bytes);
  }
  const std::lock_guard turn(mpi_.turn());
  let_go();
  // MPI may still read what it could not send, or write what it could not receive; the process ends soon.
  if (!nothing_under_way()) static_cast<void>(new std::vector<piece>(std::move(pieces_)));
}

/// A job that has failed is not waited for, but that the others are told is, for a while.
bool mpi_transport::may_stop() {
  const std::lock_guard lock(mutex_);
  if (!stopping_ || has_work()) return false;
  if (nothing_under_way()) return true;
  if (!failed()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (leaving_since_ == std::chrono::steady_clock::time_point{}) leaving_since_ = now;
  const bool telling =
      std::any_of(pieces_.begin() + 1, pieces_.end(), [](const piece& p) { return p.text != nullptr; });
  return !telling || now - leaving_since_ > patience;
}

void mpi_transport::pause(int idle_turns, std::int64_t bytes) {
  constexpr int awake = 200, polite = 400, brief = 20;
  constexpr std::int64_t bytes_per_turn = 4096;  // a large message moves only while somebody looks
  constexpr std::chrono::microseconds moment(50), crowded_moment(250), looked_after(1'000), long_while(2'000);
  const bool under_way = under_way_.load(std::memory_order_relaxed), others_look = progress::looked_after();
  const bool relieved = others_look && progress::looked_lately();
  if (!crowded() && !others_look) {
    if (idle_turns < awake) return;
    if (idle_turns < polite + bytes / bytes_per_turn) return static_cast<void>(sched_yield());
  } else if (!relieved && idle_turns < brief) {  // others compute for longer than a message should wait
    return static_cast<void>(sched_yield());
  }
  const auto most = !under_way                 ? long_while
                    : relieved                 ? looked_after
                    : others_look || crowded() ? crowded_moment
                                               : moment;
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [&] {
    return stopping_ || has_work() || under_way != under_way_ || (under_way && others_look != progress::looked_after());
  });
}

}  // namespace tessera::comm::mpi
