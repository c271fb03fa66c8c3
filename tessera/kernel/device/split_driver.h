// Runs a kernel that was cut at its barriers: the text of the kernel holds loops over the threads of a block, one for
// each stretch between two barriers, and is called once per block. What stands between the loops runs once. The block
// never leaves its OS thread.

constexpr unsigned __tessera_threads = __tessera_size_x * __tessera_size_y * __tessera_size_z;

// Threads of a block that wait for each other at the next barrier do not rely on each other before it.
#define __tessera_each_thread                                                     \
  for (unsigned __tessera_z = 0; __tessera_z < __tessera_size_z; ++__tessera_z)   \
    for (unsigned __tessera_y = 0; __tessera_y < __tessera_size_y; ++__tessera_y) \
  __tessera_vectorised for (unsigned __tessera_x = 0; __tessera_x < __tessera_size_x; ++__tessera_x)
#define __tessera_this_thread                                      \
  const uint3 threadIdx = {__tessera_x, __tessera_y, __tessera_z}; \
  const unsigned __tessera_t = (__tessera_z * __tessera_size_y + __tessera_y) * __tessera_size_x + __tessera_x;
#define __tessera_all_alive                         \
  unsigned char __tessera_alive[__tessera_threads]; \
  for (unsigned __tessera_t = 0; __tessera_t < __tessera_threads; ++__tessera_t) __tessera_alive[__tessera_t] = 1

namespace __tessera {

constexpr unsigned long long most_kept = 1 << 20;  // bytes of all variables of all threads, on the stack

// What a variable is kept as between two stretches.
template <class T>
using kept = typename bare<T>::type;

template <class T, class V>
__tessera_function void keep(T& place, V& value) {
  static_assert(__is_trivially_copyable(T));
  place = value;
}
template <class T, class V, unsigned long N>
__tessera_function void keep(T (&place)[N], V (&value)[N]) {
  static_assert(__is_trivially_copyable(T));
  __builtin_memcpy(&place, (const void*)&value, sizeof(place));
}

template <unsigned N>
__tessera_function bool all_dead(const unsigned char (&alive)[N]) {
  unsigned char any = 0;
  for (unsigned t = 0; t < N; ++t) any |= alive[t];
  return any == 0;
}

static thread_local void* shared_memory;
__tessera_function void* dynamic_shared() { return shared_memory; }

// Runs the blocks of a launch one after the other.
template <class K>
__tessera_function void run_split(const K& kernel, const tessera_cpu_launch* launch) {
  if (launch->block_dim[0] != __tessera_size_x || launch->block_dim[1] != __tessera_size_y ||
      launch->block_dim[2] != __tessera_size_z)
    __builtin_trap();
  shared_memory = launch->shared;
  const K k = kernel;
  for (unsigned z = launch->block_begin[2]; z < launch->block_end[2]; ++z)
    for (unsigned y = launch->block_begin[1]; y < launch->block_end[1]; ++y)
      for (unsigned x = launch->block_begin[0]; x < launch->block_end[0]; ++x)
        k.__tessera_run(uint3{0, 0, 0}, uint3{x, y, z});
}

}  // namespace __tessera
