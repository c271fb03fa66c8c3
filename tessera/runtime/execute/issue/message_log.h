#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "tessera/base/ids.h"
#include "tessera/comm/transport.h"

namespace tessera::runtime {

/// Which task each of the last messages belongs to, for a report when nothing moves any more. One thread writes, any
/// thread reads.
class message_log {
 public:
  void add(bool outgoing, node_id peer, std::uint64_t number, task_id task);

  /// `messages` and the tasks that they belong to, a line each; `name` names a task.
  [[nodiscard]] std::string describe(std::span<const comm::pending_message> messages,
                                     const std::function<std::string(task_id)>& name) const;

 private:
  struct entry {
    std::atomic<std::uint64_t> key{0}, task{0};
  };
  static std::uint64_t key_of(bool outgoing, node_id peer, std::uint64_t number) {
    return (static_cast<std::uint64_t>(peer.value) << 1 | (outgoing ? 1 : 0)) << 40 ^ number;
  }

  std::array<entry, 1024> entries_;
  std::size_t next_ = 0;
};

}  // namespace tessera::runtime
