#pragma once

#include <array>
#include <mutex>
#include <string>
#include <utility>

#include "tessera/base/call_site.h"
#include "tessera/base/ids.h"

namespace tessera::runtime {

/// Where the program made the last tasks, for messages and logs. Thread-safe.
class call_sites {
 public:
  void add(task_id task, call_site site) {
    const std::lock_guard lock(mutex_);
    last_[task.value % last_.size()] = {task, site};
  }
  /// Line 0 if it was too long ago, or is not known.
  [[nodiscard]] call_site find(task_id task) const {
    const std::lock_guard lock(mutex_);
    const auto& [known, site] = last_[task.value % last_.size()];
    return known == task ? site : call_site{};
  }
  /// "the call at main.cpp:12", else "task 7".
  [[nodiscard]] std::string name(task_id task) const {
    const call_site site = find(task);
    if (site.line == 0) return "task " + std::to_string(task.value);
    return std::string("the call at ") + site.file + ":" + std::to_string(site.line);
  }

 private:
  mutable std::mutex mutex_;
  std::array<std::pair<task_id, call_site>, 4096> last_{};
};

}  // namespace tessera::runtime
