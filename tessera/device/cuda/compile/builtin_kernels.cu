// The kernels behind fill, fold and private results; compiled at run time for the device at hand.

typedef unsigned char u8;
typedef unsigned long long u64;
typedef long long i64;

// Mirrored by builtin.h.
struct tessera_box {
  i64 count[8];
  i64 target[8];  // strides in bytes
  i64 source[8];
  i64 total;
  int rank;
};
struct __align__(16) tessera_value {
  u8 bytes[128];
};
struct tessera_group {
  i64 lo[8];
  i64 count[8];
  i64 total;
  i64 first;   // of its blocks in the table of addresses
  i64 blocks;
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

template <class T>
struct bits {
  static __device__ __forceinline__ T apply(int op, T a, T b) { return op == 4 ? a & b : op == 5 ? a | b : a ^ b; }
};
template <>
struct bits<float> {
  static __device__ __forceinline__ float apply(int, float a, float) { return a; }
};
template <>
struct bits<double> {
  static __device__ __forceinline__ double apply(int, double a, double) { return a; }
};

// The operations in the order of tessera::reduce_op; sums and products of floats are rounded one by one, as on CPUs.
template <class T>
static __device__ __forceinline__ T apply(int op, T a, T b) {
  switch (op) {
    case 0:
      return a + b;
    case 1:
      return a * b;
    case 2:
      return b < a ? b : a;
    case 3:
      return a < b ? b : a;
    default:
      return bits<T>::apply(op, a, b);
  }
}

// Complex numbers have sums only.
struct complex_float {
  float x, y;
};
struct complex_double {
  double x, y;
};
template <>
__device__ __forceinline__ complex_float apply<complex_float>(int, complex_float a, complex_float b) {
  return {a.x + b.x, a.y + b.y};
}
template <>
__device__ __forceinline__ complex_double apply<complex_double>(int, complex_double a, complex_double b) {
  return {a.x + b.x, a.y + b.y};
}

// Numbers of 16 bits are combined in float and rounded back each time: the conversions of float16.h, bit by bit.
struct half_number {
  unsigned short bits;
};
struct bfloat_number {
  unsigned short bits;
};
static __device__ __forceinline__ float to_float(half_number h) {
  const unsigned sign = (unsigned)(h.bits & 0x8000) << 16, magnitude = h.bits & 0x7fffU;
  if (magnitude >= 0x7c00U) return __uint_as_float(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13);
  if (magnitude >= 0x400U) return __uint_as_float(sign | ((magnitude << 13) + 0x38000000U));
  return __uint_as_float(sign | __float_as_uint((float)magnitude * 0x1p-24f));
}
static __device__ __forceinline__ float to_float(bfloat_number b) { return __uint_as_float((unsigned)b.bits << 16); }
static __device__ __forceinline__ void round_to(half_number& h, float x) {
  const unsigned bits = __float_as_uint(x), sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7fffffffU;
  unsigned result;
  if (magnitude > 0x7f800000U) {
    result = 0x7e00U;
  } else if (magnitude >= 0x477ff000U) {
    result = 0x7c00U;
  } else if (magnitude >= 0x38800000U) {
    const unsigned rebased = magnitude - 0x38000000U;
    result = (rebased + 0xfffU + (rebased >> 13 & 1U)) >> 13;
  } else {
    const unsigned shift = 126U - (magnitude >> 23);
    if (shift > 25U) {
      result = 0;
    } else {
      const unsigned mantissa = (magnitude & 0x7fffffU) | 0x800000U, whole = mantissa >> shift;
      const unsigned rest = mantissa & ((1U << shift) - 1U), half = 1U << (shift - 1U);
      result = whole + (rest > half || (rest == half && (whole & 1U)) ? 1U : 0U);
    }
  }
  h.bits = (unsigned short)(sign | result);
}
static __device__ __forceinline__ void round_to(bfloat_number& b, float x) {
  const unsigned bits = __float_as_uint(x);
  const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
  b.bits = (unsigned short)(nan ? bits >> 16 | 0x40U : (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}
template <class T>
static __device__ __forceinline__ T apply_in_float(int op, T a, T b) {
  const float x = to_float(a), y = to_float(b);
  if (op == 2) return y < x ? b : a;
  if (op == 3) return x < y ? b : a;
  T result;
  round_to(result, op == 0 ? x + y : x * y);
  return result;
}
template <>
__device__ __forceinline__ half_number apply<half_number>(int op, half_number a, half_number b) {
  return apply_in_float(op, a, b);
}
template <>
__device__ __forceinline__ bfloat_number apply<bfloat_number>(int op, bfloat_number a, bfloat_number b) {
  return apply_in_float(op, a, b);
}

template <class T>
static __device__ void fold(u8* target, const u8* source, const tessera_box& b, int op) {
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < b.total; i += (i64)gridDim.x * blockDim.x) {
    i64 t, s;
    locate(b, i, t, s);
    T* const to = (T*)(target + t);
    *to = apply<T>(op, *to, *(const T*)(source + s));
  }
}

// Each group of thread blocks declares one box. The results of its blocks number `stride`, 2 `stride`, ... of a run of
// `fan` are folded into the first of the run, in order; with `last` those number 0, `stride`, ... that are left go to the
// target, in order.
template <class T>
static __device__ void combine(u8* target, const u64* addresses, const tessera_group* groups, i64 group_count,
                               const i64* strides, int rank, i64 stride, i64 fan, int op, int last) {
  for (i64 g = blockIdx.y; g < group_count; g += gridDim.y) {
    const tessera_group& box = groups[g];
    const i64 step = stride * fan;
    const i64 runs = last ? 1 : (box.blocks + step - 1) / step;
    const i64 items = runs * box.total;
    for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < items; i += (i64)gridDim.x * blockDim.x) {
      const i64 run = i / box.total;
      i64 rest = i - run * box.total;
      i64 offset = 0;
      for (int k = rank - 1; k >= 0; --k) {
        const i64 next = rest / box.count[k];
        offset += (box.lo[k] + rest - next * box.count[k]) * strides[k];
        rest = next;
      }
      const u64* const from = addresses + box.first;
      if (last) {
        T* const to = (T*)(target + offset);
        T sum = *to;
        for (i64 n = 0; n < box.blocks; n += stride) sum = apply<T>(op, sum, *(const T*)(from[n] + offset));
        *to = sum;
        continue;
      }
      T* const to = (T*)(from[run * step] + offset);
      T sum = *to;
      const i64 end = run * step + step < box.blocks ? run * step + step : box.blocks;
      for (i64 n = run * step + stride; n < end; n += stride) sum = apply<T>(op, sum, *(const T*)(from[n] + offset));
      *to = sum;
    }
  }
}

#define TESSERA_KIND(number, T)                                                                                     \
  extern "C" __global__ void tessera_fold_##number(u8* target, const u8* source, const tessera_box b, int op) {     \
    fold<T>(target, source, b, op);                                                                                 \
  }                                                                                                                 \
  extern "C" __global__ void tessera_combine_##number(u8* target, const u64* addresses, const tessera_group* groups, \
                                                      i64 group_count, const i64* strides, int rank, i64 stride,    \
                                                      i64 fan, int op, int last) {                                  \
    combine<T>(target, addresses, groups, group_count, strides, rank, stride, fan, op, last);                       \
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
