#pragma once

#include <optional>

#include "tests/algo/fuzz/program/program.h"
#include "tests/fuzz/frame/subject.h"

namespace tessera::fuzz {

/// Runs a container program on the library and on the reference and compares what it reads, and what its containers
/// hold in the end.
[[nodiscard]] std::optional<failure> run_program(const program& p);

}  // namespace tessera::fuzz
