// Functions that are one instruction or close to it, for float, double and integers.

#define __tessera_unary_float(name)                                        \
  __tessera_function double name(double x) { return __tessera::name(x); }  \
  __tessera_function float name(float x) { return __tessera::name##f(x); } \
  __tessera_function float name##f(float x) { return __tessera::name##f(x); }
#define __tessera_builtin(name)                                             \
  __tessera_function double name(double x) { return __builtin_##name(x); }  \
  __tessera_function float name(float x) { return __builtin_##name##f(x); } \
  __tessera_function float name##f(float x) { return __builtin_##name##f(x); }
#define __tessera_builtin2(name)                                                        \
  __tessera_function double name(double x, double y) { return __builtin_##name(x, y); } \
  __tessera_function float name(float x, float y) { return __builtin_##name##f(x, y); } \
  __tessera_function float name##f(float x, float y) { return __builtin_##name##f(x, y); }
// Integers count as double.
#define __tessera_integer(name) \
  template <class T>            \
  requires(__tessera::is_integer<T>) __tessera_function double name(T x) { return name((double)x); }
#define __tessera_mixed(name)                                                                    \
  template <class A, class B>                                                                    \
  requires(__tessera::is_arithmetic<A> && __tessera::is_arithmetic<B> && !__tessera::same<A, B>) \
      __tessera_function double                                                                  \
      name(A x, B y) {                                                                           \
    return name((double)x, (double)y);                                                           \
  }

namespace __tessera {
// A product that is rounded before it is used. GCC from 12 on fuses products into sums that alternate with differences,
// as those of complex numbers do, although contraction is off.
template <class T>
__tessera_function T product(T x, T y) {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
  return __builtin_assoc_barrier(x * y);
#else
  return x * y;
#endif
}

template <class T>
__tessera_function constexpr T smaller(T x, T y) {
  return x < y || y != y ? x : y;
}
template <class T>
__tessera_function constexpr T larger(T x, T y) {
  return x > y || y != y ? x : y;
}
__tessera_function double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
__tessera_function float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
}  // namespace __tessera

__tessera_unary_float(rsqrt) __tessera_builtin(sqrt) __tessera_builtin(fabs) __tessera_builtin(floor)
    __tessera_builtin(ceil) __tessera_builtin(trunc) __tessera_builtin(rint) __tessera_builtin(nearbyint)
        __tessera_builtin(tgamma) __tessera_builtin(lgamma) __tessera_builtin(logb) __tessera_builtin2(fmod)
            __tessera_builtin2(remainder) __tessera_builtin2(copysign) __tessera_builtin2(nextafter)
                __tessera_builtin2(fdim)

                    __tessera_function double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
__tessera_function float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__tessera_function float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__tessera_function double round(double x) {
  const double t = __builtin_trunc(x);
  return __builtin_copysign(__builtin_fabs(x - t) >= 0.5 ? t + __builtin_copysign(1.0, x) : t, x);
}
__tessera_function float roundf(float x) {
  const float t = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_fabsf(x - t) >= 0.5f ? t + __builtin_copysignf(1.0f, x) : t, x);
}
__tessera_function float round(float x) { return roundf(x); }
__tessera_function long lround(double x) { return (long)round(x); }
__tessera_function long lroundf(float x) { return (long)roundf(x); }
__tessera_function long long llround(double x) { return (long long)round(x); }
__tessera_function long long llroundf(float x) { return (long long)roundf(x); }
__tessera_function long lrint(double x) { return (long)__builtin_rint(x); }
__tessera_function long lrintf(float x) { return (long)__builtin_rintf(x); }
__tessera_function double fmin(double x, double y) { return __tessera::smaller(x, y); }
__tessera_function double fmax(double x, double y) { return __tessera::larger(x, y); }
__tessera_function float fmin(float x, float y) { return __tessera::smaller(x, y); }
__tessera_function float fmax(float x, float y) { return __tessera::larger(x, y); }
__tessera_function float fminf(float x, float y) { return __tessera::smaller(x, y); }
__tessera_function float fmaxf(float x, float y) { return __tessera::larger(x, y); }
__tessera_function float fdividef(float x, float y) { return x / y; }
__tessera_function double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
__tessera_function float ldexpf(float x, int n) { return __builtin_ldexpf(x, n); }
__tessera_function double scalbn(double x, int n) { return __builtin_scalbn(x, n); }
__tessera_function float scalbnf(float x, int n) { return __builtin_scalbnf(x, n); }
__tessera_function double frexp(double x, int* n) { return __builtin_frexp(x, n); }
__tessera_function float frexpf(float x, int* n) { return __builtin_frexpf(x, n); }
__tessera_function double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_fabs(x) == __builtin_inf() ? 0.0 : x - *whole, x);
}
__tessera_function float modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_fabsf(x) == __builtin_inff() ? 0.0f : x - *whole, x);
}
__tessera_function double norm3d(double x, double y, double z) { return __builtin_sqrt(x * x + y * y + z * z); }
__tessera_function float norm3df(float x, float y, float z) { return __builtin_sqrtf(x * x + y * y + z * z); }
__tessera_function float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }

#define isnan(x) ((x) != (x))
#define isinf(x) (__builtin_fabs((double)(x)) == __builtin_inf())
#define isfinite(x) (__builtin_fabs((double)(x)) < __builtin_inf())
#define signbit(x) __builtin_signbit(x)

template <class A, class B>
requires(__tessera::is_arithmetic<A>&& __tessera::is_arithmetic<B>) __tessera_function constexpr auto min(A a, B b)
    -> decltype(a + b) {
  using C = decltype(a + b);
  return __tessera::smaller<C>((C)a, (C)b);
}
template <class A, class B>
requires(__tessera::is_arithmetic<A>&& __tessera::is_arithmetic<B>) __tessera_function constexpr auto max(A a, B b)
    -> decltype(a + b) {
  using C = decltype(a + b);
  return __tessera::larger<C>((C)a, (C)b);
}
template <class T>
requires(__tessera::is_arithmetic<T>) __tessera_function constexpr auto abs(T x) -> decltype(+x) {
  if constexpr (__tessera::is_floating<T>)
    return (T)__builtin_copysign(x, (T)1);
  else
    return x < 0 ? -x : x;
}
__tessera_function long labs(long x) { return x < 0 ? -x : x; }
__tessera_function long long llabs(long long x) { return x < 0 ? -x : x; }
__tessera_integer(sqrt) __tessera_integer(rsqrt) __tessera_integer(fabs) __tessera_integer(floor)
    __tessera_integer(ceil) __tessera_mixed(fmod) __tessera_mixed(copysign) __tessera_mixed(fmin) __tessera_mixed(fmax)

        namespace std {
  using ::abs, ::ceil, ::copysign, ::fabs, ::floor, ::fma, ::fmax, ::fmin, ::fmod, ::max, ::min, ::rint, ::round,
      ::sqrt;
  using ::int16_t, ::int32_t, ::int64_t, ::int8_t, ::uint16_t, ::uint32_t, ::uint64_t, ::uint8_t;
  using ::trunc, ::size_t, ::ptrdiff_t;
  template <class T>
  __tessera_function void swap(T & a, T & b) {
    T t = a;
    a = b;
    b = t;
  }
}  // namespace std
