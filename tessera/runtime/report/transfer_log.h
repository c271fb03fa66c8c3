#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tessera/base/ids.h"
#include "tessera/runtime/report/array_names.h"
#include "tessera/runtime/report/call_sites.h"
#include "tessera/runtime/report/transfer_record.h"

namespace tessera::runtime {

/// Tells of every movement of bytes: as lines on standard error or in a file (TESSERA_LOG_TRANSFERS), and to a function
/// of the program. Costs one atomic read per movement while it is not wanted. Thread-safe.
class transfer_log {
 public:
  using listener = std::function<void(const transfer_record&)>;

  /// `destination`: empty, "1" for standard error, or a file, which is replaced. Both others outlive the log. Throws
  /// `io_error` for a file that cannot be written.
  transfer_log(const std::string& destination, const array_names& names, const call_sites& calls);

  /// Has `function` called for every movement from now on, by one thread at a time; null: none is called. It must be
  /// short and must not use the context.
  void set_listener(listener function);

  [[nodiscard]] bool wanted() const noexcept { return wanted_.load(std::memory_order_relaxed); }

  struct movement {
    array_id array;
    box bounds;
    std::string from, to;
    std::int64_t bytes = 0;
    link_kind link = link_kind::host_to_device;
    task_id task;                         ///< That wants it.
    device_link way = device_link::same;  ///< From device to device.
  };
  /// To be called only if it is `wanted`.
  void add(movement m);

 private:
  struct close_file {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  const array_names& names_;
  const call_sites& calls_;
  std::mutex mutex_;
  std::unique_ptr<std::FILE, close_file> file_;  // null: standard error, if lines are wanted
  const bool lines_;
  listener listener_;
  std::atomic<bool> wanted_;
};

}  // namespace tessera::runtime
