#include "tessera/runtime/execute/issue/message_log.h"

#include <algorithm>

#include "tessera/base/text.h"

namespace tessera::runtime {

void message_log::add(bool outgoing, node_id peer, std::uint64_t number, task_id task) {
  entry& e = entries_[next_++ % entries_.size()];
  e.task.store(task.value, std::memory_order_relaxed);
  e.key.store(key_of(outgoing, peer, number), std::memory_order_release);
}

std::string message_log::describe(std::span<const comm::pending_message> messages,
                                  const std::function<std::string(task_id)>& name) const {
  constexpr std::size_t enough = 16;
  std::string text;
  for (const comm::pending_message& m : messages.first(std::min(messages.size(), enough))) {
    text += cat("\n  waits for message ", m.number, m.outgoing ? " to" : " from", " rank ", m.peer.value, ", ", m.bytes,
                " bytes");
    for (const entry& e : entries_)
      if (e.key.load(std::memory_order_acquire) == key_of(m.outgoing, m.peer, m.number))
        text += cat(", of ", name(task_id(e.task.load(std::memory_order_relaxed))));
  }
  return messages.size() > enough ? cat(text, "\n  and for ", messages.size() - enough, " more messages") : text;
}

}  // namespace tessera::runtime
