#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "tessera/comm/transport.h"

namespace tessera::comm {

/// The rank in the middle of a world whose other ranks do not exist. It keeps the contract of `transport` as far as one
/// rank can: calls are thread-safe and return at once, the network is opened once, a failure stays. What it does not
/// promise: messages and notes that it sends reach no rank, a receive counts as ended at once and leaves the bytes as
/// they are, and no note is ever heard. Messages 1 to `echoed` of each pair are answered: with the bytes that were last
/// sent under that number, to any rank, if the sizes are equal.
class pretended_rank final : public transport {
 public:
  pretended_rank(int ranks, std::uint64_t echoed) : ranks_(ranks), echoes_(echoed) {}

  [[nodiscard]] node_id rank() const override { return node_id(ranks_ / 2); }
  [[nodiscard]] int size() const override { return ranks_; }
  void send(node_id peer, std::uint64_t number, payload data) override;
  event receive(node_id peer, std::uint64_t number, payload into) override;
  void listen(note_box::listener) override {}
  [[nodiscard]] bool failed() const noexcept override { return job_.failed(); }
  [[nodiscard]] job_failure failure() const override { return job_.failure(); }

 private:
  void send_note(node_id, std::span<const std::byte>) override {}
  void fail(job_failure problem) noexcept override { job_.fail(std::move(problem)); }

  /// Where the bytes of message `number` are kept; null if it is not answered.
  [[nodiscard]] std::vector<std::byte>* echo(std::uint64_t number);

  const int ranks_;
  job_status job_;
  std::mutex mutex_;
  std::vector<std::vector<std::byte>> echoes_;  // the one of message n is entry n - 1
};

}  // namespace tessera::comm
