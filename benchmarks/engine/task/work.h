#pragma once

#include <cstdint>

/// What a task of the task benchmarks does, the same for us and for the rival: a fixed amount of arithmetic, so that a
/// system whose other threads take the processor away from its workers pays for it. (A task that watched the clock
/// would count that time as work.)
namespace tessera::bench {

/// A chain of `rounds` multiplications that depend on each other.
inline void busy(std::uint64_t rounds) {
  std::uint64_t x = rounds;
  for (std::uint64_t k = 0; k < rounds; ++k) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(x));
  }
}

/// The effect of a task on its data, by which lost tasks and broken orders are found.
inline std::uint32_t touched(std::uint32_t value) { return value * 3 + 1; }
inline std::uint32_t blended(std::uint32_t left, std::uint32_t mid, std::uint32_t right) {
  return left + 3 * mid + 5 * right + 1;
}

/// A program of many tasks on `width` single-element arrays.
enum class task_shape {
  touch,    ///< Task i changes array i % width: one chain, several chains, or independent tasks.
  stencil,  ///< Steps of `width` tasks; each writes its element from the three elements around it of the step before.
  latency,  ///< Tasks one by one: launch, then read the result on the host.
};

struct task_program {
  task_shape shape = task_shape::touch;
  std::int64_t tasks = 0;
  std::int64_t width = 1;
  std::uint64_t rounds = 0;  ///< Of work in each task.
};

struct task_timing {
  double total = 0;   ///< Seconds until all tasks have ended.
  double submit = 0;  ///< Seconds until the last task was submitted.
  std::uint32_t checksum = 0;
};

}  // namespace tessera::bench
