#define TESSERA_LANES fill_wide_lanes
#define TESSERA_LANE_BYTES 32
#include "tessera/numeric/fft/lanes.inc"
