#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/comm/arrivals.h"
#include "tessera/comm/transport.h"

namespace tessera::comm {
namespace {

/// The messages of one direction of one pair of ranks: those that arrived, those that are awaited, and how far the
/// awaited ones are complete without a gap.
class mailbox {
 public:
  event expect(std::uint64_t number, payload into) {
    std::lock_guard lock(mutex_);
    if (closed_) return {};
    if (const auto found = arrived_.find(number); found != arrived_.end()) {
      take(number, found->second, into.bytes);
      arrived_.erase(found);
    } else {
      expected_.emplace(number, std::move(into));
    }
    return complete_.of(number);
  }

  void deliver(std::uint64_t number, std::vector<std::byte> data) {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    if (const auto found = expected_.find(number); found != expected_.end()) {
      take(number, data, found->second.bytes);
      expected_.erase(found);
    } else {
      arrived_.emplace(number, std::move(data));
    }
  }

  /// What is awaited and has not arrived.
  void list(node_id from, std::vector<pending_message>& to) {
    std::lock_guard lock(mutex_);
    for (const auto& [number, into] : expected_) to.push_back({false, from, number, std::ssize(into.bytes)});
  }

  /// Nothing more arrives; whoever waits stops waiting.
  void close() {
    std::lock_guard lock(mutex_);
    if (std::exchange(closed_, true)) return;
    expected_.clear();
    complete_.close();
  }

 private:
  void take(std::uint64_t number, const std::vector<std::byte>& data, std::span<std::byte> into) {
    if (data.size() != into.size())
      throw comm_error(cat("message ", number, " has ", data.size(), " bytes where ", into.size(), " are expected"));
    if (!data.empty()) std::memcpy(into.data(), data.data(), data.size());
    complete_.complete(number);
  }

  std::mutex mutex_;
  std::map<std::uint64_t, std::vector<std::byte>> arrived_;
  std::map<std::uint64_t, payload> expected_;
  arrivals complete_;
  bool closed_ = false;
};

/// All mailboxes, and the thread that delivers what is in flight in a random order.
class world {
 public:
  world(int ranks, std::uint64_t seed)
      : ranks_(ranks), boxes_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)), random_(seed) {
    for (auto& box : boxes_) box = std::make_unique<mailbox>();
    if (seed != 0) courier_ = std::thread([this] { carry(); });
  }
  ~world() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (courier_.joinable()) courier_.join();
  }
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  [[nodiscard]] int ranks() const { return ranks_; }
  note_box& notes_for(node_id rank) { return notes_[static_cast<std::size_t>(rank.value)]; }
  mailbox& between(node_id from, node_id to) {
    return *boxes_[static_cast<std::size_t>(from.value) * static_cast<std::size_t>(ranks_) +
                   static_cast<std::size_t>(to.value)];
  }

  void abort(const std::string& reason) {
    {
      std::lock_guard lock(mutex_);
      if (failed_.load(std::memory_order_relaxed)) return;
      reason_ = reason;
      failed_.store(true, std::memory_order_release);
      in_flight_.clear();
    }
    for (auto& box : boxes_) box->close();
  }
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  [[nodiscard]] std::string failure() {
    std::lock_guard lock(mutex_);
    return reason_;
  }

  void send(node_id from, node_id to, std::uint64_t number, std::span<const std::byte> data) {
    std::vector<std::byte> copy(data.begin(), data.end());
    if (!courier_.joinable()) return hand_over({from, to, number, std::move(copy)});
    std::lock_guard lock(mutex_);
    in_flight_.push_back({from, to, number, std::move(copy)});
    changed_.notify_one();
  }

 private:
  struct message {
    node_id from, to;
    std::uint64_t number;
    std::vector<std::byte> data;
  };

  /// A message that nobody can have planned so ends the job: neither side may go on.
  void hand_over(message next) {
    try {
      between(next.from, next.to).deliver(next.number, std::move(next.data));
    } catch (const comm_error& e) {
      abort(cat("rank ", next.from.value, " to ", next.to.value, ": ", e.what()));
    }
  }

  void carry() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return stopping_ || !in_flight_.empty(); });
      if (in_flight_.empty()) return;
      std::swap(in_flight_[random_() % in_flight_.size()], in_flight_.back());
      message next = std::move(in_flight_.back());
      in_flight_.pop_back();
      lock.unlock();
      hand_over(std::move(next));
      lock.lock();
    }
  }

  int ranks_;
  std::deque<note_box> notes_{static_cast<std::size_t>(ranks_)};
  std::vector<std::unique_ptr<mailbox>> boxes_;
  std::mt19937_64 random_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<message> in_flight_;
  bool stopping_ = false;
  std::atomic<bool> failed_{false};
  std::string reason_;
  std::thread courier_;
};

class local_transport final : public transport {
 public:
  local_transport(std::shared_ptr<world> all, node_id rank) : world_(std::move(all)), rank_(rank) {}
  [[nodiscard]] node_id rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return world_->ranks(); }

  void send(node_id peer, std::uint64_t number, payload data) override {
    world_->send(rank_, peer, number, data.bytes);
  }
  event receive(node_id peer, std::uint64_t number, payload into) override {
    return world_->between(peer, rank_).expect(number, std::move(into));
  }
  [[nodiscard]] std::vector<pending_message> pending() override {
    std::vector<pending_message> result;
    for (int r = 0; r < size(); ++r) world_->between(node_id(r), rank_).list(node_id(r), result);
    return result;
  }
  void tell(node_id peer, std::span<const std::byte> note) override { world_->notes_for(peer).deliver(rank_, note); }
  void listen(note_box::listener who) override { world_->notes_for(rank_).listen(std::move(who)); }
  void abort(const std::string& reason) noexcept override { world_->abort(reason); }
  [[nodiscard]] std::string failure() const override { return world_->failure(); }
  [[nodiscard]] bool failed() const noexcept override { return world_->failed(); }

 private:
  std::shared_ptr<world> world_;
  node_id rank_;
};

}  // namespace

std::vector<std::shared_ptr<transport>> make_local_world(int ranks, std::uint64_t seed) {
  const auto all = std::make_shared<world>(ranks, seed);
  std::vector<std::shared_ptr<transport>> result;
  for (int r = 0; r < ranks; ++r) result.push_back(std::make_shared<local_transport>(all, node_id(r)));
  return result;
}

std::shared_ptr<transport> make_alone() { return make_local_world(1, 0).front(); }

}  // namespace tessera::comm
