/* The plugin: Tessera's table of calls over the groups of key types that were built into it. */

#include "tessera/algo/sort/cub/cub_calls.h"

#include <cuda_runtime_api.h>

#pragma weak tessera_cub_small
#pragma weak tessera_cub_32
#pragma weak tessera_cub_64
#pragma weak tessera_cub_floats

static tessera_cub_group group_of(int key) {
  switch (key) {
    case tessera_cub_uint8:
    case tessera_cub_uint16: return tessera_cub_small;
    case tessera_cub_int32:
    case tessera_cub_uint32: return tessera_cub_32;
    case tessera_cub_int64:
    case tessera_cub_uint64: return tessera_cub_64;
    case tessera_cub_float32:
    case tessera_cub_float64: return tessera_cub_floats;
    default: return NULL;
  }
}

static int knows(int key) { return group_of(key) != NULL; }

static int scratch(const struct tessera_cub_sort* sort, size_t* bytes) {
  const tessera_cub_group group = group_of(sort->key);
  *bytes = 0;
  return group != NULL ? group(sort, NULL, bytes, NULL) : (int)cudaErrorInvalidValue;
}

static int sort_keys(const struct tessera_cub_sort* sort, void* memory, size_t bytes, void* stream) {
  const tessera_cub_group group = group_of(sort->key);
  return group != NULL && memory != NULL ? group(sort, memory, &bytes, stream) : (int)cudaErrorInvalidValue;
}

static const char* text_of(int error) { return cudaGetErrorString((cudaError_t)error); }

const struct tessera_cub_calls* tessera_cub(void) {
  static const struct tessera_cub_calls calls = {TESSERA_CUB_CALLS_VERSION, knows, scratch, sort_keys, text_of};
  return &calls;
}
