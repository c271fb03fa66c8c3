#include "tessera/algo/sort/cub/sort_keys.cuh"

int tessera_cub_64(const tessera_cub_sort* sort, void* scratch, std::size_t* bytes, void* stream) {
  if (sort->key == TESSERA_CUB_INT64) return tessera::cub_sorts::sort_any<std::int64_t>(*sort, scratch, bytes, stream);
  if (sort->key == TESSERA_CUB_UINT64) return tessera::cub_sorts::sort_any<std::uint64_t>(*sort, scratch, bytes, stream);
  return cudaErrorInvalidValue;
}
