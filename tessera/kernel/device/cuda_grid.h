// How a kernel on a CUDA device finds its place in the virtual grid: its words blockIdx and gridDim mean this alone.
// Names start with `__tessera_` because what uses them stands behind the macros of the user.

__device__ __forceinline__ uint3 __tessera_block_index(const tessera_cuda_grid& grid) {
  return {blockIdx.x + grid.first[0], blockIdx.y + grid.first[1], blockIdx.z + grid.first[2]};
}
__device__ __forceinline__ dim3 __tessera_grid_size(const tessera_cuda_grid& grid) {
  return dim3(grid.count[0], grid.count[1], grid.count[2]);
}

// Where parameter number `parameter` points for this block.
template <class T>
__device__ __forceinline__ T* __tessera_result(T* passed, const tessera_cuda_grid& grid, int parameter) {
  const unsigned long long* table = grid.results == nullptr ? nullptr : grid.results[parameter];
  const unsigned long long row = blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z;
  return table == nullptr ? passed : (T*)table[blockIdx.x + gridDim.x * row];
}

template <int N, class Signature>
struct __tessera_parameter;
template <class First, class... Rest>
struct __tessera_parameter<0, void (*)(First, Rest...)> {
  using __tessera_type = First;
};
template <int N, class First, class... Rest>
struct __tessera_parameter<N, void (*)(First, Rest...)> : __tessera_parameter<N - 1, void (*)(Rest...)> {};

#ifdef __tessera_variables
// For code that cannot be given the place as parameters. All threads of a block write the same values, so that each
// finds its own without a barrier.
__shared__ uint3 __tessera_shared_block;
__shared__ uint3 __tessera_shared_count;
__device__ __forceinline__ void __tessera_place(uint3 block, uint3 count) {
  __tessera_shared_block = block;
  __tessera_shared_count = count;
}
__device__ __forceinline__ uint3 __tessera_block_index() { return __tessera_shared_block; }
__device__ __forceinline__ dim3 __tessera_grid_size() { return __tessera_shared_count; }
#define blockIdx __tessera_block_index()
#define gridDim __tessera_grid_size()
#else
// A use that was not found is an error, never another block's index.
#define blockIdx __tessera_block
#define gridDim __tessera_count
#endif
