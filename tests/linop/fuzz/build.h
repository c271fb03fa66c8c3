#pragma once

#include <tessera/linop.h>

#include <string>

#include "tests/linop/fuzz/program.h"

namespace tessera::fuzz {

/// The operator of a stage that adds one, and the text that makes it.
struct built_operator {
  linop::op a;
  std::string text;
};
[[nodiscard]] built_operator build(const context& ctx, const decoded& d);
/// "Y Z": what axes of a shape are called, with a number behind each name where it is not 0.
[[nodiscard]] std::string names_of(const shape& s, int number = 0);

}  // namespace tessera::fuzz
