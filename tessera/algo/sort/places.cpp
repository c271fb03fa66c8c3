#include "tessera/algo/sort/places.h"

#include <cstring>
#include <limits>

namespace tessera::algo::sorting {
namespace {

using place = std::uint32_t;
static_assert(sizeof(place) == place_bytes);

void copy_bytes(const parallel_runner& run, int threads, std::byte* to, const std::byte* from, std::int64_t bytes) {
  for_ranges(run, threads, bytes, [&](std::int64_t begin, std::int64_t end) {
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

}  // namespace

bool worth_places(std::int64_t key_bytes, std::int64_t value_bytes, std::int64_t count) {
  return key_bytes >= place_bytes && value_bytes > 2 * place_bytes && count <= std::numeric_limits<place>::max();
}

void sort_by_places(const parallel_runner& run, int threads, std::int64_t value_bytes, std::int64_t count,
                    const sort_memory& memory,
                    const std::function<void(std::byte* places, std::byte* spare_places)>& sort) {
  std::byte* const places = memory.spare_values;
  for_ranges(run, threads, count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto number = static_cast<place>(i);
      std::memcpy(places + i * place_bytes, &number, sizeof number);
    }
  });
  sort(places, places + count * place_bytes);
  // Values are brought to where the places are now, which move to where spare keys were.
  copy_bytes(run, threads, memory.spare_keys, places, count * place_bytes);
  for_ranges(run, threads, count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      place number = 0;
      std::memcpy(&number, memory.spare_keys + i * place_bytes, sizeof number);
      std::memcpy(memory.spare_values + i * value_bytes, memory.values + number * value_bytes,
                  static_cast<std::size_t>(value_bytes));
    }
  });
  copy_bytes(run, threads, memory.values, memory.spare_values, count * value_bytes);
}

void for_ranges(const parallel_runner& run, int threads, std::int64_t count,
                const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  const auto border = [=](std::int64_t k) { return count / threads * k + count % threads * k / threads; };
  run(threads, [&](std::int64_t k) { body(border(k), border(k + 1)); });
}

}  // namespace tessera::algo::sorting
