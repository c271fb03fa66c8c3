#define TESSERA_LOOPS fill_plain_loops
#include "tessera/kernel/scalar/loops/loops.inc"
