#pragma once

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cuda/compile/nvrtc.h"
#include "tessera/kernel/wrap/cuda_wrapper.h"

namespace tessera::support {

/// False, with a message, where a test that compiles for GPUs cannot run.
inline bool can_compile_for_cuda() {
  std::string reason;
  const bool can = device::nvrtc_available(&reason);
  if (!can) MESSAGE("skipped: ", reason);
  return can;
}

inline std::vector<std::byte> compile_for_cuda(const kernels::kernel_text& kernel,
                                               const kernels::cuda_variant& variant = {}, int target = 90) {
  return device::compile_cubin({kernels::make_cuda_source(kernel, variant), {kernel.include_directory}, {}}, target);
}

/// Compiles every kernel of the sources for sm_80 and sm_90, on two threads because each takes a tenth of a second,
/// and says what went wrong.
class cuda_sources {
 public:
  void add(const std::string& text, const std::string& file) {
    for (const std::string& name : kernels::list_kernels(text))
      for (const int target : {80, 90}) jobs_.push_back({text, file, name, target});
  }
  [[nodiscard]] std::size_t size() const { return jobs_.size(); }

  [[nodiscard]] std::vector<std::string> failures() {
    std::array<std::thread, 2> threads;
    for (std::thread& t : threads) t = std::thread([this] { work(); });
    for (std::thread& t : threads) t.join();
    return failures_;
  }

 private:
  struct job {
    std::string text, file, kernel;
    int target;
  };

  void work() {
    for (std::size_t i = next_++; i < jobs_.size(); i = next_++) {
      const job& j = jobs_[i];
      try {
        const std::vector<std::byte> binary =
            compile_for_cuda(kernels::parse_kernel(j.text, j.file, j.kernel), {}, j.target);
        if (binary.empty()) throw compile_error("nothing came out");
      } catch (const error& e) {
        const std::lock_guard lock(mutex_);
        failures_.push_back(cat(j.kernel, " of ", j.file, " for sm_", j.target, ": ", e.what()));
      }
    }
  }

  std::vector<job> jobs_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::vector<std::string> failures_;
};

}  // namespace tessera::support
