#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace tessera {

/// Work that ends in the order it was begun (a device queue, the messages of one peer). Step k is reached once all
/// work up to k has ended, well or badly. Timelines outlive every event that names them.
class timeline {
 public:
  timeline() = default;
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;
  virtual ~timeline() = default;

  [[nodiscard]] virtual bool reached(std::uint64_t step) const noexcept = 0;
  /// Blocks the calling thread until `step` is reached.
  virtual void wait(std::uint64_t step) = 0;
};

/// One step of one timeline; the only thing that travels back from devices and the network. Copies are cheap.
/// A default event has always happened.
struct event {
  timeline* line = nullptr;
  std::uint64_t step = 0;

  [[nodiscard]] bool done() const noexcept { return line == nullptr || line->reached(step); }
  void wait() const {
    if (line != nullptr) line->wait(step);
  }
};

/// A timeline whose steps are reached on a thread of this process.
class host_timeline final : public timeline {
 public:
  /// A waiting thread yields the processor repeatedly for as long as `spin_time` before it sleeps.
  explicit host_timeline(std::chrono::nanoseconds spin_time = {}) : patience_(spin_time) {}

  /// Called once, on the thread that reaches the step; must be short and must not throw. Waits for one step at a time,
  /// of any timeline: the link of the list of waiters is part of it.
  class waiter {
   public:
    virtual void step_reached() noexcept = 0;

   protected:
    ~waiter() = default;

   private:
    friend class host_timeline;
    waiter* next_ = nullptr;
    std::uint64_t step_ = 0;
  };

  [[nodiscard]] bool reached(std::uint64_t step) const noexcept override {
    return reached_.load(std::memory_order_acquire) >= step;
  }
  void wait(std::uint64_t step) override;
  /// Waits for as long as is worth staying awake. True if `step` is reached.
  [[nodiscard]] bool wait_briefly(std::uint64_t step) const;

  /// Declares every step up to `step` reached. One thread at a time.
  void advance(std::uint64_t step);

  /// Has `waiting` called when `step` is reached. Returns false, and never calls, if it already is.
  [[nodiscard]] bool notify(std::uint64_t step, waiter& waiting);

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  waiter* take_ready(std::uint64_t step);

  const std::chrono::nanoseconds patience_;
  std::atomic<std::uint64_t> reached_{0};
  std::atomic<std::uint64_t> wanted_{never};  // the first step that is waited for: earlier ones pass without a lock
  std::mutex mutex_;
  waiter* first_ = nullptr;  // in the order they came
};

}  // namespace tessera
