#pragma once

#include <string>

namespace tessera::kernels {

/// A kernel's text for a compiler of C++, in which CUDA's `#pragma unroll` is a request that it understands
/// (`__tessera_unroll`, device/types.h), where it stands in front of a loop around loops: what the turns have in common
/// then stays in registers. So are the loops inside that ask for it. Loops count from one number to another, and are
/// unrolled from the inside out, as long as this does not repeat statements more than `most_copies` times. A loop
/// without others in it is left for the compiler to vectorise. Lines stay where they are.
[[nodiscard]] std::string with_unrolling(const std::string& text);

inline constexpr long long most_copies = 512;

}  // namespace tessera::kernels
