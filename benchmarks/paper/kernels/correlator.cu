// Correlates the signals of 256 antennas, for each frequency channel: the sum over 128 times of one antenna's sample and
// the conjugate of another's. Pairs of antennas lie in a triangle of 128 rows of tiles, each two antennas with two others,
// which is folded into 64 rows of 129: row y and row 127 - y of the triangle one behind the other. A thread does two such
// rows, two antennas with a strip of sixteen others at once. A sample is a complex number; a float4 holds those of two
// neighbouring antennas.
#define TIMES 128
#define PAIRS 128
#define STRIP 8

//@tessera global [y, z] => read samples[z, :], write sums[z, y, :]
__global__ void correlate(int channels, const float4* samples, float4* sums) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  const long long z = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= 64 || z >= channels) return;
  const float* here = (const float*)(samples + z * TIMES * PAIRS);
  float4* to = sums + (z * 64 + y) * 258;
  for (int x = 0; x < PAIRS / STRIP + 1; ++x) {
    const bool first_row = x <= y / STRIP;
    const int row = first_row ? y : PAIRS - 1 - y, first = STRIP * (first_row ? x : x - y / STRIP - 1);
    // The parts of a row's two antennas times those of the strip, as they lie.
    float p[2][16] = {}, q[2][16] = {}, r[2][16] = {}, s[2][16] = {};
    for (int t = 0; t < TIMES; ++t) {
      const float *a = here + (t * PAIRS + row) * 4, *b = here + (t * PAIRS + first) * 4;
      const float a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
#pragma unroll
      for (int h = 0; h < 2; ++h)
        for (int k = 0; k < 16; ++k) {
          p[h][k] += a0 * b[16 * h + k];
          q[h][k] += a1 * b[16 * h + k];
          r[h][k] += a2 * b[16 * h + k];
          s[h][k] += a3 * b[16 * h + k];
        }
    }
#pragma unroll
    for (int k = 0; k < STRIP; ++k) {
      if (first + k > row) continue;
      const int at = 2 * (first + k + (first_row ? 0 : y + 1)), h = k / 4, i = 4 * (k % 4);
      to[at] = float4{p[h][i] + q[h][i + 1], q[h][i] - p[h][i + 1], p[h][i + 2] + q[h][i + 3], q[h][i + 2] - p[h][i + 3]};
      to[at + 1] = float4{r[h][i] + s[h][i + 1], s[h][i] - r[h][i + 1], r[h][i + 2] + s[h][i + 3], s[h][i + 2] - r[h][i + 3]};
    }
  }
}
