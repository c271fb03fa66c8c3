#define TESSERA_LANES fill_plain_lanes
#define TESSERA_LANE_BYTES 16
#include "tessera/numeric/fft/lanes.inc"
