#include "tessera/comm/mpi/progress_thread.h"

#include <sched.h>

#include <chrono>

#include "tessera/base/threads/progress_engine.h"
#include "tessera/base/threads/thread_name.h"
#include "tessera/device/host/launcher.h"

namespace tessera::comm::mpi {
namespace {

/// True if polling without a pause would take the processor from the threads that make the messages.
bool crowded() {
  static const bool is = std::thread::hardware_concurrency() < 4U * static_cast<unsigned>(this_process().local_ranks);
  return is;
}

}  // namespace

progress_thread::progress_thread(message_engine& engine, work_queue& work)
    : engine_(engine), work_(work), thread_([this] { run(); }) {}

void progress_thread::run() {
  name_this_thread("tessera network");
  int idle_rounds = 0;
  while (true) {
    const message_engine::step done = engine_.advance();
    if (done.last) break;
    idle_rounds = done.busy ? 0 : idle_rounds + 1;
    pause(idle_rounds, done.bytes);
  }
  engine_.release();
}

void progress_thread::pause(int idle_rounds, std::int64_t bytes) {
  constexpr int awake = 200, polite = 400, brief = 20;
  constexpr std::int64_t bytes_per_round = 4096;  // a large message moves only while a thread polls
  constexpr std::chrono::microseconds moment(50), crowded_moment(250), polled(1'000), long_while(2'000);
  const bool under_way = engine_.under_way(), others_poll = progress_engine::has_pollers();
  const bool relieved = others_poll && progress_engine::polled_recently();
  if (!crowded() && !others_poll) {
    if (idle_rounds < awake) return;
    if (idle_rounds < polite + bytes / bytes_per_round) return static_cast<void>(sched_yield());
  } else if (!relieved && idle_rounds < brief) {  // others compute for longer than a message should wait
    return static_cast<void>(sched_yield());
  }
  const auto most = !under_way ? long_while : relieved ? polled : others_poll || crowded() ? crowded_moment : moment;
  work_.sleep(most, [&] {
    return under_way != engine_.under_way() || (under_way && others_poll != progress_engine::has_pollers());
  });
}

}  // namespace tessera::comm::mpi
