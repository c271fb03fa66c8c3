// One step of an all-pairs simulation of gravity. Bodies are x, y, z and mass; a block brings 256 of them at a time into
// shared memory, and each of its threads adds up what they do to its own body.
//@tessera global i => read old, readwrite velocity[i], write fresh[i]
__global__ void nbody_step(int n, float step, float damping, const float4* old, float4* fresh, float4* velocity) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 here = i < n ? old[i] : float4{0, 0, 0, 0};
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += 256) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? old[j] : float4{0, 0, 0, 0};  // without mass it has no force
    __syncthreads();
#pragma unroll 32
    for (int k = 0; k < 256; ++k) {
      const float4 there = tile[k];
      const float dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float pull = there.w * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    __syncthreads();
  }
  if (i >= n) return;
  float4 v = velocity[i];
  v.x = (v.x + ax * step) * damping;
  v.y = (v.y + ay * step) * damping;
  v.z = (v.z + az * step) * damping;
  velocity[i] = v;
  fresh[i] = float4{here.x + v.x * step, here.y + v.y * step, here.z + v.z * step, here.w};
}
