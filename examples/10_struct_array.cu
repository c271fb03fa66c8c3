#include "10_particle.h"

//@tessera global i => readwrite particles[i]
__global__ void move(int n, particle* particles, world w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particle p = particles[i];
    p.vz -= w.gravity * w.time_step;
    p.x += p.vx * w.time_step;
    p.y += p.vy * w.time_step;
    p.z += p.vz * w.time_step;
    if (p.z < w.floor && p.vz < 0) {
        p.vz = -p.vz;
        p.bounces += 1;
    }
    particles[i] = p;
}
