#pragma once
/* What a compiled CPU kernel and the process that loads it agree on. Plain C: this text is also put in front of
   every kernel that is compiled at run time. Change TESSERA_CPU_ABI with every change here. */

#define TESSERA_CPU_ABI 2

#ifdef __cplusplus
extern "C" {
#endif

/* How a kernel with barriers runs the threads of a block: one fiber per thread. */
struct tessera_fiber_services {
  /* Runs body(state, t) for t in [0, threads) as fibers of the calling OS thread; returns when all have ended. */
  void (*run)(unsigned threads, void (*body)(void* state, unsigned thread), void* state);
  /* Ends the calling fiber's turn until every live fiber of the block has arrived here too. */
  void (*barrier)(void);
  /* The same among the live fibers of one warp (32 consecutive threads). */
  void (*warp_barrier)(void);
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
  unsigned long long own; /* bit k: nobody else uses what parameter k points at while this runs; none from 64 on */
};

typedef void (*tessera_cpu_entry)(const struct tessera_cpu_launch*);

#ifdef __cplusplus
}
#endif
