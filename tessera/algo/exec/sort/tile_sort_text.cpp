#include "tessera/algo/exec/sort/tile_sort_text.h"

#include <string_view>

#include "tessera/algo/exec/sort/text_head.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(sort_threads == 256, "the texts below have this number");

constexpr std::string_view gpu_neighbours = R"(
  const long long at = blockIdx.x * (long long)tile, pair = at / (2 * width) * (2 * width);
  const long long middle = pair + width < n ? pair + width : n, end = middle + width < n ? middle + width : n;
  const key_type* left = from + pair;
  const key_type* right = from + middle;
  const long long left_count = middle - pair, right_count = end - middle, begin = at - pair;
  const long long count = at + tile < n ? tile : n - at;
  key_type* const to = keys + at;
)";
constexpr std::string_view gpu_neighbours_values = R"(
  const value_type* const value_left = from_values + pair;
  const value_type* const value_right = from_values + middle;
  value_type* const value_to = values + at;
)";

/// Keys of a tile lie in shared memory, and the order of their numbers is found: each thread inserts its own, then
/// neighbouring runs are merged until one is left.
constexpr std::string_view gpu_tile_sort = R"(
  constexpr int own_count = tile / 256;
  __shared__ key_type staged[tile];
  __shared__ unsigned short order[2][tile];
  const long long first = blockIdx.x * (long long)tile;
  const int count = first + tile < n ? tile : (int)(n - first);
  for (int k = threadIdx.x; k < count; k += 256) staged[k] = from[first + k];
  __syncthreads();
  const int own = threadIdx.x * own_count, own_end = own + own_count < count ? own + own_count : count;
  for (int k = own; k < own_end; ++k) {
    int at = k;
    while (at > own && before(staged[k], staged[order[0][at - 1]])) {
      order[0][at] = order[0][at - 1];
      --at;
    }
    order[0][at] = (unsigned short)k;
  }
  int side = 0;
  for (int width = own_count; width < count; width *= 2) {
    __syncthreads();
    if (own < count) {
      const int pair = own / (2 * width) * (2 * width), middle = pair + width < count ? pair + width : count;
      const int end = middle + width < count ? middle + width : count;
      const unsigned short* const numbers = order[side];
      const auto numbered = [&](int l, int r) { return before(staged[numbers[middle + r]], staged[numbers[pair + l]]); };
      const int of_left = middle - pair, of_right = end - middle, diagonal = own - pair;
      int low = diagonal > of_right ? diagonal - of_right : 0, high = diagonal < of_left ? diagonal : of_left;
      while (low < high) {
        const int half = low + (high - low) / 2;
        if (numbered(half, diagonal - 1 - half))
          high = half;
        else
          low = half + 1;
      }
      int l = low, r = diagonal - low;
      for (int k = own; k < own_end; ++k) {
        const bool takes_right = l >= of_left || (r < of_right && numbered(l, r));
        order[1 - side][k] = takes_right ? numbers[middle + r++] : numbers[pair + l++];
      }
    }
    side = 1 - side;
  }
  __syncthreads();
)";
/// Values are held in registers until all threads have theirs, as they may be written where they are read.
constexpr std::string_view gpu_tile_values = R"(
  value_type held[own_count];
  #pragma unroll
  for (int k = 0; k < own_count; ++k)
    if (threadIdx.x + k * 256 < count) held[k] = from_values[first + order[side][threadIdx.x + k * 256]];
  __syncthreads();
  #pragma unroll
  for (int k = 0; k < own_count; ++k)
    if (threadIdx.x + k * 256 < count) values[first + threadIdx.x + k * 256] = held[k];
)";
constexpr std::string_view gpu_tile_write = R"(
  for (int k = threadIdx.x; k < count; k += 256) keys[first + k] = staged[order[side][k]];
}
)";

}  // namespace

kernel_text tile_sort_text(const sort_types& types) {
  const bool values = types.has_values();
  const std::int64_t tile = gpu_tile_elements(types);
  std::string parameters = cat("long long n, const ", types.key, "* from, ", types.key, "* keys");
  std::string rules =
      cat("block t, lo = ", tile, " * t, hi = ", tile, " * t + ", tile - 1, " => read from[lo:hi], write keys[lo:hi]");
  if (values) {
    parameters += cat(", const ", types.value, "* from_values, ", types.value, "* values");
    rules += ", read from_values[lo:hi], write values[lo:hi]";
  }
  const text_head head{types, "tile_sort_kernel", parameters};
  return {"tile_sort_kernel", rules,
          cat(head.text(true, true), gpu_tile_sort, values ? gpu_tile_values : "", gpu_tile_write), "",
          head.all_parameters(true)};
}

kernel_text neighbour_merge_text(const sort_types& types) {
  const bool values = types.has_values();
  const std::int64_t tile = gpu_tile_elements(types);
  std::string parameters = cat("long long n, long long width, const ", types.key, "* from, ", types.key, "* keys");
  std::string rules = cat("block t, lo = ", tile, " * t / (2 * width) * (2 * width), hi = ", tile,
                          " * t / (2 * width) * (2 * width) + 2 * width - 1 => read from[lo:hi], write keys[", tile,
                          " * t : ", tile, " * t + ", tile - 1, "]");
  if (values) {
    parameters += cat(", const ", types.value, "* from_values, ", types.value, "* values");
    rules += cat(", read from_values[lo:hi], write values[", tile, " * t : ", tile, " * t + ", tile - 1, "]");
  }
  const text_head head{types, "neighbour_merge_kernel", parameters};
  return {"neighbour_merge_kernel", rules,
          cat(head.text(true, true), gpu_neighbours, values ? gpu_neighbours_values : "", block_merge_text(values)), "",
          head.all_parameters(true)};
}

}  // namespace tessera::algo
