#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tessera/comm/transport.h"
#include "tessera/plan/task.h"

namespace tessera::runtime {

/// Sees to it that all ranks make the same calls (rule G3). Each tells the next rank, around a ring, the hashes of its
/// calls, many at a time and before it waits; a rank that finds a hash that is not its own asks for the call, and the
/// job ends with both in the message. Thread-safe.
class stream_check {
 public:
  /// Listens to the notes of `network`, which outlives it.
  explicit stream_check(comm::transport& network);
  ~stream_check();
  stream_check(const stream_check&) = delete;
  stream_check& operator=(const stream_check&) = delete;

  /// A call was made, in the order of the stream. Those that concern this rank alone do not count.
  void made(const plan::task& t);
  /// This rank is about to wait: the next one gets to know what it does not know yet.
  void flush();
  /// There are no more calls: if the next rank makes more, it is not doing the same. Waits a little for what the rank
  /// before this one has to say.
  void end();

 private:
  struct call {
    std::uint64_t hash = 0;
    plan::task made;   ///< Less what is a rank's own.
    std::string text;  ///< In its place, if it would keep tables.
  };
  static constexpr std::size_t most_hashes = 96;
  /// The next calls' hashes, that there are no more calls, or the call that does not suit.
  struct note {
    enum class kind : std::uint32_t { calls, end, question };
    kind is = kind::calls;
    std::uint32_t count = 0;
    std::uint64_t first = 0;  ///< Number of the first call, from 1; of the last one if that is the end.
    union {
      std::array<std::uint64_t, most_hashes> hashes;
      std::array<char, 8 * most_hashes> text;
    };
    note() : hashes{} {}
  };

  void heard(node_id from, const note& n);
  [[nodiscard]] std::optional<note> take_unsent();
  /// What is to be asked if a call differs, for the first time.
  [[nodiscard]] std::optional<note> compare();
  /// What is wrong if this rank goes on though the one before it has ended; empty if it does not.
  [[nodiscard]] std::string beyond_their_end() const;
  [[nodiscard]] std::string describe(std::uint64_t number) const;
  void send(int rank, const note& n);

  comm::transport& network_;
  const int next_, previous_;
  std::mutex sending_;  // notes arrive in the order in which they were taken; locked before the other
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<call> calls_;          // the last ones
  std::deque<std::uint64_t> mine_;  // hashes of those behind compared_
  std::uint64_t made_ = 0, sent_ = 0, compared_ = 0;
  std::deque<std::uint64_t> theirs_;  // those behind compared_
  std::uint64_t their_end_ = ~std::uint64_t{0};
  bool differs_ = false;
};

/// Why the job has failed, as the error that its kind asks for: a `divergence_error` or a `comm_error`.
[[nodiscard]] std::exception_ptr network_failure(const comm::transport& network);

}  // namespace tessera::runtime
