#pragma once
/* What a compiled CPU kernel and the process that loads it agree on. Plain C: this text is also put in front of
   every kernel that is compiled at run time. Change TESSERA_CPU_ABI with every change here. */

#define TESSERA_CPU_ABI 4

#ifdef __cplusplus
extern "C" {
#endif

/* How a kernel with barriers runs the threads of a block: one fiber per thread. */
struct tessera_fiber_services {
  /* Runs body(state, t) for t in [0, threads) as fibers of the calling OS thread; returns when all have ended. */
  void (*run)(unsigned threads, void (*body)(void* state, unsigned thread), void* state);
  /* Ends the calling fiber's turn until every live fiber of the block has arrived here too. */
  void (*barrier)(void);
  /* Ends the calling fiber's turn until every live fiber of its warp (32 consecutive threads) has arrived here too. */
  void (*warp_barrier)(void);
};

enum tessera_touch { tessera_reads, tessera_writes, tessera_updates };

/* Who is told what the threads of an instrumented kernel touch, on the OS thread that runs them. */
struct tessera_access_services {
  /* From here on a thread runs: its index (x, y, z) in the block of that index. A null thread: the text has none, and
     `blocks` blocks along x run as one. */
  void (*run)(const unsigned block[3], const unsigned* thread, unsigned blocks);
  /* It touches `bytes` from `address` on; `instruction` follows the call. Nothing is touched yet. */
  void (*touch)(const void* address, unsigned long bytes, enum tessera_touch action, const void* instruction);
  /* No thread runs any more. */
  void (*stop)(void);
};

struct tessera_cpu_launch {
  unsigned grid_dim[3]; /* virtual gridDim: the whole launch */
  unsigned block_dim[3];
  unsigned block_begin[3]; /* run the blocks in [block_begin, block_end) */
  unsigned block_end[3];
  void* const* params; /* address of each parameter's value, in signature order */
  void* shared;        /* `extern __shared__` memory of the calling OS thread, shared_bytes long */
  unsigned long long shared_bytes;
  const struct tessera_fiber_services* fibers;
  const struct tessera_access_services* accesses; /* for instrumented kernels; null elsewhere */
  unsigned long long own; /* bit k: no other thread uses what parameter k points at while this runs; none from 64 on */
  unsigned in_order;      /* sums must be made in the order of threads */
};

/* A variable that the program may set by name: an entry of the exported table `tessera_symbols`, which nulls end. */
struct tessera_symbol {
  const char* name;
  void* address;
  unsigned long long bytes;
};

/* A registered operation for the elements of parameter P: exported as `tessera_reduction_P`. Strides are in bytes. */
struct tessera_cpu_reduction {
  unsigned long long bytes; /* of an element */
  void (*identity)(void* element);
  void (*combine)(void* target, long long target_stride, const void* source, long long source_stride, long long count);
};

typedef void (*tessera_cpu_entry)(const struct tessera_cpu_launch*);

#ifdef __cplusplus
}
#endif
