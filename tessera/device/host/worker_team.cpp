#include "tessera/device/host/worker_team.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace tessera::device {
namespace {

constexpr std::uint64_t one_part = std::uint64_t{1} << 32;

std::uint64_t range(std::int64_t begin, std::int64_t end) {
  return static_cast<std::uint64_t>(begin) << 32 | static_cast<std::uint64_t>(end);
}
std::int64_t begin_of(std::uint64_t range) { return static_cast<std::int64_t>(range >> 32); }
std::int64_t end_of(std::uint64_t range) { return static_cast<std::int64_t>(range & 0xffffffffU); }

}  // namespace

worker_team::worker_team(int members, successor* next)
    : members_(members),
      next_(next),
      shares_(std::make_unique<share[]>(static_cast<std::size_t>(members))),
      helper_jobs_(std::make_unique<helper_job[]>(static_cast<std::size_t>(members - 1))) {
  for (int h = 0; h < members - 1; ++h) helper_jobs_[static_cast<std::size_t>(h)].owner = this;
}

bool worker_team::run(std::int64_t parts, part_function part, std::function<void()> epilogue) {
  references_.fetch_add(1, std::memory_order_relaxed);  // the owner may let go as soon as the last part has ended
  begin(parts, std::move(part), std::move(epilogue));
  const bool last = join();
  const std::exception_ptr reason = last ? std::exchange(reason_, nullptr) : nullptr;
  release();
  if (reason) std::rethrow_exception(reason);
  return last;
}

void worker_team::run_and_wait(std::int64_t parts, int members, part_function part) {
  if (parts <= 0) return;
  const handle team(new worker_team(members, nullptr));
  team->begin(parts, std::move(part), nullptr);
  if (!team->join()) {
    constexpr int yields = 64;
    for (int i = 0; i < yields && !team->ended_.load(std::memory_order_acquire); ++i) sched_yield();
    team->ended_.wait(false, std::memory_order_acquire);
  }
  if (team->reason_) std::rethrow_exception(team->reason_);
}

void worker_team::begin(std::int64_t parts, part_function part, std::function<void()> epilogue) {
  worker_pool& pool = worker_pool::instance();
  part_ = std::move(part);
  epilogue_ = std::move(epilogue);
  unfinished_.store(parts, std::memory_order_relaxed);
  const auto cut = [&](std::int64_t m) { return m * (parts / members_) + std::min(m, parts % members_); };
  for (int m = 0; m < members_; ++m)
    shares_[static_cast<std::size_t>(m)].left.store(range(cut(m), cut(m + 1)), std::memory_order_release);
  const std::int64_t helpers = std::min<std::int64_t>({members_, parts, pool.threads()}) - 1;
  for (std::int64_t h = 0; h < helpers; ++h) {
    helper_job& t = helper_jobs_[static_cast<std::size_t>(h)];
    if (t.queued.exchange(true, std::memory_order_acq_rel)) continue;  // on its way since an earlier round
    references_.fetch_add(1, std::memory_order_relaxed);
    pool.schedule_last(t);
  }
}

void worker_team::helper_job::run() noexcept {
  worker_team* const team = owner;
  queued.store(false, std::memory_order_release);
  const bool last = team->join();
  successor* const next = last ? team->next_ : nullptr;
  const std::exception_ptr reason = next != nullptr ? std::exchange(team->reason_, nullptr) : nullptr;
  team->release();
  if (next != nullptr) next->team_ended(reason);
}

/// A claim is good whatever happened since `left` was read: nothing that was read before it is used.
bool worker_team::join() noexcept {
  const int own = worker_pool::worker_index();
  std::int64_t done = 0;
  if (members_ > 1) progress_engine::poll_at_times();
  for (int k = 0; k < members_; ++k) {
    std::atomic<std::uint64_t>& left = shares_[static_cast<std::size_t>((own + k) % members_)].left;
    std::uint64_t seen = left.load(std::memory_order_acquire);
    while (begin_of(seen) < end_of(seen)) {
      if (!left.compare_exchange_weak(seen, seen + one_part, std::memory_order_acq_rel, std::memory_order_acquire))
        continue;
      call(begin_of(seen));
      ++done;
      worker_pool::instance().run_urgent();
      seen = left.load(std::memory_order_acquire);
    }
  }
  if (done == 0 || unfinished_.fetch_sub(done, std::memory_order_acq_rel) != done) return false;
  end_last();
  return true;
}

void worker_team::end_last() noexcept {
  try {
    if (epilogue_ && !reason_) epilogue_();
  } catch (...) {
    keep_reason();
  }
  part_ = nullptr;
  epilogue_ = nullptr;
  if (next_ != nullptr) return;
  ended_.store(true, std::memory_order_release);
  ended_.notify_all();
}

void worker_team::call(std::int64_t part) noexcept {
  try {
    part_(part);
  } catch (...) {
    keep_reason();
  }
}

void worker_team::keep_reason() noexcept {
  std::lock_guard lock(reason_lock_);
  if (!reason_) reason_ = std::current_exception();
}

void worker_team::release() noexcept {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

}  // namespace tessera::device
