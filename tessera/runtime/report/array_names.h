#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "tessera/base/ids.h"

namespace tessera::runtime {

/// The names that arrays were given, for messages and the transfer log. Thread-safe.
class array_names {
 public:
  void set(array_id array, std::string name) {
    const std::lock_guard lock(mutex_);
    names_[array] = std::move(name);
  }
  /// "array 7" for one without a name.
  [[nodiscard]] std::string find(array_id array) const {
    const std::lock_guard lock(mutex_);
    const auto found = names_.find(array);
    return found != names_.end() ? found->second : "array " + std::to_string(array.value);
  }
  void forget(array_id array) {
    const std::lock_guard lock(mutex_);
    names_.erase(array);
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<array_id, std::string> names_;
};

}  // namespace tessera::runtime
