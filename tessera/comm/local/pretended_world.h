#pragma once

#include <mutex>
#include <vector>

#include "tessera/comm/transport.h"

namespace tessera::comm {

/// The rank in the middle of a world whose other ranks do not exist. It keeps the contract of `transport` as far as one
/// rank can: calls are thread-safe and return at once, the network is opened once, a failure stays. What it does not
/// promise: messages and notes that it sends reach no rank, a receive counts as ended at once and leaves the bytes as
/// they are, and no note is ever heard. Only message 1 of each pair, in which ranks describe themselves, is answered:
/// with the bytes that were sent as message 1 before, if the sizes are equal.
class pretended_rank final : public transport {
 public:
  explicit pretended_rank(int ranks) : ranks_(ranks) {}

  [[nodiscard]] node_id rank() const override { return node_id(ranks_ / 2); }
  [[nodiscard]] int size() const override { return ranks_; }
  void send(node_id peer, std::uint64_t number, payload data) override;
  event receive(node_id peer, std::uint64_t number, payload into) override;
  void listen(note_box::listener) override {}
  [[nodiscard]] bool failed() const noexcept override { return job_.failed(); }
  [[nodiscard]] job_failure failure() const override { return job_.failure(); }

 private:
  void send_note(node_id, std::span<const std::byte>) override {}
  void fail(job_failure why) noexcept override { job_.fail(std::move(why)); }

  const int ranks_;
  job_status job_;
  std::mutex mutex_;
  std::vector<std::byte> description_;  // sent as message 1
};

}  // namespace tessera::comm
