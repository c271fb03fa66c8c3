#pragma once

#include <cub/device/device_radix_sort.cuh>

#include <cstdint>
#include <type_traits>

#include "tessera/algo/sort/cub/cub_calls.h"

namespace tessera::cub_sorts {

/// Makes one NaN of all: the last one in the order of bits, or the first one, which comes last in the other order.
template <class Key, class Bits>
__global__ void unify_nan(Key* keys, long long count, Bits nan) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    if (keys[i] != keys[i]) reinterpret_cast<Bits*>(keys)[i] = nan;
}

template <class Key>
cudaError_t prepare(const tessera_cub_sort& s, cudaStream_t stream) {
  if constexpr (std::is_floating_point_v<Key>) {
    using bits = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
    constexpr int threads = 256;
    constexpr long long most_blocks = 1 << 16;
    const long long blocks = (s.count + threads - 1) / threads;
    const bits nan = s.descending != 0 ? ~bits{0} : ~bits{0} >> 1;
    unify_nan<<<static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks), threads, 0, stream>>>(
        static_cast<Key*>(s.keys), s.count, nan);
    return cudaGetLastError();
  }
  return cudaSuccess;
}

template <class Element>
cudaError_t copy_back(cub::DoubleBuffer<Element>& sorted, void* to, long long count, cudaStream_t stream) {
  if (sorted.Current() == to) return cudaSuccess;
  return cudaMemcpyAsync(to, sorted.Current(), static_cast<std::size_t>(count) * sizeof(Element),
                         cudaMemcpyDeviceToDevice, stream);
}

template <class Key>
cudaError_t sort_keys(const tessera_cub_sort& s, void* scratch, std::size_t& bytes, cudaStream_t stream) {
  constexpr int bits = 8 * static_cast<int>(sizeof(Key));
  cub::DoubleBuffer<Key> keys(static_cast<Key*>(s.keys), static_cast<Key*>(s.spare_keys));
  const cudaError_t error =
      s.descending != 0 ? cub::DeviceRadixSort::SortKeysDescending(scratch, bytes, keys, s.count, 0, bits, stream)
                        : cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, s.count, 0, bits, stream);
  return error != cudaSuccess || scratch == nullptr ? error : copy_back(keys, s.keys, s.count, stream);
}

template <class Key, class Value>
cudaError_t sort_pairs(const tessera_cub_sort& s, void* scratch, std::size_t& bytes, cudaStream_t stream) {
  constexpr int bits = 8 * static_cast<int>(sizeof(Key));
  cub::DoubleBuffer<Key> keys(static_cast<Key*>(s.keys), static_cast<Key*>(s.spare_keys));
  cub::DoubleBuffer<Value> values(static_cast<Value*>(s.values), static_cast<Value*>(s.spare_values));
  cudaError_t error =
      s.descending != 0
          ? cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, keys, values, s.count, 0, bits, stream)
          : cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, values, s.count, 0, bits, stream);
  if (error != cudaSuccess || scratch == nullptr) return error;
  error = copy_back(keys, s.keys, s.count, stream);
  return error != cudaSuccess ? error : copy_back(values, s.values, s.count, stream);
}

/// A sort of keys of this type, or what it needs.
template <class Key>
int sort_any(const tessera_cub_sort& s, void* scratch, std::size_t* bytes, void* queue) {
  const auto stream = static_cast<cudaStream_t>(queue);
  if (scratch != nullptr)
    if (const cudaError_t error = prepare<Key>(s, stream); error != cudaSuccess) return error;
  switch (s.value_bytes) {
    case 0: return sort_keys<Key>(s, scratch, *bytes, stream);
    case 4: return sort_pairs<Key, std::uint32_t>(s, scratch, *bytes, stream);
    case 8: return sort_pairs<Key, std::uint64_t>(s, scratch, *bytes, stream);
    case 16: return sort_pairs<Key, ulonglong2>(s, scratch, *bytes, stream);
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace tessera::cub_sorts
