#include "tessera/comm/local/local_world.h"

#include <cstring>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::comm {
namespace {

class local_transport final : public transport {
 public:
  local_transport(std::shared_ptr<local_world> world, node_id rank) : world_(std::move(world)), rank_(rank) {}

  [[nodiscard]] node_id rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return world_->ranks(); }
  void send(node_id peer, std::uint64_t number, payload data) override {
    world_->send(rank_, peer, number, data.bytes);
  }
  event receive(node_id peer, std::uint64_t number, payload into) override {
    return world_->receive(peer, rank_, number, std::move(into));
  }
  [[nodiscard]] std::vector<pending_message> pending() override { return world_->pending(rank_); }
  void listen(note_box::listener listener) override { world_->notes_for(rank_).listen(std::move(listener)); }
  [[nodiscard]] bool failed() const noexcept override { return world_->job().failed(); }
  [[nodiscard]] job_failure failure() const override { return world_->job().failure(); }

 private:
  void send_note(node_id peer, std::span<const std::byte> note) override {
    world_->notes_for(peer).deliver(rank_, note);
  }
  void fail(job_failure problem) noexcept override { world_->fail(std::move(problem)); }

  std::shared_ptr<local_world> world_;
  node_id rank_;
};

}  // namespace

event local_channel::receive(std::uint64_t number, payload into) {
  const std::lock_guard lock(mutex_);
  if (closed_) return {};
  if (const auto found = arrived_.find(number); found != arrived_.end()) {
    take(number, found->second, into.bytes);
    arrived_.erase(found);
  } else {
    expected_.emplace(number, std::move(into));
  }
  return complete_.of(number);
}

void local_channel::deliver(std::uint64_t number, std::vector<std::byte> data) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  if (const auto found = expected_.find(number); found != expected_.end()) {
    take(number, data, found->second.bytes);
    expected_.erase(found);
  } else {
    arrived_.emplace(number, std::move(data));
  }
}

void local_channel::list(node_id from, std::vector<pending_message>& to) {
  const std::lock_guard lock(mutex_);
  for (const auto& [number, into] : expected_) to.push_back({false, from, number, std::ssize(into.bytes)});
}

void local_channel::close() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(closed_, true)) return;
  expected_.clear();
  complete_.close();
}

void local_channel::take(std::uint64_t number, const std::vector<std::byte>& data, std::span<std::byte> into) {
  if (data.size() != into.size())
    throw comm_error(cat("message ", number, " has ", data.size(), " bytes where ", into.size(), " are expected"));
  if (!data.empty()) std::memcpy(into.data(), data.data(), data.size());
  complete_.complete(number);
}

local_world::local_world(int ranks, std::uint64_t seed)
    : ranks_(ranks), notes_(index(ranks)), channels_(index(ranks) * index(ranks)), random_(seed) {
  if (seed != 0) delivery_ = std::thread([this] { deliver_in_random_order(); });
}

local_world::~local_world() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (delivery_.joinable()) delivery_.join();
}

local_channel& local_world::between(node_id from, node_id to) {
  return channels_[index(from.value) * index(ranks_) + index(to.value)];
}

void local_world::send(node_id from, node_id to, std::uint64_t number, std::span<const std::byte> data) {
  std::vector<std::byte> copy(data.begin(), data.end());
  if (!delivery_.joinable()) return deliver({from, to, number, std::move(copy)});
  const std::lock_guard lock(mutex_);
  in_flight_.push_back({from, to, number, std::move(copy)});
  changed_.notify_one();
}

event local_world::receive(node_id from, node_id to, std::uint64_t number, payload into) {
  try {
    return between(from, to).receive(number, std::move(into));
  } catch (const comm_error& e) {
    fail({failure_kind::communication, cat("rank ", from.value, " to ", to.value, ": ", e.what())});
    return {};
  }
}

std::vector<pending_message> local_world::pending(node_id rank) {
  std::vector<pending_message> result;
  for (int r = 0; r < ranks_; ++r) between(node_id(r), rank).list(node_id(r), result);
  return result;
}

void local_world::fail(job_failure problem) {
  if (!job_.fail(std::move(problem))) return;
  {
    const std::lock_guard lock(mutex_);
    in_flight_.clear();
  }
  for (local_channel& channel : channels_) channel.close();
}

void local_world::deliver(message m) {
  try {
    between(m.from, m.to).deliver(m.number, std::move(m.data));
  } catch (const comm_error& e) {
    fail({failure_kind::communication, cat("rank ", m.from.value, " to ", m.to.value, ": ", e.what())});
  }
}

void local_world::deliver_in_random_order() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || !in_flight_.empty(); });
    if (in_flight_.empty()) return;
    std::swap(in_flight_[random_() % in_flight_.size()], in_flight_.back());
    message next = std::move(in_flight_.back());
    in_flight_.pop_back();
    lock.unlock();
    deliver(std::move(next));
    lock.lock();
  }
}

std::vector<std::shared_ptr<transport>> make_local_world(int ranks, std::uint64_t seed) {
  const auto world = std::make_shared<local_world>(ranks, seed);
  std::vector<std::shared_ptr<transport>> result;
  for (int r = 0; r < ranks; ++r) result.push_back(std::make_shared<local_transport>(world, node_id(r)));
  return result;
}

std::shared_ptr<transport> make_alone() { return make_local_world(1, 0).front(); }

}  // namespace tessera::comm
