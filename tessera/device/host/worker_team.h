#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include "tessera/device/host/pool.h"

namespace tessera::device {

/// Several workers that share out the parts of one piece of work, then of the next. Each member begins with a share of
/// its own, the same in every round, so that work on the same data finds it in the same processor's cache; a member
/// that is done takes parts of the others. None waits for another: the member that ends the last part goes on with what
/// follows. Helpers that come too late find nothing to do, or help with a later round.
class worker_team {
 public:
  using part_function = std::function<void(std::int64_t part)>;

  /// Continues when a helper, not the founder, has ended the last part of a round.
  class successor {
   public:
    virtual void team_ended(std::exception_ptr reason) noexcept = 0;

   protected:
    ~successor() = default;
  };

  struct releaser {
    void operator()(worker_team* team) const noexcept { team->release(); }
  };
  /// Helpers that have yet to find out that they are not needed keep a team alive, not what its rounds work on.
  using handle = std::unique_ptr<worker_team, releaser>;

  /// `next` outlives every round.
  static handle make(int members, successor& next) { return handle(new worker_team(members, &next)); }

  /// Calls part(p) for every p in [0, parts), 0 < parts < 2^32, on the calling worker and on the other members, then
  /// `epilogue` once (may be empty) on the thread that ended the last part. Returns true if that is this thread, and
  /// rethrows the first exception of a part. Otherwise the successor is called on the other thread, perhaps before this
  /// returns. One round at a time.
  bool run(std::int64_t parts, part_function part, std::function<void()> epilogue);

  /// Calls part(p) for every p in [0, parts) on the calling thread and up to `members` - 1 others; returns when all
  /// have ended and rethrows the first exception. The caller waits only for parts that others are running.
  static void run_and_wait(std::int64_t parts, int members, part_function part);

 private:
  struct helper_job final : job {
    void run() noexcept override;
    worker_team* owner = nullptr;
    std::atomic<bool> queued{false};
  };
  /// The parts [begin, end) that are not claimed yet: begin in the upper half, end in the lower.
  struct alignas(64) share {
    std::atomic<std::uint64_t> left{0};
  };

  worker_team(int members, successor* next);

  void begin(std::int64_t parts, part_function part, std::function<void()> epilogue);
  bool join() noexcept;
  void end_last() noexcept;
  void call(std::int64_t part) noexcept;
  void keep_reason() noexcept;
  void release() noexcept;

  const int members_;
  successor* const next_;
  const std::unique_ptr<share[]> shares_;
  const std::unique_ptr<helper_job[]> helper_jobs_;

  // Of one round: set before its parts are offered, read by members that have claimed one.
  part_function part_;
  std::function<void()> epilogue_;
  spin_lock reason_lock_;
  std::exception_ptr reason_;

  alignas(64) std::atomic<std::int64_t> unfinished_{0};
  std::atomic<bool> ended_{false};
  std::atomic<int> references_{1};
};

}  // namespace tessera::device
