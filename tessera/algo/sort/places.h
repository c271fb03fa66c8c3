#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "tessera/algo/sort/sort_memory.h"

/// Values that are too large to be moved by every pass of a sort of keys: numbers that say where they are go with the
/// keys instead, and each value is moved once.
namespace tessera::algo::sorting {

constexpr std::int64_t place_bytes = 4;

/// Whether `count` values go with keys of `key_bytes` in this way, which needs no memory but the spare one.
[[nodiscard]] bool worth_places(std::int64_t key_bytes, std::int64_t value_bytes, std::int64_t count);

/// `sort(places, spare_places)` sorts the keys, and with them places, of `place_bytes` each; values are then brought to
/// where their places are.
void sort_by_places(const parallel_runner& run, int threads, std::int64_t value_bytes, std::int64_t count,
                    const sort_memory& memory,
                    const std::function<void(std::byte* places, std::byte* spare_places)>& sort);

/// Calls `body(begin, end)` for as many ranges as there are threads, which make up [0, count).
void for_ranges(const parallel_runner& run, int threads, std::int64_t count,
                const std::function<void(std::int64_t begin, std::int64_t end)>& body);

}  // namespace tessera::algo::sorting
