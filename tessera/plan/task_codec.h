#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/plan/task.h"

namespace tessera::plan {

/// Tasks as bytes (rule G2): what one process would send so that another plans the same. Equal tasks give equal bytes
/// on every machine; the call site and what is derived do not travel.
[[nodiscard]] std::vector<std::byte> encode(const task& t);

/// A hash of what decides the plans of all ranks: everything that travels but numbers that a rank gives for itself.
/// Equal on all ranks for a task that is shared.
[[nodiscard]] std::uint64_t shared_hash(const task& t);

/// Throws `argument_error` for bytes that no task has.
[[nodiscard]] task decode_task(std::span<const std::byte> bytes);

}  // namespace tessera::plan
