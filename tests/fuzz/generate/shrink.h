#pragma once

#include <chrono>
#include <functional>

#include "tests/fuzz/program/program.h"

namespace tessera::fuzz {

/// A smaller program for which `fails` still holds: fewer operations, ranks, devices, parameters, rules, elements.
/// `fails` is asked only about programs whose results are determined. Gives up after `limit`.
[[nodiscard]] program shrink(program p, const std::function<bool(const program&)>& fails,
                             std::chrono::seconds limit = std::chrono::seconds(30));

}  // namespace tessera::fuzz
