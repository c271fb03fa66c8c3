#include "tessera/algo/sort/cub/sort_keys.cuh"

int tessera_cub_64(const tessera_cub_sort* sort, void* scratch, std::size_t* bytes, void* stream) {
  if (sort->key == tessera_cub_int64) return tessera::cub_sorts::sort_any<std::int64_t>(*sort, scratch, bytes, stream);
  if (sort->key == tessera_cub_uint64) return tessera::cub_sorts::sort_any<std::uint64_t>(*sort, scratch, bytes, stream);
  return cudaErrorInvalidValue;
}
