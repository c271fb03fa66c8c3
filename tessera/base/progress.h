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

  /// A thread that computes and looks at times, or looks because it has nothing to do, begins (1) or stops (-1).
  static void looking(int change) noexcept {
    state& all = shared();
    if (all.looking.fetch_add(change) + change > 0) return;
    const std::unique_lock lock(all.mutex, std::try_to_lock);  // who has it looks
    if (!lock) return;
    for (source* s : all.sources) s->left_alone();
  }
  /// True while there are such threads: nobody else need take a processor from them.
  [[nodiscard]] static bool looked_after() noexcept { return shared().looking.load(std::memory_order_relaxed) > 0; }
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
    outlook most = outlook::nothing;
    for (source* s : all.sources) most = std::max(most, s->poll());
    return most;
  }

  /// The same, but not more often than is good for those who compute; one of them stays with what moves.
  static void poll_at_times() noexcept {
    constexpr std::int64_t often_ns = 40'000;
    if (!any()) return;
    state& all = shared();
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    std::int64_t last = all.last_ns.load(std::memory_order_relaxed);
    if (now - last < often_ns || !all.last_ns.compare_exchange_strong(last, now, std::memory_order_relaxed)) return;
    while (poll() == outlook::moving) {
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
  static state& shared() {
    static auto* const all = new state;  // workers may outlive every static object
    return *all;
  }
};

}  // namespace tessera
