#define TESSERA_TILES fill_plain_tiles
#define TESSERA_TILE_BYTES 16
#define TESSERA_TILE_ROWS 6
#include "tessera/numeric/blas/tiles.inc"
