#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "tessera/runtime/execute/issue/launch_issuer.h"
#include "tessera/runtime/execute/issue/message_issuer.h"
#include "tessera/runtime/execute/running_instruction.h"

namespace tessera::runtime {

/// An instruction on its way to its device.
struct pending_instruction {
  std::unique_ptr<running_instruction> watch;
  launch_code code{};          ///< Of a launch, or with a registered operation that a fill or fold needs.
  expected_message message{};  ///< Of a receive.
  std::exception_ptr failure;  ///< Why it cannot be issued, if it cannot.

  [[nodiscard]] const plan::instruction& instruction() const { return watch->instruction(); }
};

/// Instructions that are held back because a kernel is being compiled: launches of it, what needs its registered
/// operations, and whatever depends on them. In
/// the order of the plan. Used by the thread that issues; `size` by any thread.
class held_list {
 public:
  explicit held_list(std::size_t devices) : workspace_(devices) {}

  [[nodiscard]] bool empty() const { return held_.empty(); }
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  void add(pending_instruction p);

  /// True if `i` must come after something that is held: it names that, or must not overtake anything. Besides a ticket
  /// for everything the latter are releases, since a launch may have a parameter for an array of which it uses nothing,
  /// and receives: a message may depend, by way of another rank, on anything held here, which would stand behind it in
  /// a queue and wait for ever.
  [[nodiscard]] bool concerns(const plan::instruction& i) const;
  /// True if an instruction up to `last` is held.
  [[nodiscard]] bool holds_up_to(std::uint64_t last) const { return !held_.empty() && held_.begin()->first <= last; }
  /// True if something waits for no compiler and for nothing held: for events alone.
  [[nodiscard]] bool any_compiled() const;

  /// Bytes that launches which are held need beside arrays, by device.
  [[nodiscard]] std::span<const std::int64_t> workspace() const { return workspace_; }

  /// Takes those out for which `can_go` holds and that come after nothing held, in the order of the plan, and gives
  /// them to `go` one by one. `go` may add others.
  template <class CanGo, class Go>
  void release(CanGo can_go, Go go) {
    for (auto at = held_.begin(); at != held_.end();) {
      if (!can_go(at->second) || concerns(at->second.instruction())) {
        ++at;
        continue;
      }
      pending_instruction next = std::move(at->second);
      at = held_.erase(at);
      count(next, -1);
      go(std::move(next));
    }
  }

 private:
  void count(const pending_instruction& p, int change);

  std::map<std::uint64_t, pending_instruction> held_;  // by number
  std::vector<std::int64_t> workspace_;
  std::atomic<std::size_t> size_{0};
};

}  // namespace tessera::runtime
