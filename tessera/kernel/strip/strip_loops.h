#pragma once

#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// The loops of a kernel that pay when a strip of neighbouring threads takes each turn together: positions of `for`.
/// In each turn such a loop uses elements beside each other for threads beside each other, and its own next element
/// lies at a distance (`b[k * n + col]`): a thread by itself would walk across memory, and a compiler does not
/// vectorise the loop over threads around it. Nothing that it uses may lie at a distance for neighbouring threads.
/// Decided on tokens, for speed alone: whether the loop is the same for all threads is not asked here.
[[nodiscard]] std::vector<std::size_t> find_strip_loops(const outline& source, const declaration& kernel);

}  // namespace tessera::kernels
