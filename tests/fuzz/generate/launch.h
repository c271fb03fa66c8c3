#pragma once

#include <optional>

#include "tests/fuzz/frame/random.h"
#include "tests/fuzz/program/program.h"
#include "tests/fuzz/reference/reference.h"

namespace tessera::fuzz {

/// A random launch on the arrays that exist; nothing if there are none. It may have no determined result,
/// and name devices that do not exist: see `limit_devices`.
[[nodiscard]] std::optional<launch_op> draw_launch(random_source& random, const reference& state);

/// A slot that holds an array and a random box of it, or all of it.
[[nodiscard]] std::optional<argument_spec> draw_argument(random_source& random, const reference& state,
                                                         int slice_percent);

/// Everything of a launch but kernel and arguments: block, grid, split, repetition. Devices may be too many: see
/// `limit_devices`.
void draw_form(random_source& random, const reference& state, launch_op& l);

}  // namespace tessera::fuzz
