#pragma once

#include <optional>
#include <span>

#include "tests/fuzz/frame/subject.h"
#include "tests/fuzz/program/program.h"
#include "tests/fuzz/reference/reference.h"

namespace tessera::fuzz {

/// Runs `p` on Tessera, every rank in a thread of its own, and compares all that is read on all ranks.
[[nodiscard]] std::optional<failure> run_program(const program& p, std::span<const outcome> expected);

}  // namespace tessera::fuzz
