// q = A p for the matrix of a grid in which each point has 4 on the diagonal and -1 for each of its neighbours.
//@tessera global [x, y] => read p[y-1:y+1, x], p[y, x-1:x+1], write q[y, x]
__global__ void apply(int width, int height, float* q, const float* p) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    float left = x > 0 ? p[i - 1] : 0, right = x < width - 1 ? p[i + 1] : 0;
    float above = y > 0 ? p[i - width] : 0, below = y < height - 1 ? p[i + width] : 0;
    q[i] = 4 * p[i] - (left + right + above + below);
}

//@tessera global [x, y] => read a[y, x], b[y, x], reduce(+) sum[0]
__global__ void dot(int width, int height, const float* a, const float* b, double* sum) {
    __shared__ double part[256];  // of a thread block: one thread adds it to the sum
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    part[t] = x < width && y < height ? (double)a[y * width + x] * b[y * width + x] : 0;
    for (int s = blockDim.x * blockDim.y / 2; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) part[t] += part[t + s];
    }
    if (t == 0) atomicAdd(sum, part[0]);
}

// A step along p: alpha = rr / pq.
//@tessera global [x, y] => read p[y, x], q[y, x], readwrite u[y, x], r[y, x]
__global__ void advance(int width, int height, float* u, float* r, const float* p, const float* q, double rr,
                        double pq) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    float alpha = (float)(rr / pq);
    u[i] += alpha * p[i];
    r[i] -= alpha * q[i];
}

// The next direction: beta = rr / before.
//@tessera global [x, y] => read r[y, x], readwrite p[y, x]
__global__ void turn(int width, int height, float* p, const float* r, double rr, double before) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    float beta = (float)(rr / before);
    p[i] = r[i] + beta * p[i];
}
