#pragma once

#include <tessera/tessera.h>

#include "benchmarks/frame/harness.h"

/// The rows of tessera_bench_skepu: the evaluation of SkePU's smart containers, with ours.
namespace tessera::bench::skepu {

[[nodiscard]] std::vector<benchmark> table_benchmarks();
[[nodiscard]] std::vector<benchmark> figure_benchmarks();
[[nodiscard]] std::vector<benchmark> overhead_benchmarks();

/// Adds the rows PART.mse_overhead.SIDE, of images of side x side.
void measure_mse_overhead(session& s, const std::string& part, std::int64_t side, std::optional<double> target);

/// A context of `count` logical devices of the kind that the user named, which share also small containers: as SkePU
/// does, and as the model of its memory management says.
[[nodiscard]] inline options shared_by_all(const session& s, int count) {
  options chosen;
  chosen.devices = s.devices(count);
  chosen.small = 0;
  return chosen;
}

}  // namespace tessera::bench::skepu
