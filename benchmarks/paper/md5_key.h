#pragma once

#include <array>
#include <cstdint>

namespace tessera::bench::paper {

/// The MD5 hash of key `i` of kernels/md5.cu, as four words.
[[nodiscard]] std::array<std::uint32_t, 4> digest_of_key(std::int64_t i);

}  // namespace tessera::bench::paper
