#pragma once

#include <tessera/nd.h>

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/frame/harness.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/rival_kernel.h"

namespace tessera::bench {

/// What all rows of arrays have: one CPU device with all cores, and as many threads for the loops by hand.
struct arena {
  arena() { set_default_context(ctx); }
  context ctx{one_device()};
  thread_team team{static_cast<int>(std::thread::hardware_concurrency())};

  /// Runs `work` until all its kernels are compiled: before, functions stand in for them.
  template <class Work>
  void settle(Work work) const {
    for (std::int64_t before = -1; before != ctx.stats().uncompiled_superblocks;) {
      before = ctx.stats().uncompiled_superblocks;
      work();
    }
  }

  static options one_device() {
    options chosen;
    chosen.devices = "cpu";
    return chosen;
  }
};

/// A loop of benchmarks/nd/rivals with its best flags.
inline rival_kernel rival(const std::string& name) {
  return {source_path("benchmarks/nd/rivals/" + name + "_rival.cpp"), rival_flags::best, {}};
}

inline void require_close(double ours, double theirs, const std::string& row) {
  if (!(std::abs(ours - theirs) <= 1e-3 * std::abs(theirs) + 1e-5))
    throw std::runtime_error(row + ": ours is " + std::to_string(ours) + ", by hand it is " + std::to_string(theirs));
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

/// A row of two functions that do the same work once.
template <class Ours, class Theirs>
void add_pair(session& s, const std::string& name, Ours ours, Theirs theirs, const char* rival_name, double target) {
  const comparison times = compare([&] { return seconds_of(ours); }, [&] { return seconds_of(theirs); }, s.scaled({}));
  s.add_times(name, times, rival_name, 1e3, "ms", target);
}

}  // namespace tessera::bench
