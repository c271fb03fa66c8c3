// What kernels use of the C and C++ standard library, for NVRTC, which has no standard headers: fixed-width types,
// limits, constants, and the overloads for integers and mixed types that <cmath> adds to CUDA's own functions. This
// text stands in front of every kernel that is compiled for CUDA devices.

#define __TESSERA__ 1

// The 64-bit types are what they are on the host, except that headers of the toolkit insist on another choice.
#ifdef __tessera_headers
#define __tessera_long long long
#else
#define __tessera_long long
#endif
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef signed __tessera_long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned __tessera_long uint64_t;
typedef signed __tessera_long intptr_t;
typedef unsigned __tessera_long uintptr_t;
typedef signed __tessera_long intmax_t;
typedef unsigned __tessera_long uintmax_t;
#undef __tessera_long
typedef long ssize_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1L)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX

#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16

#ifndef NULL
#define NULL 0
#endif
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#define HUGE_VALF INFINITY
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000L)

#define __tessera_function __device__ __forceinline__

namespace __tessera {

// See basics.h; whether a GPU's compiler fuses is an option of the kernel.
template <class T>
__tessera_function T product(T x, T y) {
  return x * y;
}

template <bool Condition, class T>
struct only_if {};
template <class T>
struct only_if<true, T> {
  using type = T;
};
template <class A, class B>
constexpr bool are_mixed = is_arithmetic<A>&& is_arithmetic<B> && !same<A, B>;
template <class A, class B>
constexpr bool not_floats = is_arithmetic<A>&& is_arithmetic<B> && !(is_floating<A> && same<A, B>);

}  // namespace __tessera

// Integers count as double, and of two different types the answer is a double.
#define __tessera_integer(name)                                                                      \
  template <class T>                                                                                 \
  __tessera_function typename __tessera::only_if<__tessera::is_integer<T>, double>::type name(T x) { \
    return name((double)x);                                                                          \
  }
#define __tessera_mixed(name)                                                                                \
  template <class A, class B>                                                                                \
  __tessera_function typename __tessera::only_if<__tessera::not_floats<A, B>, double>::type name(A x, B y) { \
    return name((double)x, (double)y);                                                                       \
  }
#define __tessera_unary(f)                                                                                          \
  f(acos) f(acosh) f(asin) f(asinh) f(atan) f(atanh) f(cbrt) f(ceil) f(cos) f(cosh) f(erf) f(erfc) f(exp) f(exp2)   \
      f(expm1) f(fabs) f(floor) f(lgamma) f(log) f(log10) f(log1p) f(log2) f(rint) f(round) f(rsqrt) f(sin) f(sinh) \
          f(sqrt) f(tan) f(tanh) f(tgamma) f(trunc)
#define __tessera_binary(f) f(atan2) f(copysign) f(fdim) f(fmax) f(fmin) f(fmod) f(hypot) f(pow) f(remainder)
__tessera_unary(__tessera_integer);
__tessera_binary(__tessera_mixed);
#undef __tessera_unary
#undef __tessera_binary
#undef __tessera_integer
#undef __tessera_mixed

#define __tessera_choice(name)                                                         \
  template <class A, class B>                                                          \
  __tessera_function constexpr auto name(A x, B y)->                                   \
      typename __tessera::only_if<__tessera::are_mixed<A, B>, decltype(x + y)>::type { \
    using C = decltype(x + y);                                                         \
    return name((C)x, (C)y);                                                           \
  }
__tessera_choice(min);
__tessera_choice(max);
#undef __tessera_choice

template <class T>
__tessera_function constexpr typename __tessera::only_if<__tessera::is_integer<T>, bool>::type isnan(T) {
  return false;
}
template <class T>
__tessera_function constexpr typename __tessera::only_if<__tessera::is_integer<T>, bool>::type isinf(T) {
  return false;
}
template <class T>
__tessera_function constexpr typename __tessera::only_if<__tessera::is_integer<T>, bool>::type isfinite(T) {
  return true;
}

namespace std {

using ::abs, ::acos, ::acosh, ::asin, ::asinh, ::atan, ::atan2, ::atanh, ::cbrt, ::ceil, ::copysign, ::cos, ::cosh,
    ::erf, ::erfc, ::exp, ::exp2, ::expm1, ::fabs, ::fdim, ::floor, ::fma, ::fmax, ::fmin, ::fmod, ::frexp, ::hypot,
    ::isfinite, ::isinf, ::isnan, ::ldexp, ::lgamma, ::log, ::log10, ::log1p, ::log2, ::modf, ::nearbyint, ::nextafter,
    ::pow, ::remainder, ::rint, ::round, ::signbit, ::sin, ::sinh, ::sqrt, ::tan, ::tanh, ::tgamma, ::trunc;
using ::int16_t, ::int32_t, ::int64_t, ::int8_t, ::uint16_t, ::uint32_t, ::uint64_t, ::uint8_t;
using ::intptr_t, ::uintptr_t;
using ::max, ::min, ::memcpy, ::memset, ::printf, ::ptrdiff_t, ::size_t;

template <class T>
__tessera_function void swap(T& a, T& b) {
  T t = a;
  a = b;
  b = t;
}

}  // namespace std
