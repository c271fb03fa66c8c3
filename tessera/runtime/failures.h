#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "tessera/plan/instruction.h"

namespace tessera::runtime {

/// Which elements of which copies hold no result because something failed, and why (decision 9). Only what depends
/// on a failure is touched by it: work that reads such elements is not run and passes the reason on, work that
/// overwrites them heals them. Thread-safe; costs one atomic read while nothing has failed.
class failure_book {
 public:
  [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

  /// Why one of the read operands holds no result; null if all do.
  [[nodiscard]] std::exception_ptr reason_for(std::span<const plan::operand> operands) const;
  /// The written operands hold no result.
  void poison(std::span<const plan::operand> operands, const std::exception_ptr& reason);
  /// The written operands hold results again.
  void heal(std::span<const plan::operand> operands);
  void forget(array_id array);

  /// Why a copy of `array` holds no result, if any of it does not.
  [[nodiscard]] std::exception_ptr reason_for(array_id array) const;
  /// The first failure since the last call.
  [[nodiscard]] std::exception_ptr take_unreported();
  /// `reason` has been thrown to the user.
  void reported(const std::exception_ptr& reason);

 private:
  struct wound {
    location where;
    box part;
    std::exception_ptr reason;
  };

  mutable std::mutex mutex_;
  std::atomic<bool> any_{false};
  std::unordered_map<array_id, std::vector<wound>> wounds_;
  std::exception_ptr unreported_;
};

}  // namespace tessera::runtime
