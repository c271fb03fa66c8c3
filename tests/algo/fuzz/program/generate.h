#pragma once

#include <cstdint>

#include "tests/algo/fuzz/program/program.h"

namespace tessera::fuzz {

/// Container program `index` of `seed`. `is_short_of_memory`: all programs have a budget, not one of ten.
[[nodiscard]] program generate(std::uint64_t seed, std::uint64_t index, bool is_short_of_memory);

}  // namespace tessera::fuzz
