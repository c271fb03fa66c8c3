// Boxes of elements, and how two of them are combined.

// Mirrored in builtin.cpp.
struct tessera_box {
  i64 count[8];
  i64 target[8];  // strides in bytes
  i64 source[8];
  i64 total;
  int rank;
};

static __device__ __forceinline__ void locate(const tessera_box& b, i64 i, i64& target, i64& source) {
  target = source = 0;
  for (int k = b.rank - 1; k > 0; --k) {
    const i64 rest = i / b.count[k];
    const i64 x = i - rest * b.count[k];
    target += x * b.target[k];
    source += x * b.source[k];
    i = rest;
  }
  target += i * b.target[0];
  source += i * b.source[0];
}

template <class T>
static __device__ void fold(u8* target, const u8* source, const tessera_box& b, int op) {
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < b.total; i += (i64)gridDim.x * blockDim.x) {
    i64 t, s;
    locate(b, i, t, s);
    T* const to = (T*)(target + t);
    *to = apply(op, *to, *(const T*)(source + s));
  }
}
