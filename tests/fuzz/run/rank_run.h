#pragma once

#include <tessera/tessera.h>

#include <optional>
#include <span>

#include "tests/fuzz/run/execute.h"

namespace tessera::fuzz {

/// Carries out a program on one rank, made as `settings` says. `found` is what was wrong, also if something is thrown.
void run_rank(const program& p, std::span<const outcome> expected, const options& settings,
              std::optional<failure>& found);

}  // namespace tessera::fuzz
