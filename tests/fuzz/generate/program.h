#pragma once

#include "tests/fuzz/program/program.h"

namespace tessera::fuzz {

struct generator_limits {
  int ranks = 0;             ///< Exactly so many; 0: any.
  int devices = 0;           ///< Exactly so many per rank; 0: any.
  int operations = 64;       ///< At most.
  int memory = 40;           ///< Percent of programs whose devices are short of memory.
  int share = 0;             ///< How short: percent of what lies between the least and all of it; 0: any.
  bool sources = true;       ///< Kernels of the source pool too.
  std::string kind = "cpu";  ///< Of the devices; "cuda" makes them share the first GPU.
};

/// Random program number `index` of `seed`: the same on every machine.
[[nodiscard]] program generate(std::uint64_t seed, std::uint64_t index, const generator_limits& limits = {});

}  // namespace tessera::fuzz
