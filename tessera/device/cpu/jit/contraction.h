#pragma once

#include <cstddef>
#include <span>

namespace tessera::device {

/// True if a library for x86-64 has instructions that multiply and, lane by lane in turns, add or subtract with one
/// rounding. GCC from 12 on makes them in vectorised loops although contraction is off: of products of complex numbers,
/// for instance. A false alarm is possible, since code is searched without being decoded.
[[nodiscard]] bool fuses_in_turns(std::span<const std::byte> library);

/// True if it calls the C library for a product and sum with one rounding.
[[nodiscard]] bool calls_fma(std::span<const std::byte> library);

}  // namespace tessera::device
