#pragma once

#include <optional>
#include <string>

#include "tests/algo/fuzz/program/program.h"
#include "tests/fuzz/frame/subject.h"

namespace tessera::fuzz {

/// The variable that a container is in printed programs: "nv0", the first vector of numbers.
[[nodiscard]] std::string name_of(value_kind type, int axes, int slot);
/// The step as a statement.
[[nodiscard]] std::string text_of(const step& s);
/// The program as C++ on top of tests/algo/fuzz/program/functions.h, with what was wrong.
[[nodiscard]] std::string as_cpp(const program& p, const std::optional<failure>& wrong);

/// A step of an algorithm on vectors.
[[nodiscard]] std::string algorithm_text(const step& s);

}  // namespace tessera::fuzz
