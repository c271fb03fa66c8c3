#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tessera/plan/instruction.h"

namespace tessera::runtime {

/// Why something holds no result: what the user is told, and the error that this was made from. A kernel that does not
/// compile is the one cause of as many reasons as it has superblocks.
struct failure {
  std::exception_ptr reason;
  std::exception_ptr cause;
  explicit operator bool() const { return reason != nullptr; }
};

/// `reason` with `context` put in front of its message; the kind of error stays, foreign exceptions become
/// `device_error`.
[[nodiscard]] std::exception_ptr with_context(const std::exception_ptr& reason, const std::string& context);

/// The message of `reason`.
[[nodiscard]] std::string what_of(const std::exception_ptr& reason);

/// Which elements of which copies hold no result because something failed, and why (rule G4). Only what depends
/// on a failure is touched by it: work that reads such elements is not run and passes the failure on, work that
/// overwrites them heals them. Thread-safe; costs one atomic read while nothing has failed.
class failure_table {
 public:
  [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

  /// Why one of the read operands holds no result; nothing if all do.
  [[nodiscard]] failure reason_for(std::span<const plan::operand> operands) const;
  /// The written operands hold no result, because of something that is known already.
  void pass_on(std::span<const plan::operand> operands, const failure& problem);
  /// The written operands hold no result, because of something new that the user is to be told.
  void poison(std::span<const plan::operand> operands, const failure& problem);
  /// The written operands hold results again.
  void heal(std::span<const plan::operand> operands);
  /// The array is gone.
  void forget(array_id array);

  /// Why a copy of `array` holds no result, if any of it does not.
  [[nodiscard]] failure reason_for(array_id array) const;
  /// The first failure that the user has not been told; it counts as told from now on.
  [[nodiscard]] std::exception_ptr take_unreported();
  /// `problem` has been thrown to the user: nothing else that it is the cause of is new.
  void reported(const failure& problem);

 private:
  /// Elements of one copy that hold no result.
  struct poisoned_range {
    location place;
    box part;
    failure problem;
  };
  static constexpr std::size_t most_reported = 64;

  void add_ranges(std::span<const plan::operand> operands, const failure& problem);
  void note_reported(const std::exception_ptr& cause);

  mutable std::mutex mutex_;
  std::atomic<bool> any_{false};
  std::unordered_map<array_id, std::vector<poisoned_range>> poisoned_;
  failure unreported_;
  std::deque<std::exception_ptr> reported_;  // the causes reported last
};

}  // namespace tessera::runtime
