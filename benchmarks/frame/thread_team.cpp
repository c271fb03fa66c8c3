#include "benchmarks/frame/thread_team.h"

namespace tessera::bench {
namespace {

constexpr int spins = 20'000;  // some tens of microseconds

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

thread_team::thread_team(int threads) : threads_(threads), shares_(new share[static_cast<std::size_t>(threads)]) {
  for (int t = 0; t < threads; ++t) shares_[static_cast<std::size_t>(t)].next = pieces;
  for (int t = 1; t < threads; ++t) others_.emplace_back([this, t] { work(t); });
}

thread_team::~thread_team() {
  stop_ = true;
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread& t : others_) t.join();
}

void thread_team::run(std::int64_t n, const loop_body& body) {
  n_.store(n, std::memory_order_relaxed);
  body_.store(&body, std::memory_order_relaxed);
  unfinished_.store(pieces * static_cast<std::uint64_t>(threads_), std::memory_order_relaxed);
  const std::uint32_t round = round_.load(std::memory_order_relaxed) + 1;
  for (int t = 0; t < threads_; ++t)
    shares_[static_cast<std::size_t>(t)].next.store(std::uint64_t{round} << 32, std::memory_order_release);
  round_.store(round, std::memory_order_release);
  round_.notify_all();
  help(0);
  for (int k = 0; unfinished_.load(std::memory_order_acquire) != 0; ++k)
    k < spins ? relax() : std::this_thread::yield();
}

void thread_team::work(int thread) {
  std::uint32_t seen = 0;
  while (true) {
    for (int k = 0; k < spins && round_.load(std::memory_order_acquire) == seen; ++k) relax();
    round_.wait(seen, std::memory_order_acquire);
    seen = round_.load(std::memory_order_acquire);
    if (stop_) return;
    help(thread);
  }
}

void thread_team::help(int thread) {
  for (int k = 0; k < threads_; ++k) {
    const int owner = (thread + k) % threads_;
    std::atomic<std::uint64_t>& next = shares_[static_cast<std::size_t>(owner)].next;
    std::uint64_t taken = next.load(std::memory_order_acquire);
    while ((taken & 0xffffffffU) < pieces) {
      const std::int64_t n = n_.load(std::memory_order_relaxed);
      const loop_body* body = body_.load(std::memory_order_relaxed);
      // Succeeds only while the round that `n` and `body` belong to is still unfinished.
      if (!next.compare_exchange_weak(taken, taken + 1, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
      const auto piece = static_cast<std::int64_t>(taken & 0xffffffffU);
      do_piece(owner * static_cast<std::int64_t>(pieces) + piece, n, *body);
      unfinished_.fetch_sub(1, std::memory_order_acq_rel);
      taken = next.load(std::memory_order_acquire);
    }
  }
}

void thread_team::do_piece(std::int64_t piece, std::int64_t n, const loop_body& body) const {
  const std::int64_t all = threads_ * static_cast<std::int64_t>(pieces);
  const std::int64_t begin = n / all * piece + n % all * piece / all;
  const std::int64_t end = n / all * (piece + 1) + n % all * (piece + 1) / all;
  if (begin < end) body(begin, end);
}

}  // namespace tessera::bench
