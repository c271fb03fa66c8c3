#include "tessera/comm/mpi/work_queue.h"

namespace tessera::comm::mpi {

bool work_queue::add(message m) {
  const std::lock_guard lock(mutex_);
  if (job_.failed() || waiting_.failure) return false;
  waiting_.messages.push_back(std::move(m));
  any_.store(true, std::memory_order_relaxed);
  return true;
}

bool work_queue::add(outgoing_note n) {
  const std::lock_guard lock(mutex_);
  if (job_.failed()) return false;
  waiting_.notes.push_back(std::move(n));
  any_.store(true, std::memory_order_relaxed);
  return true;
}

void work_queue::announce(job_failure problem) {
  const std::lock_guard lock(mutex_);
  if (job_.failed() || waiting_.failure) return;
  waiting_.failure = std::move(problem);
  any_.store(true, std::memory_order_relaxed);
  changed_.notify_one();
}

/// The failure stays: no message may follow it.
work_queue::batch work_queue::take() {
  batch taken;
  const std::lock_guard lock(mutex_);
  taken.messages.swap(waiting_.messages);
  taken.notes.swap(waiting_.notes);
  if (!job_.failed()) taken.failure = waiting_.failure;
  any_.store(false, std::memory_order_relaxed);
  return taken;
}

void work_queue::drop_all() {
  const std::lock_guard lock(mutex_);
  waiting_.messages.clear();
  waiting_.notes.clear();
}

void work_queue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
}

bool work_queue::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopping_;
}

bool work_queue::finished() const {
  const std::lock_guard lock(mutex_);
  return stopping_ && !has_work();
}

}  // namespace tessera::comm::mpi
