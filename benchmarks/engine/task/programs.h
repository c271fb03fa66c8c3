#pragma once

#include <cstdint>
#include <memory>

#include "benchmarks/engine/task/work.h"

namespace tessera::bench {

/// The task programs on Tessera: one CPU device per worker, tasks as native kernels.
class task_runner {
 public:
  explicit task_runner(int workers);
  ~task_runner();
  task_runner(const task_runner&) = delete;
  task_runner& operator=(const task_runner&) = delete;

  [[nodiscard]] task_timing run(const task_program& program);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The checksum that a program must give, computed one task after the other without any system.
[[nodiscard]] std::uint32_t expected_checksum(const task_program& program);

/// How many rounds of `busy` a processor does in `microseconds` now.
[[nodiscard]] std::uint64_t rounds_in(double microseconds);

}  // namespace tessera::bench
