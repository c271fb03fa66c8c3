#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include "tessera/device/cpu/pool.h"

namespace tessera::device {

/// Several workers that share out the parts of one piece of work. Parts are claimed one by one; nobody waits for
/// another: whoever ends the last part goes on with what follows. Helpers that come too late find nothing to do.
class crew {
 public:
  using part_function = std::function<void(std::int64_t part)>;

  /// Who goes on when a helper, not the founder, has ended the last part.
  class successor {
   public:
    virtual void crew_ended(std::exception_ptr reason) noexcept = 0;

   protected:
    ~successor() = default;
  };

  /// Calls part(p) for every p in [0, parts), parts > 0, on the calling worker and on up to `helpers` others, then
  /// `epilogue` once (may be empty) on the thread that ended the last part. Returns true if that is this thread, and
  /// rethrows the first exception of a part. Otherwise `next.crew_ended` is called on the other thread, perhaps before
  /// this returns.
  static bool run(std::int64_t parts, int helpers, part_function part, std::function<void()> epilogue, successor& next);

  /// Calls part(p) for every p in [0, parts) on the calling thread and up to `helpers` others; returns when all have
  /// ended and rethrows the first exception. The caller waits only for parts that others are running.
  static void run_and_wait(std::int64_t parts, int helpers, part_function part);

 private:
  struct ticket final : job {
    void run() noexcept override;
    crew* owner = nullptr;
  };

  crew(std::int64_t parts, int helpers, part_function part, std::function<void()> epilogue, successor* next);

  static crew* start(std::int64_t parts, int helpers, part_function part, std::function<void()> epilogue,
                     successor* next);
  bool join() noexcept;
  void end_last() noexcept;
  void call(std::int64_t part) noexcept;
  void keep_reason() noexcept;
  void release() noexcept;

  const std::int64_t parts_;
  part_function part_;
  std::function<void()> epilogue_;
  successor* next_;
  std::atomic<std::int64_t> claimed_{0};
  std::atomic<std::int64_t> unfinished_;
  std::atomic<bool> ended_{false};
  std::atomic<int> references_;
  spin_lock reason_lock_;
  std::exception_ptr reason_;
  std::unique_ptr<ticket[]> tickets_;
};

}  // namespace tessera::device
