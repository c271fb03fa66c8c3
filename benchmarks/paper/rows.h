#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "benchmarks/frame/harness.h"
#include "benchmarks/paper/programs.h"

namespace tessera::bench::paper {

/// What ours is measured against on some kind of device.
struct rival_side {
  std::string name;  ///< For the table.
  std::function<std::unique_ptr<program>(const paper_program& p, const problem& size)> make;
  std::int64_t paper_program::*size;  ///< Of the rows in memory.
  double target;
};

/// One row for each program, `paper.NAME`: a run in memory against the rival's; and a series over sizes,
/// `paper.sizes.NAME`.
[[nodiscard]] std::vector<benchmark> in_memory_rows(const rival_side& rival);
/// What several logical devices cost, and data beyond a device's memory: `paper.devices.NAME`, `paper.beyond.NAME` and
/// the series `paper.chunks`, against ourselves in memory on one device.
[[nodiscard]] std::vector<benchmark> against_one_device_rows(std::int64_t paper_program::*size);
/// Co-clustering against NumPy on this machine: `paper.numpy.cocluster`.
[[nodiscard]] std::vector<benchmark> numpy_rows(std::int64_t paper_program::*size, double target);

}  // namespace tessera::bench::paper
