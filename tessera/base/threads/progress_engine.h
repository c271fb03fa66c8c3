#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tessera {

/// Polls sources that advance only while they are polled (messages): idle threads poll all the time, threads in the
/// middle of long work now and then. A dedicated thread would have to wait for a processor that computes, and be waited
/// for. Thread-safe; one per process.
class progress_engine {
 public:
  /// What a source expects: nothing, something that will arrive, or a large transfer that advances only while it is
  /// polled.
  enum class activity : std::uint8_t { nothing, expected, moving };
  class source {
   public:
    /// Advances the source. Must be short.
    virtual activity poll() noexcept = 0;
    /// No thread polls any more. Must not block.
    virtual void pollers_gone() noexcept {}

   protected:
    ~source() = default;
  };

  static void add(source& s) {
    const std::lock_guard lock(shared().mutex);
    shared().sources.push_back(&s);
    shared().count = static_cast<int>(shared().sources.size());
  }
  /// Waits for a poll under way.
  static void remove(source& s) {
    const std::lock_guard lock(shared().mutex);
    std::erase(shared().sources, &s);
    shared().count = static_cast<int>(shared().sources.size());
  }

  /// A thread that polls now and then, or because it is idle, begins (1) or stops (-1). When the last one stops,
  /// sources are notified nearly always: they must not rely on it alone.
  static void count_pollers(int change) noexcept {
    state& all = shared();
    if (all.pollers.fetch_add(change) + change > 0) return;
    const std::unique_lock lock(all.mutex, std::try_to_lock);
    if (!lock) return;
    for (source* s : all.sources) s->pollers_gone();
  }
  /// Whether there are such threads: others should not take a processor from them without need.
  [[nodiscard]] static bool has_pollers() noexcept { return shared().pollers.load(std::memory_order_relaxed) > 0; }
  /// Whether the last poll was a short while ago. A thread that computes may take long to poll again.
  [[nodiscard]] static bool polled_recently() noexcept {
    constexpr std::int64_t lately_ns = 1'000'000;
    return now_ns() - shared().last_ns.load(std::memory_order_relaxed) < lately_ns;
  }
  /// The calling thread counts as polling while this exists.
  class polling_scope {
   public:
    polling_scope() noexcept { count_pollers(1); }
    /// The thread will soon poll again, unless `stop` was called.
    ~polling_scope() {
      if (!stopped_) shared().pollers.fetch_sub(1, std::memory_order_relaxed);
    }
    polling_scope(const polling_scope&) = delete;
    polling_scope& operator=(const polling_scope&) = delete;
    /// The thread polls no more: another one must.
    void stop() noexcept {
      stopped_ = true;
      count_pollers(-1);
    }

   private:
    bool stopped_ = false;
  };

  /// True if there are sources.
  [[nodiscard]] static bool any() noexcept { return shared().count.load(std::memory_order_relaxed) > 0; }
  /// Polls all sources, unless another thread does.
  static activity poll() noexcept {
    if (!any()) return activity::nothing;
    state& all = shared();
    const std::unique_lock lock(all.mutex, std::try_to_lock);
    if (!lock) return activity::expected;
    all.last_ns.store(now_ns(), std::memory_order_relaxed);
    activity most = activity::nothing;
    for (source* s : all.sources) most = std::max(most, s->poll());
    return most;
  }

  /// As `poll`, but rate-limited, so that computing threads are not slowed down; one of them keeps polling for a while
  /// as long as something moves.
  static void poll_at_times() noexcept {
    constexpr std::int64_t often_ns = 40'000, longest_ns = 1'000'000;
    if (!any()) return;
    const std::int64_t begin = now_ns();
    std::int64_t last = shared().last_ns.load(std::memory_order_relaxed);
    if (begin - last < often_ns || !shared().last_ns.compare_exchange_strong(last, begin, std::memory_order_relaxed))
      return;
    while (poll() == activity::moving && now_ns() - begin < longest_ns) {
    }
  }

 private:
  struct state {
    std::mutex mutex;
    std::vector<source*> sources;
    std::atomic<int> count{0};
    std::atomic<int> pollers{0};
    std::atomic<std::int64_t> last_ns{0};
  };
  static std::int64_t now_ns() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }
  static state& shared() {
    static auto* const all = new state;  // workers may outlive every static object
    return *all;
  }
};

}  // namespace tessera
