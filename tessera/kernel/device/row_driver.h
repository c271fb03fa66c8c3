// Runs a text that was written for CPUs: one call does the work of all threads of a row of thread blocks, so that its
// loops are long. What a row is depends on how a launch was shared out between cores; a launch with private results per
// thread block comes one block at a time.

#ifdef __tessera_tls
// For code that cannot be given the hidden parameter; it hides this everywhere else.
static thread_local unsigned tessera_blocks;
#endif

namespace __tessera {

template <class K>
__tessera_function void run_rows(const K& kernel, const tessera_cpu_launch* launch) {
  const unsigned begin = launch->block_begin[0];
  const unsigned end = launch->block_end[0];
  if (begin >= end) return;
  const K k = kernel;  // A copy that nothing points to: its members stay in registers.
  for (unsigned z = launch->block_begin[2]; z < launch->block_end[2]; ++z)
    for (unsigned y = launch->block_begin[1]; y < launch->block_end[1]; ++y) {
#ifdef __tessera_accesses
      run_of_row(uint3{begin, y, z}, end - begin);
#endif
      k.__tessera_run(uint3{0, 0, 0}, uint3{begin, y, z}, end - begin);
    }
}

}  // namespace __tessera
