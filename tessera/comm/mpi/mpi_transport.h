#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tessera/base/progress.h"
#include "tessera/comm/arrivals.h"
#include "tessera/comm/mpi/mpi_library.h"
#include "tessera/comm/mpi/peer_watch.h"
#include "tessera/comm/transport.h"

namespace tessera::comm::mpi {

/// Messages over MPI. Whoever sends or receives posts it himself, and threads that have nothing else to do look for
/// what has ended (see `progress`); a thread of its own does both when nobody else does: where there are processors to
/// spare it looks without a pause while messages come, then gives its processor away, then sleeps a little; it sleeps
/// nearly all the time while others look, and until it is called while nothing is under way. Messages larger than
/// `most_bytes` go in pieces.
class mpi_transport final : public transport, private progress::source {
 public:
  /// Collective over the ranks of `given`, or over all of them if it is null.
  mpi_transport(library& mpi, std::int64_t most_bytes, const tessera_mpi_handle* given, double patience);
  ~mpi_transport() override;
  mpi_transport(const mpi_transport&) = delete;
  mpi_transport& operator=(const mpi_transport&) = delete;

  [[nodiscard]] node_id rank() const override { return node_id(rank_); }
  [[nodiscard]] int size() const override { return size_; }
  void send(node_id peer, std::uint64_t number, payload data) override;
  event receive(node_id peer, std::uint64_t number, payload into) override;
  [[nodiscard]] std::vector<pending_message> pending() override;
  void tell(node_id peer, std::span<const std::byte> note) override;
  void listen(note_box::listener who) override { notes_.listen(std::move(who)); }
  void abort(const std::string& reason) noexcept override;
  [[nodiscard]] std::string failure() const override;
  [[nodiscard]] bool failed() const noexcept override { return failed_.load(std::memory_order_acquire); }
  void finish_with(std::function<void()> how) override { mpi_.enter(*this, std::move(how)); }

 private:
  void begin() override;
  /// Waits until what was sent is with its receivers, unless the job has failed.
  void end() override;
  struct message {
    bool outgoing = false;
    int peer = 0;
    std::uint64_t number = 0;
    payload data;
    int pieces = 0;  ///< That are still under way.
  };
  /// A note, or how a rank says that the job has failed.
  struct notice {
    int is_failure = 0;
    int bytes = 0;
    std::array<char, note_bytes> text{};
  };
  /// A piece of a message with MPI.
  struct piece {
    std::shared_ptr<message> of;  ///< Null for a notice.
    std::int64_t bytes = 0;
    std::shared_ptr<const notice> text;
  };

  /// The messages from one peer.
  struct line {
    arrivals arrived;
    int posted = 0;
    std::deque<std::shared_ptr<message>> later;  ///< Not posted yet.
  };
  static constexpr int most_posted = 8;
  static constexpr std::int64_t large = 64 << 10;

  void push(message m);
  bool take_work();
  void post_in_turn(std::shared_ptr<message> m);
  void post_later();
  void work();
  [[nodiscard]] bool may_stop();
  void let_go();
  void post(const std::shared_ptr<message>& m);
  bool look();
  void ended(const tessera_mpi_status& status);
  void expect_notice();  // by whoever has the turn
  void take_notice(int from);
  void send_notice(int peer, std::shared_ptr<const notice> what);
  void spread_failure(const std::string& reason);
  void fail(const std::string& reason);
  void suspect(const std::string& reason);
  void give_up_receives();
  void pause(int idle_turns, std::int64_t bytes);
  void have_it_done();
  bool serve(bool looking);
  bool serve_if_free(bool looking);
  progress::outlook poll() noexcept override;
  [[nodiscard]] bool moving() noexcept;
  void left_alone() noexcept override { changed_.notify_one(); }
  void check(int error, const char* doing);
  [[nodiscard]] bool has_work() const {
    return !waiting_.empty() || !notes_to_send_.empty() || (!to_announce_.empty() && !failed());
  }
  [[nodiscard]] bool nothing_under_way() const { return pieces_.size() == 1; }

  library& mpi_;
  const std::int64_t most_bytes_;
  tessera_mpi_handle comm_{};
  int rank_ = 0, size_ = 1, most_tag_ = 0;
  library::control_line control_;
  std::vector<peer_identity> ranks_;

  // Of whoever is at the desk, one at a time; the first request is the one for a notice.
  std::mutex desk_;
  std::vector<tessera_mpi_handle> requests_;
  std::vector<piece> pieces_;
  std::int64_t bytes_under_way_ = 0;
  std::int64_t bytes_leaving_ = 0;  // of large messages
  std::int64_t turns_left_ = 0;     // for which it is worth staying with them
  std::vector<tessera_mpi_status> statuses_;
  notice incoming_;
  std::string suspicion_;  // something that will end the job, unless a better reason is found soon
  std::chrono::steady_clock::time_point suspected_;

  std::vector<std::unique_ptr<line>> lines_;  // per peer; used at the desk, but for making events
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<message> waiting_;
  std::atomic<bool> has_work_{false};
  std::deque<std::pair<int, std::shared_ptr<const notice>>> notes_to_send_;
  note_box notes_;
  bool stopping_ = false;
  std::string reason_;       // of the failure
  std::string to_announce_;  // a failure of this rank that the others are to be told
  std::atomic<bool> failed_{false};
  std::atomic<bool> under_way_{false};
  std::chrono::steady_clock::time_point leaving_since_;
  std::thread thread_;
  std::unique_ptr<peer_watch> peers_;
};

}  // namespace tessera::comm::mpi
