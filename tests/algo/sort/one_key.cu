// The least plugin: integers of 32 bits without values.
#include "tessera/algo/sort/cub/sort_keys.cuh"

int tessera_cub_32(const tessera_cub_sort* sort, void* scratch, std::size_t* bytes, void* stream) {
  if (sort->key != tessera_cub_uint32 || sort->value_bytes != 0) return cudaErrorInvalidValue;
  return tessera::cub_sorts::sort_keys<std::uint32_t>(*sort, scratch, *bytes, static_cast<cudaStream_t>(stream));
}
