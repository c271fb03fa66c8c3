#define TESSERA_LANES fill_widest_lanes
#define TESSERA_LANE_BYTES 64
#include "tessera/numeric/fft/lanes.inc"
