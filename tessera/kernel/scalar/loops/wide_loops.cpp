#define TESSERA_LOOPS fill_wide_loops
#include "tessera/kernel/scalar/loops/loops.inc"
