#pragma once

#include <span>
#include <string>

#include "tests/fuzz/program/program.h"
#include "tests/fuzz/reference/reference.h"

namespace tessera::fuzz {

/// Where Tessera gave something else than the reference.
struct failure {
  std::string message;
  std::size_t operation = 0;
  std::int64_t element = -1;  ///< Of a read: the first wrong one; -1: something else went wrong.
};

/// Runs `p` on Tessera, every rank in a thread of its own, and compares all that is read on all ranks.
[[nodiscard]] std::optional<failure> run_program(const program& p, std::span<const outcome> expected);

}  // namespace tessera::fuzz
