#pragma once

#include <memory>

#include "tessera/linop/step/step.h"
#include "tessera/plan/access/bound_accesses.h"

namespace tessera::linop {

/// What parts of a prepared step's launch touch: parameter `first_array` is the result, those behind it the factors.
/// Threads are those of `step_text`: x is the last axis of the result, y the one before it, z all others.
[[nodiscard]] std::shared_ptr<const plan::bound_accesses> accesses_of(const step& s, int first_array);

}  // namespace tessera::linop
