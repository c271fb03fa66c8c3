#ifndef TESSERA_ALGO_SORT_CUB_CUB_CALLS_H
#define TESSERA_ALGO_SORT_CUB_CUB_CALLS_H

/* What Tessera needs of CUB, behind a table in C: the plugin that holds it is the only thing that nvcc compiles, and it
   is opened only where a program sorts on GPUs. */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_CUB_CALLS_VERSION 1

enum tessera_cub_key {
  tessera_cub_uint8,
  tessera_cub_uint16,
  tessera_cub_int32,
  tessera_cub_uint32,
  tessera_cub_int64,
  tessera_cub_uint64,
  tessera_cub_float32,
  tessera_cub_float64
};

/* Memory of the device, aligned as its elements; without values these are null. */
struct tessera_cub_sort {
  int key;         /* A tessera_cub_key. */
  int value_bytes; /* 0, 4, 8 or 16. */
  int descending;
  long long count;
  void* keys;
  void* values;
  void* spare_keys;
  void* spare_values;
};

/* Functions return 0, or an error that `text_of` describes. The context of the device is current. */
struct tessera_cub_calls {
  int version;
  /* Not 0 if this plugin was built for such keys. */
  int (*knows)(int key);
  /* The bytes of scratch that a sort needs on the current device; looks at no memory. */
  int (*scratch)(const struct tessera_cub_sort* sort, size_t* bytes);
  /* Puts a sort on `stream`: stable, the result in `keys` and `values`. -0 equals +0; NaN comes last in either order,
     and is one NaN afterwards. */
  int (*sort)(const struct tessera_cub_sort* sort, void* scratch, size_t bytes, void* stream);
  const char* (*text_of)(int error);
};

/* The only symbol that is looked for. */
const struct tessera_cub_calls* tessera_cub(void);

/* A group of key types, each compiled by itself and perhaps left out. With null scratch only `bytes` is set. */
typedef int (*tessera_cub_group)(const struct tessera_cub_sort* sort, void* scratch, size_t* bytes, void* stream);
int tessera_cub_small(const struct tessera_cub_sort* sort, void* scratch, size_t* bytes, void* stream);
int tessera_cub_32(const struct tessera_cub_sort* sort, void* scratch, size_t* bytes, void* stream);
int tessera_cub_64(const struct tessera_cub_sort* sort, void* scratch, size_t* bytes, void* stream);
int tessera_cub_floats(const struct tessera_cub_sort* sort, void* scratch, size_t* bytes, void* stream);

#ifdef __cplusplus
}
#endif

#endif
