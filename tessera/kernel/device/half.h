// 16-bit floating-point numbers for storage: converted to float, computed in float, rounded to nearest even.

namespace __tessera {
__tessera_function unsigned short float_to_half(float x) {
  const unsigned bits = bits_as<unsigned>(x);
  const unsigned sign = bits >> 16 & 0x8000U;
  const unsigned magnitude = bits & 0x7fffffffU;
  // Adding this power of two leaves the ten bits that a half has at the bottom of the sum, rounded by the adder.
  const unsigned exponent = magnitude < 0x38800000U ? 0x38800000U : magnitude & 0x7f800000U;
  const float rounded = bits_as<float>(magnitude) + bits_as<float>(exponent + (13U << 23));
  const unsigned mantissa = bits_as<unsigned>(rounded) & 0x7fffU;
  const unsigned base = (exponent - 0x38800000U) >> 13;
  const unsigned finite = base + mantissa;
  const unsigned special = magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U;
  return (unsigned short)(sign | (magnitude >= 0x477ff000U ? special : finite));
}
__tessera_function float half_to_float(unsigned short h) {
  const unsigned magnitude = h & 0x7fffU;
  const float scaled = bits_as<float>(magnitude << 13) * 0x1p112f;
  const unsigned bits = magnitude >= 0x7c00U ? 0x7f800000U | magnitude << 13 : bits_as<unsigned>(scaled);
  return bits_as<float>(bits | (unsigned)(h & 0x8000U) << 16);
}
__tessera_function unsigned short float_to_bfloat(float x) {
  const unsigned bits = bits_as<unsigned>(x);
  const unsigned rounded = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
  return (unsigned short)(x != x ? bits >> 16 | 0x40U : rounded);
}
}  // namespace __tessera

struct __half {
  unsigned short bits;
  __half() = default;
  __attribute__((always_inline)) __half(float x) : bits(__tessera::float_to_half(x)) {}
  __attribute__((always_inline)) operator float() const { return __tessera::half_to_float(bits); }
  __attribute__((always_inline)) __half& operator+=(float x) { return *this = __half((float)*this + x); }
  __attribute__((always_inline)) __half& operator-=(float x) { return *this = __half((float)*this - x); }
  __attribute__((always_inline)) __half& operator*=(float x) { return *this = __half((float)*this * x); }
};
struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __attribute__((always_inline)) __nv_bfloat16(float x) : bits(__tessera::float_to_bfloat(x)) {}
  __attribute__((always_inline)) operator float() const { return __tessera::bits_as<float>((unsigned)bits << 16); }
  __attribute__((always_inline)) __nv_bfloat16& operator+=(float x) { return *this = __nv_bfloat16((float)*this + x); }
  __attribute__((always_inline)) __nv_bfloat16& operator-=(float x) { return *this = __nv_bfloat16((float)*this - x); }
  __attribute__((always_inline)) __nv_bfloat16& operator*=(float x) { return *this = __nv_bfloat16((float)*this * x); }
};
struct alignas(4) __half2 {
  __half x, y;
};
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
__tessera_function float __half2float(__half x) { return (float)x; }
__tessera_function __half __float2half(float x) { return __half(x); }
__tessera_function __half __float2half_rn(float x) { return __half(x); }
__tessera_function float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
__tessera_function __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
__tessera_function __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
__tessera_function __half __hadd(__half x, __half y) { return __half((float)x + (float)y); }
__tessera_function __half __hsub(__half x, __half y) { return __half((float)x - (float)y); }
__tessera_function __half __hmul(__half x, __half y) { return __half((float)x * (float)y); }
__tessera_function __half __hfma(__half x, __half y, __half z) {
  return __half((float)((double)x * (double)y + (double)z));
}
__tessera_function __nv_bfloat16 __hadd(__nv_bfloat16 x, __nv_bfloat16 y) { return (float)x + (float)y; }
__tessera_function __nv_bfloat16 __hsub(__nv_bfloat16 x, __nv_bfloat16 y) { return (float)x - (float)y; }
__tessera_function __nv_bfloat16 __hmul(__nv_bfloat16 x, __nv_bfloat16 y) { return (float)x * (float)y; }

namespace __tessera {
template <class T>
__tessera_function T atomic_sum(T* p, T v) {
  unsigned short* const at = (unsigned short*)p;
  unsigned short seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (true) {
    const T old = bits_as<T>(seen);
    const T sum = (float)old + (float)v;
    if (__atomic_compare_exchange_n(at, &seen, sum.bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
  }
}
}  // namespace __tessera
__tessera_function __half atomicAdd(__half* p, __half v) { return __tessera::atomic_sum(p, v); }
__tessera_function __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 v) { return __tessera::atomic_sum(p, v); }
__tessera_function __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
__tessera_function float2 __half22float2(__half2 v) { return {(float)v.x, (float)v.y}; }
