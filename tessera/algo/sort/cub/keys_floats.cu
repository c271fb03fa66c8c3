#include "tessera/algo/sort/cub/sort_keys.cuh"

int tessera_cub_floats(const tessera_cub_sort* sort, void* scratch, std::size_t* bytes, void* stream) {
  if (sort->key == tessera_cub_float32) return tessera::cub_sorts::sort_any<float>(*sort, scratch, bytes, stream);
  if (sort->key == tessera_cub_float64) return tessera::cub_sorts::sort_any<double>(*sort, scratch, bytes, stream);
  return cudaErrorInvalidValue;
}
