#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tessera::algo {

/// Runs `body(k)` for 0 <= k < count on the threads that a device has, and returns when all have ended;
/// `native_call::parallel_for` is one. Bodies may run one after the other.
using parallel_runner = std::function<void(std::int64_t count, const std::function<void(std::int64_t)>& body)>;

/// What a sort on one device works on: keys, a value of some bytes with each of them, or null, and as much room again.
struct sort_memory {
  std::byte* keys = nullptr;
  std::byte* values = nullptr;
  std::byte* spare_keys = nullptr;
  std::byte* spare_values = nullptr;
};

}  // namespace tessera::algo
