#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

/// A hash that tells differences, on every machine the same, as fast as memory is read. It does not withstand forgers;
/// that of sha256.h does.
[[nodiscard]] std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace tessera
