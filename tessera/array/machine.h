#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// All devices of all ranks, as every rank knows them since the context was made (rule H29). Plain data.
struct machine_description {
  /// Bytes per second; 0 where it is not known. What `tessera info` measured last on that machine, else what is usual
  /// for the kind of device.
  struct link_speeds {
    double from_host = 0, to_host = 0;
    double between = 0;  ///< From one device of the rank to another of its kind.
    bool measured = false;
  };
  struct device {
    int rank = 0;
    std::string kind;         ///< "cpu", "cuda"
    std::string name;         ///< On its rank: "cpu:0".
    int cores = 1;            ///< Threads that work on one launch (CPU) or multiprocessors (GPU).
    std::int64_t memory = 0;  ///< Bytes that it may hold.
    link_speeds speeds;
  };

  int ranks = 1;
  /// In the order in which `ts::on(device)`, `ts::on_device` and `ts::parts` number them: those of rank 0, of rank 1,
  /// ...
  std::vector<device> devices;
};

}  // namespace tessera
