#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace tessera::comm {

/// Which error the callers on every rank get when a job has failed.
enum class failure_kind : std::uint8_t {
  communication,  ///< A rank failed, ended or cannot be reached: `comm_error`.
  divergence,     ///< The ranks make different calls: `divergence_error`.
};

/// Why a job has failed.
struct job_failure {
  failure_kind kind = failure_kind::communication;
  std::string reason;  ///< Empty: it has not failed.
};

/// Whether a job has failed, and the first reason. Thread-safe; `failed` costs one atomic read.
class job_status {
 public:
  /// False if the job has failed before: the first reason stays.
  bool fail(job_failure problem) {
    const std::lock_guard lock(mutex_);
    if (failed_.load(std::memory_order_relaxed)) return false;
    failure_ = std::move(problem);
    failed_.store(true, std::memory_order_release);
    return true;
  }
  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  [[nodiscard]] job_failure failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

 private:
  mutable std::mutex mutex_;
  std::atomic<bool> failed_{false};
  job_failure failure_;
};

}  // namespace tessera::comm
