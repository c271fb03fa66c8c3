#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "tessera/base/event.h"

namespace tessera::support {

/// A timeline of something that is no thread of this process: it does not tell of its steps.
class silent_timeline final : public timeline {
 public:
  [[nodiscard]] bool reached(std::uint64_t step) const noexcept override { return reached_ >= step; }
  void wait(std::uint64_t step) override {
    while (reached_ < step) std::this_thread::yield();
  }
  void reach(std::uint64_t step) { reached_ = step; }

 private:
  std::atomic<std::uint64_t> reached_{0};
};

}  // namespace tessera::support
