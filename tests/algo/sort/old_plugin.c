/* A plugin that is older than the library. */
#include "tessera/algo/sort/cub/cub_calls.h"

const struct tessera_cub_calls* tessera_cub(void) {
  static const struct tessera_cub_calls calls = {TESSERA_CUB_CALLS_VERSION - 1, 0, 0, 0, 0};
  return &calls;
}
