#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

#include "tessera/base/event.h"
#include "tessera/device/backend.h"
#include "tessera/device/host/operation.h"
#include "tessera/device/host/pool.h"
#include "tessera/device/host/worker_team.h"

namespace tessera::device {

/// Carries out operations; the only difference between devices that compute and devices that do nothing.
class operation_runner {
 public:
  /// Members of the teams that it is given.
  [[nodiscard]] virtual int cores() const = 0;
  /// Does `verb`, alone or with `team`. Returns true once it has ended, or false if others of the team go on with it;
  /// then the team's successor is called. `verb` stays where it is until then. Throws what the work throws.
  virtual bool execute(work& verb, worker_team& team) = 0;

 protected:
  ~operation_runner() = default;
};

/// One queue of one device: operations that run in order on the worker pool, each once its events have happened. No
/// thread belongs to it and none ever waits in it: an event that has not happened calls the strand back.
/// An operation that its observer does not admit gets no further calls; its event happens in turn.
class strand final : private job, private host_timeline::waiter, private worker_team::successor {
 public:
  /// `runner` outlives the strand. `salt` tells the delays of strands with equal seeds apart. A strand that `copies`
  /// comes before those that compute.
  strand(operation_runner& runner, const random_delays& disturbance, std::uint64_t salt, bool copies);
  /// Waits until everything that was enqueued has ended.
  ~strand();

  /// Thread-safe. Throws `argument_error` for an event that no host thread reaches.
  event enqueue(const order& ordering, work&& verb);

  /// True for events that a strand can wait for.
  [[nodiscard]] static bool can_wait(const event& e) noexcept;

 private:
  void run() noexcept override;
  void step_reached() noexcept override { pool_.schedule(*this); }
  void team_ended(std::exception_ptr reason) noexcept override;

  void proceed() noexcept;
  bool wait_for_events(operation& op) noexcept;
  bool postpone(const operation& op) noexcept;
  bool perform(operation& op) noexcept;
  bool complete(const std::exception_ptr& reason) noexcept;
  bool turn_over() noexcept;
  void begin_turn() noexcept {
    turn_ = 0;
    others_since_ = {};
  }

  using clock = std::chrono::steady_clock;

  operation_runner& runner_;
  const bool copies_;
  worker_pool& pool_;
  const random_delays disturbance_;
  const std::uint64_t salt_;
  host_timeline line_;
  const worker_team::handle team_;
  operation_queue operations_;

  // Operations not yet accounted for as ended. The thread that raises it from 0 schedules the strand; the runner that
  // lowers it to 0 does not touch the strand again.
  alignas(64) std::atomic<std::uint64_t> pending_{0};
  spin_lock producers_;
  std::uint64_t issued_ = 0;

  // Of the one thread that runs the strand at a time.
  alignas(64) std::uint64_t known_ = 0;  // pending operations seen
  std::uint64_t ended_ = 0;              // of these
  std::uint64_t delayed_step_ = 0;       // the operation whose delay has been drawn
  clock::time_point delayed_until_{};
  int turn_ = 0;                      // operations run since this worker took the strand
  clock::time_point others_since_{};  // when it was first seen that others are ready
};

}  // namespace tessera::device
