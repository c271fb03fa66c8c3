// K-means in two dimensions: a thread takes 1024 points, finds the nearest of `count` centres for each and adds it to
// that centre's sums {x, y, number}. Then the sums become the new centres.
//@tessera global i => read points[1024*i : 1024*i+1023, :], read centres, reduce(+) sums
__global__ void assign(int points_count, int count, const float* __restrict__ points,
                       const float* __restrict__ centres, double* __restrict__ sums) {
  const int first = 1024 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int last = first + 1024 < points_count ? first + 1024 : points_count;
  for (int p = first; p < last; ++p) {
    const float x = points[2 * p], y = points[2 * p + 1];
    float least = 1e30f;
    int nearest = 0;
    for (int c = 0; c < count; ++c) {
      const float dx = x - centres[2 * c], dy = y - centres[2 * c + 1], d = dx * dx + dy * dy;
      nearest = d < least ? c : nearest;
      least = d < least ? d : least;
    }
    sums[3 * nearest] += x;
    sums[3 * nearest + 1] += y;
    sums[3 * nearest + 2] += 1.0;
  }
}

//@tessera global c => read sums[c, :], readwrite centres[c, :]
__global__ void move(int count, float* centres, const double* sums) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= count || sums[3 * c + 2] == 0.0) return;
  centres[2 * c] = (float)(sums[3 * c] / sums[3 * c + 2]);
  centres[2 * c + 1] = (float)(sums[3 * c + 1] / sums[3 * c + 2]);
}
