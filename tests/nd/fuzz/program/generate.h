#pragma once

#include <cstdint>

#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

struct generate_options {
  bool is_short_of_memory = false;  ///< All programs have a budget, not one of ten.
  bool is_compiled = false;         ///< Launches wait for their compiled text, and programs are shorter.
  std::string kind = "cpu";         ///< Of the devices.
};

/// Program `index` of `seed`.
[[nodiscard]] program generate(std::uint64_t seed, std::uint64_t index, const generate_options& wanted);

}  // namespace tessera::fuzz
