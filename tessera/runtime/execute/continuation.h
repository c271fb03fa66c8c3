#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <vector>

#include "tessera/base/event.h"

namespace tessera::runtime {

/// Runs functions when events have happened: on the thread that reaches the last one where the timeline can tell,
/// otherwise when `poll` is called. Functions must be short and must not throw.
class continuation_list {
 public:
  continuation_list() = default;
  ~continuation_list();
  continuation_list(const continuation_list&) = delete;
  continuation_list& operator=(const continuation_list&) = delete;

  /// Calls `then` once all of `events` have happened; at once if they have.
  void when_all(std::vector<event> events, std::function<void()> then);

  /// Runs what is due and could not be told by its timeline. One thread at a time.
  void poll();
  /// Blocks until everything has run.
  void finish();

 private:
  class waiting;
  struct polled {
    std::vector<event> events;
    std::function<void()> then;
  };

  std::atomic<int> open_{0};
  std::list<polled> polled_;  // used by the owner's thread only
};

}  // namespace tessera::runtime
