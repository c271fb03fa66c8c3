#pragma once

#include <optional>

#include "tests/fuzz/frame/random.h"
#include "tests/nd/fuzz/reference/plain_array.h"

namespace tessera::fuzz {

/// A random view of an array. `repeats`: it may show elements several times.
[[nodiscard]] view_call draw_view(random_source& random, const plain_array& a, bool repeats);

/// Indices with which the array has a shape that can be repeated to `shape`; nothing if there are none. What is longer
/// than needed is cut at random places, by random steps.
[[nodiscard]] std::optional<view_call> draw_fitting(random_source& random, const plain_array& a,
                                                    const std::vector<std::int64_t>& shape);

}  // namespace tessera::fuzz
