#pragma once

#include <optional>
#include <string>

#include "tests/fuzz/frame/subject.h"
#include "tests/linop/fuzz/program.h"

namespace tessera::fuzz {

/// Runs a program on its ranks and compares A x, A^H y and apply with matrices.
[[nodiscard]] std::optional<failure> run_program(const program& p);
/// The calls that the program makes, one per line.
[[nodiscard]] std::string text_of(const program& p);

}  // namespace tessera::fuzz
