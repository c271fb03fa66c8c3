#pragma once

#include <tessera/nd.h>

#include <span>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/rival_kernel.h"
#include "benchmarks/frame/two_sides.h"

namespace tessera::bench {

/// What all rows of arrays have: the devices that they are on. Arrays are given the context, so that nothing holds it
/// longer than the row.
struct arena {
  explicit arena(const std::string& devices = "cpu") : ctx(on(devices)) {}
  context ctx;

  /// Runs `work` until all its kernels are compiled: before, functions stand in for them.
  template <class Work>
  void settle(Work work) const {
    for (std::int64_t before = -1; before != ctx.stats().uncompiled_superblocks;) {
      before = ctx.stats().uncompiled_superblocks;
      work();
    }
  }

 private:
  static options on(const std::string& devices) {
    options chosen;
    chosen.devices = devices;
    return chosen;
  }
};

/// One CPU device with all cores, and as many threads for the loops by hand.
struct cpu_arena : arena {
  cpu_arena() { set_default_context(ctx); }
  thread_team team{static_cast<int>(std::thread::hardware_concurrency())};
};

/// A loop of benchmarks/nd/rivals with its best flags.
inline rival_kernel rival(const std::string& name) {
  return {source_path("benchmarks/nd/rivals/" + name + "_rival.cpp"), rival_flags::best, {}};
}

/// Some elements of ours, which has the shape of the rival's, against the rival's.
template <class T>
void require_equal(const nd::array& ours, const std::vector<T>& theirs, const std::string& row) {
  const nd::array flat = ours.reshape({-1});
  const auto n = static_cast<std::int64_t>(theirs.size());
  for (const std::int64_t at : {std::int64_t{0}, n / 3, n / 2, n - 1})
    require_close(static_cast<double>(flat(at).item<T>()), static_cast<double>(theirs[static_cast<std::size_t>(at)]),
                  row);
}

}  // namespace tessera::bench
