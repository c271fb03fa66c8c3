#pragma once

#include <optional>

#include "tests/fuzz/frame/subject.h"
#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

/// Runs the program on all its ranks, as threads, and compares what each of them reads with the reference.
[[nodiscard]] std::optional<failure> run_program(const program& p);

/// True if every statement makes sense for what the statements before it leave.
[[nodiscard]] bool is_valid(const program& p);

}  // namespace tessera::fuzz
