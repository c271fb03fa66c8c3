#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/device/backend.h"
#include "tessera/device/cuda/gpu.h"
#include "tessera/device/host/spin.h"

namespace tessera::device::cuda {

using work = std::variant<copy_desc, fill_desc, fold_desc, launch_desc, native_function>;

class stream_queue;

/// Puts operations on streams; what differs between the verbs.
class operation_issuer {
 public:
  /// How far an operation got.
  struct result {
    bool handed_over = false;        ///< Another thread goes on with it and then calls `stream_queue::resume`.
    std::function<void()> at_end{};  ///< Run when it has ended, before it is reported; must not throw.
  };
  /// Enqueues `verb` on the stream of `on`. Throws what made that impossible.
  virtual result issue(stream_queue& on, work& verb) = 0;

 protected:
  ~operation_issuer() = default;
};

/// One queue of one logical device: a stream, and behind operations a marker, a write of their number to a word in host
/// memory. That word is all that others look at: streams wait for it without the host, the completion thread reads it
/// to tell observers, and after a fault it says which operations had ended well. A marker costs the GPU some
/// microseconds between two kernels, and the host as much, so operations that are not waited for share one while more
/// come.
///
/// An operation goes to the stream at once if what it waits for is on a stream already. Otherwise (a network event, a
/// CPU device, a drawn delay) it and those behind it are held until the completion thread finds it ready: a stream
/// never waits for anything that the GPUs cannot bring about by themselves, so streams that share a hardware channel
/// cannot block each other for ever.
class stream_queue {
 public:
  using clock = std::chrono::steady_clock;

  stream_queue(gpu& hardware, operation_issuer& issuer, const random_delays& disturbance, std::uint64_t salt);
  ~stream_queue();
  stream_queue(const stream_queue&) = delete;
  stream_queue& operator=(const stream_queue&) = delete;

  /// All queues whose events this one finds on streams, itself included. Set once, before the first operation.
  void know(std::span<stream_queue* const> family) { family_ = family; }

  /// Thread-safe.
  event enqueue(const order& ordering, work&& verb);
  /// Ends the operation that was handed over; `reason` if it failed by itself and not with its GPU.
  void resume(const std::exception_ptr& reason);

  /// For the completion thread alone. True if something changed.
  bool poll();
  /// True if nothing is held or under way.
  [[nodiscard]] bool idle() const noexcept { return ended_.load(std::memory_order_acquire) == accepted(); }
  /// The driver's status of the stream; also how long the oldest operation on it has been under way.
  [[nodiscard]] CUresult health() const;
  [[nodiscard]] clock::duration oldest_age() const;
  /// The kernels among which the one is that runs now; empty if none does.
  [[nodiscard]] std::vector<std::string> running_kernels() const;
  /// The GPU is lost: everything held or under way fails with `reason`.
  void abandon(const std::exception_ptr& reason);

  [[nodiscard]] gpu& hardware() const { return gpu_; }
  [[nodiscard]] CUstream stream() const { return stream_; }
  [[nodiscard]] const timeline& line() const { return line_; }

 private:
  struct operation {
    work verb;
    std::vector<event> waits;
    observer* watch = nullptr;
    std::uint64_t step = 0;
    clock::time_point not_before{};
    bool on_host = false;  // begins on the CPU, so what it waits for must have ended, not only be on a stream
  };
  struct under_way {
    std::uint64_t step = 0;
    observer* watch = nullptr;
    std::vector<event> waits;  // its end is not reported before theirs
    std::function<void()> at_end;
    clock::time_point since{};
    bool is_kernel = false;
    bool marked = false;  // a marker stands behind it
  };

  [[nodiscard]] std::uint64_t accepted() const noexcept { return accepted_.load(std::memory_order_acquire); }
  [[nodiscard]] stream_queue* owner_of(const timeline* line) const;
  [[nodiscard]] bool ready(operation& op) const;
  void issue(operation& op);
  void wait_on_stream(const operation& op);
  void put(operation& op, std::function<void()> at_end);
  void mark();
  void provide_marker(std::uint64_t step);
  [[nodiscard]] bool wants_marker() noexcept;
  bool pump();
  bool complete();
  [[nodiscard]] bool worth_locking() const noexcept;
  void draw_delay(operation& op) const;
  [[nodiscard]] static bool begins_on_host(const work& verb);

  gpu& gpu_;
  operation_issuer& issuer_;
  const random_delays disturbance_;
  const std::uint64_t salt_;
  CUstream stream_ = nullptr;
  volatile std::uint64_t* progress_ = nullptr;  // written by the GPU
  std::span<stream_queue* const> family_;
  host_timeline line_;

  std::atomic<std::uint64_t> accepted_{0}, issued_{0}, ended_{0};
  std::atomic<std::uint64_t> marked_{0};  // the last operation with a marker
  std::atomic<std::uint64_t> begun_{0};   // the last operation whose observer knows that it runs
  std::atomic<bool> abandoned_{false};
  std::uint64_t last_seen_ = 0;  // the last operation on the stream, and since when; the completion thread's own
  clock::time_point seen_at_{};
  mutable spin_lock lock_;  // guards what follows; held while an operation is put on the stream
  std::deque<operation> held_;
  std::optional<operation> handed_over_;
  std::deque<under_way> under_way_;
  std::exception_ptr lost_;
};

}  // namespace tessera::device::cuda
