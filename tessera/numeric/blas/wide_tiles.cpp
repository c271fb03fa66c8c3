#define TESSERA_TILES fill_wide_tiles
#define TESSERA_TILE_BYTES 32
#define TESSERA_TILE_ROWS 6
#include "tessera/numeric/blas/tiles.inc"
