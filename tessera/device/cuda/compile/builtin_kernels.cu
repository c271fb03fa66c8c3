// The kernels behind fill, copy and fold; compiled at run time for the device at hand.

template <class T>
static __device__ void fill(u8* target, const tessera_box& b, const tessera_value& value, int size) {
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < b.total; i += (i64)gridDim.x * blockDim.x) {
    i64 t, s;
    locate(b, i, t, s);
    for (int k = 0; k < size; k += (int)sizeof(T)) *(T*)(target + t + k) = *(const T*)(value.bytes + k);
  }
}

extern "C" __global__ void tessera_fill_1(u8* target, const tessera_box b, const tessera_value v, int size) {
  fill<u8>(target, b, v, size);
}
extern "C" __global__ void tessera_fill_4(u8* target, const tessera_box b, const tessera_value v, int size) {
  fill<unsigned>(target, b, v, size);
}
extern "C" __global__ void tessera_fill_8(u8* target, const tessera_box b, const tessera_value v, int size) {
  fill<u64>(target, b, v, size);
}

template <class T>
static __device__ void copy(u8* target, const u8* source, const tessera_box& b, int size) {
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < b.total; i += (i64)gridDim.x * blockDim.x) {
    i64 t, s;
    locate(b, i, t, s);
    for (int k = 0; k < size; k += (int)sizeof(T)) *(T*)(target + t + k) = *(const T*)(source + s + k);
  }
}

extern "C" __global__ void tessera_copy_1(u8* target, const u8* source, const tessera_box b, int size) {
  copy<u8>(target, source, b, size);
}
extern "C" __global__ void tessera_copy_4(u8* target, const u8* source, const tessera_box b, int size) {
  copy<unsigned>(target, source, b, size);
}
extern "C" __global__ void tessera_copy_8(u8* target, const u8* source, const tessera_box b, int size) {
  copy<u64>(target, source, b, size);
}

#define TESSERA_KIND(number, T)                                                                                 \
  extern "C" __global__ void tessera_fold_##number(u8* target, const u8* source, const tessera_box b, int op) { \
    fold<T>(target, source, b, op);                                                                             \
  }

// Numbers are those of tessera::scalar_kind; a bool is combined as its byte.
TESSERA_KIND(0, u8)
TESSERA_KIND(1, signed char)
TESSERA_KIND(2, short)
TESSERA_KIND(3, int)
TESSERA_KIND(4, i64)
TESSERA_KIND(5, u8)
TESSERA_KIND(6, unsigned short)
TESSERA_KIND(7, unsigned)
TESSERA_KIND(8, u64)
TESSERA_KIND(9, half_number)
TESSERA_KIND(10, bfloat_number)
TESSERA_KIND(11, float)
TESSERA_KIND(12, double)
TESSERA_KIND(13, complex_float)
TESSERA_KIND(14, complex_double)
