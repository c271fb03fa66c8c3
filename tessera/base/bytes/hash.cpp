#include "tessera/base/bytes/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tessera {

std::uint64_t hash_of(std::span<const std::byte> bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace tessera
