#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "tessera/comm/transport.h"
#include "tests/fuzz/frame/subject.h"

namespace tessera::fuzz {

/// Calls `run` with each of so many ranks, which are threads of this process, and returns the first failure. A rank
/// that fails makes the others end, too.
[[nodiscard]] std::optional<failure> run_on_ranks(
    int ranks, const std::function<std::optional<failure>(const std::shared_ptr<comm::transport>&)>& run);

}  // namespace tessera::fuzz
