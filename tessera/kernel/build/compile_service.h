#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "tessera/base/event.h"
#include "tessera/device/backend.h"
#include "tessera/kernel/build/disk_cache.h"

namespace tessera::kernels {

/// A function being made from source: shared by all callers that asked for it. Thread-safe. When the last of them
/// releases it the binary is unloaded: whatever runs the function holds the request until it has ended.
class module_request {
 public:
  module_request() = default;

  /// True once the function can be used or has failed.
  [[nodiscard]] bool ready() const noexcept { return line_.reached(1); }

  /// When it becomes ready, well or badly. The event lives as long as this request.
  [[nodiscard]] event finished() const noexcept { return {&line_, 1}; }

  /// Why it could not be made (a `compile_error`, usually); null if it could. Requires `ready()`.
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

  /// The results. Require `ready()`; throw the failure if there is one.
  [[nodiscard]] device::module_id module() const;
  [[nodiscard]] device::function_id function() const;

 private:
  friend class compile_service;

  mutable host_timeline line_;
  std::exception_ptr failure_;
  device::module_id module_ = 0;
  device::function_id function_ = 0;
  std::shared_ptr<const void> owner_;  // unloads
};

struct compile_counters {
  std::int64_t requests = 0;        ///< Calls of `request`.
  std::int64_t compiled = 0;        ///< Compiler runs, failed ones included.
  std::int64_t disk_hits = 0;       ///< Binaries taken from the disk cache.
  std::int64_t memory_hits = 0;     ///< Requests served by a binary or a function this service already had.
  double compile_milliseconds = 0;  ///< Time spent in the compiler, summed over compiler threads.
};

/// Turns source into functions in the background: the calling thread never waits for a compiler. Remembers binaries and
/// failures for as long as a request for them is held: the callers decide how long. Thread-safe.
class compile_service {
 public:
  /// `backend` must outlive the service and all requests. Of the processes that share a cache one compiles and the
  /// others wait for it; without a cache every process compiles for itself. `disturbance`: results come that much
  /// later, for tests.
  compile_service(device::backend& backend, std::optional<disk_cache> cache,
                  const device::random_delays& disturbance = {});

  /// Requests not yet begun fail with `compile_error`; waits for those under way.
  ~compile_service();
  compile_service(const compile_service&) = delete;
  compile_service& operator=(const compile_service&) = delete;

  /// The function `symbol` of `source` on `device`; returns at once. Equal requests, headers included, share one
  /// result, also if it is a failure, while one of them is held. Reads the headers that `source` includes from its
  /// include paths.
  [[nodiscard]] std::shared_ptr<module_request> request(int device, device::source_desc source, std::string symbol);

  [[nodiscard]] compile_counters counters() const;

  /// Requests and binaries that are remembered.
  [[nodiscard]] std::size_t remembered() const;

 private:
  class implementation;
  std::unique_ptr<implementation> implementation_;
};

}  // namespace tessera::kernels
