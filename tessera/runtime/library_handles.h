#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

namespace tessera::runtime {

/// Handles of numeric libraries (cuBLAS, cuFFT plans, ...) that native kernels keep from one call to the next: one per
/// device, queue and name, since libraries tie a handle to the queue it works on. Thread-safe.
class library_handles {
 public:
  /// The handle `name` for a queue of a device; `make` makes it at first use. It lives as long as the engine.
  [[nodiscard]] std::shared_ptr<void> find(int device, const void* queue, std::string_view name,
                                           const std::function<std::shared_ptr<void>()>& make) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<void>& handle = handles_[{device, queue, std::string(name)}];
    if (!handle) handle = make();
    return handle;
  }

 private:
  std::mutex mutex_;
  std::map<std::tuple<int, const void*, std::string>, std::shared_ptr<void>> handles_;
};

}  // namespace tessera::runtime
