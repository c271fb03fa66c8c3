#pragma once

#include <cstdint>
#include <memory>

#include "tests/fuzz/frame/subject.h"

namespace tessera::fuzz {

inline constexpr std::size_t expressions_per_text = 64;

/// Text `index` of `seed`: random expressions, recorded as skeletons record functions and compiled as one kernel,
/// against the same operations of C++ on the host.
[[nodiscard]] std::unique_ptr<random_program> draw_expressions(std::uint64_t seed, std::uint64_t index);

}  // namespace tessera::fuzz
