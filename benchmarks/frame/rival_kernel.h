#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/frame/thread_team.h"

namespace tessera::bench {

/// How a rival is compiled.
enum class rival_flags {
  same,  ///< The flags and math functions that our kernels get: results are the same bits.
  best,  ///< What makes it fastest: -O3, reassociation, fused operations, the C library's vector functions.
};

/// A hand-written loop, compiled at run time, on a team of threads.
class rival_kernel {
 public:
  /// `path` is a C++ file that defines the function `rival` (benchmarks/kernels/rival.h), `same_flags` what our kernel
  /// is compiled with. Throws compile_error if there is no such function.
  rival_kernel(const std::string& path, rival_flags flags, const std::vector<std::string>& same_flags);

  /// Does items [0, n) once on all threads of the team. `parameters` are addresses of the arguments' values.
  void run(thread_team& team, std::int64_t n, const std::vector<void*>& parameters) const;

 private:
  using entry = void (*)(long begin, long end, void* const* parameters);
  entry entry_ = nullptr;
};

}  // namespace tessera::bench
