#include "tessera/algo/sort/cub/sort_keys.cuh"

int tessera_cub_small(const tessera_cub_sort* sort, void* scratch, std::size_t* bytes, void* stream) {
  if (sort->key == tessera_cub_uint8) return tessera::cub_sorts::sort_any<std::uint8_t>(*sort, scratch, bytes, stream);
  if (sort->key == tessera_cub_uint16) return tessera::cub_sorts::sort_any<std::uint16_t>(*sort, scratch, bytes, stream);
  return cudaErrorInvalidValue;
}
