// Correlates the signals of 256 antennas, for each frequency channel: the sum over 128 times of one antenna's sample and
// the conjugate of another's. A thread does two antennas with two others. Pairs of antennas lie in a triangle of 128 rows
// of tiles, which is folded into 64 rows of 129: row y and row 127 - y of the triangle one behind the other.
// A sample is a complex number; a float4 holds those of two neighbouring antennas.
#define TIMES 128
#define PAIRS 128

//@tessera global [x, y, z] => read samples[z, :], write sums[z, y, 2 * x : 2 * x + 1]
__global__ void correlate(int channels, const float4* samples, float4* sums) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const long long z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= 129 || y >= 64 || z >= channels) return;
  const int row = x <= y ? y : PAIRS - 1 - y, column = x <= y ? x : x - y - 1;
  const float4* here = samples + z * TIMES * PAIRS;
  float4 upper = {0, 0, 0, 0}, lower = {0, 0, 0, 0};
  for (int t = 0; t < TIMES; ++t) {
    const float4 a = here[t * PAIRS + row], b = here[t * PAIRS + column];
    upper.x += a.x * b.x + a.y * b.y;
    upper.y += a.y * b.x - a.x * b.y;
    upper.z += a.x * b.z + a.y * b.w;
    upper.w += a.y * b.z - a.x * b.w;
    lower.x += a.z * b.x + a.w * b.y;
    lower.y += a.w * b.x - a.z * b.y;
    lower.z += a.z * b.z + a.w * b.w;
    lower.w += a.w * b.z - a.z * b.w;
  }
  const long long at = ((z * 64 + y) * 129 + x) * 2;
  sums[at] = upper;
  sums[at + 1] = lower;
}
