// Runs an instrumented kernel without barriers, one thread after the other, so that each access has a thread.

namespace __tessera {

// A function of its own: no access of one thread can be moved to another.
template <class K>
__attribute__((noinline)) void run_thread(const K* kernel, uint3 thread, uint3 block) {
  const K k = *kernel;
  k.__tessera_run(thread, block);
}

template <class K>
__tessera_uninstrumented void run_threads(const K& kernel, const tessera_cpu_launch* launch) {
  const dim3 size = kernel.__tessera_size();
  if (launch->block_dim[0] != size.x || launch->block_dim[1] != size.y || launch->block_dim[2] != size.z)
    __builtin_trap();
  uint3 b, t;
  for (b.z = launch->block_begin[2]; b.z < launch->block_end[2]; ++b.z)
    for (b.y = launch->block_begin[1]; b.y < launch->block_end[1]; ++b.y)
      for (b.x = launch->block_begin[0]; b.x < launch->block_end[0]; ++b.x)
        for (t.z = 0; t.z < size.z; ++t.z)
          for (t.y = 0; t.y < size.y; ++t.y)
            for (t.x = 0; t.x < size.x; ++t.x) {
              run_of(t, b);
              run_thread(&kernel, t, b);
            }
}

}  // namespace __tessera
