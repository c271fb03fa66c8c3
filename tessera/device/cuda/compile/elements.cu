// Types of elements and what reductions do with them, for all built-in kernels.

typedef unsigned char u8;
typedef unsigned long long u64;
typedef long long i64;

struct __align__(16) tessera_value {  // mirrored by builtin.h
  u8 bytes[128];
};

// What kernels that combine begin with. Types for which the value is not given have a function of their own.
template <class T>
static __device__ __forceinline__ T identity_of(const tessera_value& value, const T*) {
  return *(const T*)value.bytes;
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
static __device__ __forceinline__ complex_float apply(int, complex_float a, complex_float b) {
  return {a.x + b.x, a.y + b.y};
}
static __device__ __forceinline__ complex_double apply(int, complex_double a, complex_double b) {
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
static __device__ __forceinline__ half_number apply(int op, half_number a, half_number b) {
  return apply_in_float(op, a, b);
}
static __device__ __forceinline__ bfloat_number apply(int op, bfloat_number a, bfloat_number b) {
  return apply_in_float(op, a, b);
}
