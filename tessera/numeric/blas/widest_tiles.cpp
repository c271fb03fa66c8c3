#define TESSERA_TILES fill_widest_tiles
#define TESSERA_TILE_BYTES 64
#define TESSERA_TILE_ROWS 12
#include "tessera/numeric/blas/tiles.inc"
