#pragma once

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "benchmarks/frame/harness.h"
#include "tessera/base/text.h"

namespace tessera::bench {

/// What a row of two functions that do the same work is called, and how it is measured.
struct compared_row {
  std::string name;
  std::string rival;
  std::optional<double> target{};
  pairing pairs{};
  double scale = 1e3;  ///< From the seconds of a call to `unit`.
  std::string unit = "ms";
};

/// Adds a row of two functions that do the same work, and wait for it.
template <class Ours, class Theirs>
void add_pair(session& s, const compared_row& r, Ours ours, Theirs theirs) {
  const comparison times =
      compare([&] { return seconds_of(ours); }, [&] { return seconds_of(theirs); }, s.scaled(r.pairs));
  s.add_times(r.name, times, r.rival, r.scale, r.unit, r.target);
}

inline void require_close(double ours, double theirs, const std::string& row) {
  if (!(std::abs(ours - theirs) <= 1e-3 * std::abs(theirs) + 1e-5))
    throw std::runtime_error(cat(row, ": ours is ", ours, ", by hand it is ", theirs));
}

}  // namespace tessera::bench
