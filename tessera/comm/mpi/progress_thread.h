#pragma once

#include <cstdint>
#include <thread>

#include "tessera/comm/mpi/message_engine.h"
#include "tessera/comm/mpi/work_queue.h"

namespace tessera::comm::mpi {

/// Sees to messages while no other thread does. Where there are processors to spare it polls without a pause while
/// messages come, then yields its processor, then sleeps a little; it sleeps nearly all the time while other threads
/// poll (see `progress`), and until it is woken while nothing is under way.
class progress_thread {
 public:
  /// Both outlive it.
  progress_thread(message_engine& engine, work_queue& work);
  /// To be called when `work` has been stopped: returns when all messages have ended, or soon if the job has failed.
  ~progress_thread() { thread_.join(); }
  progress_thread(const progress_thread&) = delete;
  progress_thread& operator=(const progress_thread&) = delete;

 private:
  void run();
  void pause(int idle_rounds, std::int64_t bytes);

  message_engine& engine_;
  work_queue& work_;
  std::thread thread_;
};

}  // namespace tessera::comm::mpi
