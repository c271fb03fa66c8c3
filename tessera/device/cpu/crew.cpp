#include "tessera/device/cpu/crew.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace tessera::device {

crew::crew(std::int64_t parts, int helpers, part_function part, std::function<void()> epilogue, successor* next)
    : parts_(parts),
      part_(std::move(part)),
      epilogue_(std::move(epilogue)),
      next_(next),
      unfinished_(parts),
      references_(helpers + 1),
      tickets_(std::make_unique<ticket[]>(static_cast<std::size_t>(helpers))) {
  for (int h = 0; h < helpers; ++h) tickets_[static_cast<std::size_t>(h)].owner = this;
}

crew* crew::start(std::int64_t parts, int helpers, part_function part, std::function<void()> epilogue,
                  successor* next) {
  worker_pool& pool = worker_pool::instance();
  const auto useful = std::min<std::int64_t>({helpers, parts - 1, pool.threads() - 1});
  const int hired = static_cast<int>(std::max<std::int64_t>(useful, 0));
  auto* const team = new crew(parts, hired, std::move(part), std::move(epilogue), next);
  for (int h = 0; h < hired; ++h) pool.schedule_last(team->tickets_[static_cast<std::size_t>(h)]);
  return team;
}

bool crew::run(std::int64_t parts, int helpers, part_function part, std::function<void()> epilogue, successor& next) {
  crew* const team = start(parts, helpers, std::move(part), std::move(epilogue), &next);
  const bool last = team->join();
  const std::exception_ptr reason = last ? team->reason_ : nullptr;
  team->release();
  if (reason) std::rethrow_exception(reason);
  return last;
}

void crew::run_and_wait(std::int64_t parts, int helpers, part_function part) {
  if (parts <= 0) return;
  crew* const team = start(parts, helpers, std::move(part), nullptr, nullptr);
  if (!team->join()) {
    constexpr int yields = 64;
    for (int i = 0; i < yields && !team->ended_.load(std::memory_order_acquire); ++i) sched_yield();
    team->ended_.wait(false, std::memory_order_acquire);
  }
  const std::exception_ptr reason = team->reason_;
  team->release();
  if (reason) std::rethrow_exception(reason);
}

void crew::ticket::run() noexcept {
  crew* const team = owner;
  const bool last = team->join();
  successor* const next = team->next_;
  const std::exception_ptr reason = last ? team->reason_ : nullptr;
  team->release();
  if (last && next != nullptr) next->crew_ended(reason);
}

bool crew::join() noexcept {
  std::int64_t done = 0;
  for (;;) {
    const std::int64_t part = claimed_.fetch_add(1, std::memory_order_relaxed);
    if (part >= parts_) break;
    call(part);
    ++done;
  }
  if (done == 0 || unfinished_.fetch_sub(done, std::memory_order_acq_rel) != done) return false;
  end_last();
  return true;
}

void crew::end_last() noexcept {
  try {
    if (epilogue_ && !reason_) epilogue_();
  } catch (...) {
    keep_reason();
  }
  // What the functions hold is not kept alive by helpers that have yet to find out that they are not needed.
  part_ = nullptr;
  epilogue_ = nullptr;
  ended_.store(true, std::memory_order_release);
  ended_.notify_all();
}

void crew::call(std::int64_t part) noexcept {
  try {
    part_(part);
  } catch (...) {
    keep_reason();
  }
}

void crew::keep_reason() noexcept {
  std::lock_guard lock(reason_lock_);
  if (!reason_) reason_ = std::current_exception();
}

void crew::release() noexcept {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

}  // namespace tessera::device
