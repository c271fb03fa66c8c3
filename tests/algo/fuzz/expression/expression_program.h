#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/fuzz/frame/subject.h"

namespace tessera::fuzz {

inline constexpr std::size_t expressions_per_text = 64;

/// Text `index` of `seed`: random expressions, recorded as skeletons record functions and compiled as one kernel,
/// against the same operations of C++ on the host. All are run on a device of one `kind`.
[[nodiscard]] std::unique_ptr<random_program> draw_expressions(std::uint64_t seed, std::uint64_t index,
                                                               const std::string& kind);

}  // namespace tessera::fuzz
