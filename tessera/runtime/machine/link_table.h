#pragma once

#include <string>

#include "tessera/plan/machine.h"
#include "tessera/runtime/machine/machine_notes.h"

namespace tessera::runtime {

/// How fast the devices of this machine can be reached, by kind of device: what `tessera info` measured here last and
/// kept in the cache directory, else what is usual for the kind. A context never measures: that takes some tenths of a
/// second, and what plans are made with must not change from run to run.
class link_table {
 public:
  /// As `options::cache_dir`.
  explicit link_table(const std::string& cache_directory) : notes_(cache_directory) {}

  [[nodiscard]] plan::link_speeds speeds(const std::string& kind) const;
  /// Keeps what was measured for later contexts.
  void store(const std::string& kind, const plan::link_speeds& measured);

 private:
  machine_notes notes_;
};

}  // namespace tessera::runtime
