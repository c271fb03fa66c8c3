#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tessera {

/// What moves only while somebody looks at it (messages), so that threads which have nothing better to do can look,
/// and those in the middle of long work now and then. A thread of its own would have to wait for a processor that
/// computes, and be waited for. Thread-safe; one per process.
class progress {
 public:
  /// What there is to look for: nothing, something that will come, or something large that goes only while somebody
  /// looks.
  enum class outlook : std::uint8_t { nothing, expected, moving };
  class source {
   public:
    /// Looks. Must be short.
    virtual outlook poll() noexcept = 0;
    /// Nobody looks any more. Must not block.
    virtual void left_alone() noexcept {}

   protected:
    ~source() = default;
  };

  static void add(source& s) {
    const std::lock_guard lock(shared().mutex);
    shared().sources.push_back(&s);
    shared().count = static_cast<int>(shared().sources.size());
  }
  /// Waits for who looks at it.
  static void remove(source& s) {
    const std::lock_guard lock(shared().mutex);
    std::erase(shared().sources, &s);
    shared().count = static_cast<int>(shared().sources.size());
  }

  /// A thread that computes and looks at times, or looks because it has nothing to do, begins (1) or stops (-1). When
  /// the last one stops, sources hear of it nearly always: they should not rely on it alone.
  static void looking(int change) noexcept {
    state& all = shared();
    if (all.looking.fetch_add(change) + change > 0) return;
    const std::unique_lock lock(all.mutex, std::try_to_lock);
    if (!lock) return;
    for (source* s : all.sources) s->left_alone();
  }
  /// Whether there are such threads: nobody else should take a processor from them without need.
  [[nodiscard]] static bool looked_after() noexcept { return shared().looking.load(std::memory_order_relaxed) > 0; }
  /// Whether somebody has looked a short while ago. Who computes may take long to look again.
  [[nodiscard]] static bool looked_lately() noexcept {
    constexpr std::int64_t lately_ns = 1'000'000;
    return now_ns() - shared().last_ns.load(std::memory_order_relaxed) < lately_ns;
  }
  /// The calling thread looks while this exists.
  class looking_scope {
   public:
    looking_scope() noexcept { looking(1); }
    /// It will soon look again, unless it has `left`.
    ~looking_scope() {
      if (!left_) shared().looking.fetch_sub(1, std::memory_order_relaxed);
    }
    looking_scope(const looking_scope&) = delete;
    looking_scope& operator=(const looking_scope&) = delete;
    /// Somebody else must look from now on.
    void leave() noexcept {
      left_ = true;
      looking(-1);
    }

   private:
    bool left_ = false;
  };

  /// True if there is anything to look at.
  [[nodiscard]] static bool any() noexcept { return shared().count.load(std::memory_order_relaxed) > 0; }
  /// Looks at everything, unless somebody else does.
  static outlook poll() noexcept {
    if (!any()) return outlook::nothing;
    state& all = shared();
    const std::unique_lock lock(all.mutex, std::try_to_lock);
    if (!lock) return outlook::expected;
    all.last_ns.store(now_ns(), std::memory_order_relaxed);
    outlook most = outlook::nothing;
    for (source* s : all.sources) most = std::max(most, s->poll());
    return most;
  }

  /// The same, but not more often than is good for those who compute; one of them stays a while with what moves.
  static void poll_at_times() noexcept {
    constexpr std::int64_t often_ns = 40'000, longest_ns = 1'000'000;
    if (!any()) return;
    const std::int64_t begin = now_ns();
    std::int64_t last = shared().last_ns.load(std::memory_order_relaxed);
    if (begin - last < often_ns || !shared().last_ns.compare_exchange_strong(last, begin, std::memory_order_relaxed))
      return;
    while (poll() == outlook::moving && now_ns() - begin < longest_ns) {
    }
  }

 private:
  struct state {
    std::mutex mutex;
    std::vector<source*> sources;
    std::atomic<int> count{0};
    std::atomic<int> looking{0};
    std::atomic<std::int64_t> last_ns{0};
  };
  static std::int64_t now_ns() noexcept { return std::chrono::steady_clock::now().time_since_epoch().count(); }
  static state& shared() {
    static auto* const all = new state;  // workers may outlive every static object
    return *all;
  }
};

}  // namespace tessera
