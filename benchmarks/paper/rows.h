#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "benchmarks/frame/harness.h"
#include "benchmarks/paper/programs.h"

/// The rows of the evaluation. Those of a series are named SERIES.SIZE; tools/report_paper draws the figures from them.
namespace tessera::bench::paper {

/// What ours is measured against on some kind of device.
struct rival_side {
  std::string name;  ///< For the table.
  std::function<std::unique_ptr<program>(const paper_program& p, const problem& size)> make;
  std::int64_t paper_program::*size;  ///< Of the rows in memory.
  double target;
  bool processor = false;  ///< Also by the processor time that both use.
};

/// One row for each program, `paper.NAME`: a run in memory against the rival's; `paper.NAME.processor`; and a series
/// over sizes, `paper.sizes.NAME.N` (figures 11 and 12).
[[nodiscard]] std::vector<benchmark> in_memory_rows(const rival_side& rival);

/// Where and at which sizes ours is measured against ourselves in memory on one device.
struct own_side {
  std::int64_t paper_program::*size;  ///< Of the largest problem in memory.
  double most_bytes;                  ///< Arrays beyond the memory are at most so large.
  std::function<double()> link;       ///< Bytes per second from the host to the device; empty: nothing has to cross.
};

/// Data beyond the memory that devices may use: the series `paper.beyond.NAME.N` on one device, `paper.devicesP.NAME.N`
/// on P logical ones (figures 12 and 13); `paper.chunks.BYTES` over the sizes of parts (figure 10);
/// `paper.disk.kmeans`.
[[nodiscard]] std::vector<benchmark> beyond_memory_rows(const own_side& side);

/// Problems that grow with the number of logical devices, which share what hardware there is: `paper.weak.NAME.P`
/// against P runs of the problem of one (figures 14 and 15).
[[nodiscard]] std::vector<benchmark> weak_scaling_rows(const own_side& side);

/// Co-clustering against NumPy on this machine, `paper.numpy.cocluster.N`, at `sizes`; ours alone at `alone` (figure
/// 16).
struct numpy_side {
  std::vector<std::int64_t> sizes, alone;
  double target;
};
[[nodiscard]] std::vector<benchmark> numpy_rows(const numpy_side& side);

}  // namespace tessera::bench::paper
