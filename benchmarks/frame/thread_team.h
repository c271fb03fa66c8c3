#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace tessera::bench {

/// The threads of a hand-written program: made once, each with a fixed share of every loop, so that it finds its data
/// in its own cache. The calling thread is the first of them. A thread that is done with its share takes pieces of the
/// others', so that a preempted thread delays no other. Between loops the threads spin for a short while, then sleep:
/// an idle team takes no time from others.
class thread_team {
 public:
  using loop_body = std::function<void(std::int64_t begin, std::int64_t end)>;

  explicit thread_team(int threads);
  ~thread_team();
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  /// Calls body(begin, end) for ranges that make up [0, n) on all threads; returns when all have ended.
  void run(std::int64_t n, const loop_body& body);

 private:
  // The next piece of a share to be taken, behind the number of the round: a late thread cannot take one of another.
  struct alignas(64) share {
    std::atomic<std::uint64_t> next{0};
  };
  static constexpr std::uint64_t pieces = 4;  // per share

  void work(int thread);
  void help(int thread);
  void do_piece(std::int64_t piece, std::int64_t n, const loop_body& body) const;

  int threads_;
  std::unique_ptr<share[]> shares_;
  std::atomic<std::int64_t> n_{0};
  std::atomic<const loop_body*> body_{nullptr};
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<std::uint64_t> unfinished_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> others_;
};

}  // namespace tessera::bench
