// hotspot.cu : one step of a chip's thermal simulation. Every cell of the chip stores heat (its capacity), gets heat
// from the power it consumes, and passes heat to its four neighbours and to the cooled surface above. The chip's edges
// are insulated. Plain CUDA; the only addition is the annotation comment.
//@tessera global [x, y] => read power[y, x], old[y-1:y+1, x], old[y, x-1:x+1], write fresh[y, x]
__global__ void hotspot(int rows, int columns, float* fresh, const float* old, const float* power,
                        float step_over_capacity, float across, float along, float upward, float ambient) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    int at = y * columns + x;
    float here = old[at];
    float north = y > 0 ? old[at - columns] : here;
    float south = y + 1 < rows ? old[at + columns] : here;
    float west = x > 0 ? old[at - 1] : here;
    float east = x + 1 < columns ? old[at + 1] : here;
    float heat = power[at] + (north + south - 2.0f * here) * across + (west + east - 2.0f * here) * along +
                 (ambient - here) * upward;
    fresh[at] = here + step_over_capacity * heat;
}
