#pragma once
/* How the private results of thread blocks lie on a GPU and which of them are combined: what the process says to the
   built-in kernels of private_kernels.cu, passed by value. Plain C++: this text is also put in front of those kernels.
 */

/* tessera::block_boxes::bound. */
struct tessera_bound {
  long long constant;
  long long factor[3];
  long long at_limit[3];
};

struct tessera_range {
  long long lo, hi;
};

/* tessera::block_boxes::axis, and the bytes from one element to the next along it. */
struct tessera_axis {
  tessera_bound lo, hi;
  long long extent;
  long long step;
  const tessera_range* listed; /* in device memory; null if the bounds are affine */
  long long listed_first[3];
  long long listed_stride[3];
  long long stride;
  /* The one block axis that affine bounds depend on; -1 if they depend on none, -2 where this is not known. */
  int follows;
};

/* The private results of one parameter in one wave of thread blocks: a slot each, in the order of blocks, x fastest. */
struct tessera_slots {
  tessera_axis axes[8];
  int rank;
  unsigned first[3];           /* block of the wave */
  unsigned count[3];           /* blocks of the wave */
  long long limit[3];          /* blocks from here on declare nothing */
  unsigned long long origin;   /* address of element 0 of the array in the target */
  unsigned long long memory;   /* of slot 0 */
  unsigned long long* address; /* of element 0 of the array, as if it lay in the slot: one entry per slot */
  long long bytes;             /* of a slot */
  long long alignment;         /* elements keep their address modulo this */
};

/* What is combined by one item of work: an element of the target with all blocks that declare it; or, where blocks that
   differ on a used axis declare disjoint boxes, an element of the box of one position on the used axes. */
struct tessera_combination {
  int by_group;
  int exact;       /* all candidates that an item finds declare its element */
  int used[3];     /* by group: block axes that the boxes depend on */
  long long lo[8]; /* by element: the elements that the wave declares lie in lo, ..., lo + count - 1 */
  long long count[8];
  long long box_elements; /* by group: the most that a block declares */
  long long items;
  long long runs; /* parts into which the candidates of an item are cut */
  int op;         /* tessera::reduce_op */
  int in_order;   /* candidates are folded one after the other onto the target; one run */
};
