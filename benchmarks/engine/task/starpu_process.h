#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>

#include "benchmarks/engine/task/work.h"

namespace tessera::bench {

/// A `starpu_rival` under way with one of StarPU's schedulers. Idle between runs.
class starpu_process {
 public:
  /// Starts it with `workers` CPU workers. Throws `error` if it cannot be started.
  starpu_process(std::string scheduler, int workers);
  ~starpu_process();
  starpu_process(const starpu_process&) = delete;
  starpu_process& operator=(const starpu_process&) = delete;

  [[nodiscard]] const std::string& scheduler() const { return scheduler_; }
  /// Runs a program; the times are the process's own, so that they hold nothing of the way there and back.
  [[nodiscard]] task_timing run(const task_program& program);

 private:
  std::string scheduler_;
  std::string home_;  // StarPU keeps measurements of the machine in a directory; ours is removed again
  pid_t child_ = 0;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace tessera::bench
