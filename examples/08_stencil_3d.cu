//@tessera global [x, y, z] => read old[z-1:z+1, y, x], old[z, y-1:y+1, x], old[z, y, x-1:x+1], write fresh[z, y, x]
__global__ void diffuse(int nz, int ny, int nx, float rate, float* fresh, const float* old) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    int layer = ny * nx, at = z * layer + y * nx + x;
    float here = old[at];
    float flow = (z > 0 ? old[at - layer] : here) + (z + 1 < nz ? old[at + layer] : here) +
                 (y > 0 ? old[at - nx] : here) + (y + 1 < ny ? old[at + nx] : here) +
                 (x > 0 ? old[at - 1] : here) + (x + 1 < nx ? old[at + 1] : here) - 6.0f * here;
    fresh[at] = here + rate * flow;
}
