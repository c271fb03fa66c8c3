// CUDA's names for the elementary functions: sin, sinf, __sinf, ... for float, double and integers.

#define __tessera_unary(name)                                                          \
  __tessera_function double name(double x) { return __tessera::name(x); }              \
  __tessera_function float name(float x) { return (float)__tessera::name((double)x); } \
  __tessera_function float name##f(float x) { return (float)__tessera::name((double)x); }
#define __tessera_libm(name)                                               \
  extern "C" double __tessera_##name(double) __asm__(#name);               \
  __tessera_function double name(double x) { return __tessera_##name(x); } \
  __tessera_function float name##f(float x) { return (float)__tessera_##name(x); }
#define __tessera_binary(name)                                                                             \
  __tessera_function double name(double x, double y) { return __tessera::name(x, y); }                     \
  __tessera_function float name(float x, float y) { return (float)__tessera::name((double)x, (double)y); } \
  __tessera_function float name##f(float x, float y) { return (float)__tessera::name((double)x, (double)y); }

namespace __tessera {
__tessera_function double rcbrt(double x) { return 1.0 / cbrt(x); }
}  // namespace __tessera

__tessera_unary_float(exp) __tessera_unary_float(log) __tessera_unary_float(sin) __tessera_unary_float(cos)
    __tessera_unary(exp2) __tessera_unary(exp10) __tessera_unary(expm1) __tessera_unary(log2) __tessera_unary(log10)
        __tessera_unary(log1p) __tessera_unary(tan) __tessera_unary(asin) __tessera_unary(acos) __tessera_unary(atan)
            __tessera_unary(sinh) __tessera_unary(cosh) __tessera_unary(tanh) __tessera_unary(asinh)
                __tessera_unary(acosh) __tessera_unary(atanh) __tessera_unary(erf) __tessera_unary(erfc)
                    __tessera_unary(cbrt) __tessera_unary(rcbrt) __tessera_unary(sinpi) __tessera_unary(cospi)
                        __tessera_unary(normcdf) __tessera_libm(j0) __tessera_libm(j1) __tessera_libm(y0)
                            __tessera_libm(y1) __tessera_binary(atan2) __tessera_binary(hypot) __tessera_function
    double pow(double x, double y) {
  return __tessera::pow(x, y);
}
__tessera_function float pow(float x, float y) { return __tessera::powf(x, y); }
__tessera_function float powf(float x, float y) { return __tessera::powf(x, y); }

__tessera_function void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
__tessera_function void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
__tessera_function void sincos(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
__tessera_function void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
__tessera_function void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
__tessera_function float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
__tessera_integer(exp) __tessera_integer(log) __tessera_integer(sin) __tessera_integer(cos) __tessera_integer(tan)
    __tessera_integer(cbrt) __tessera_integer(tanh) __tessera_integer(atan) __tessera_integer(log2)
        __tessera_integer(log10) __tessera_integer(exp2) __tessera_mixed(atan2) __tessera_mixed(hypot)
            __tessera_mixed(pow)
#define __tessera_fast(name) \
  __tessera_function float __##name##f(float x) { return name##f(x); }
                __tessera_fast(exp) __tessera_fast(log) __tessera_fast(sin) __tessera_fast(cos) __tessera_fast(tan)
                    __tessera_fast(log2) __tessera_fast(log10) __tessera_fast(exp10)
                        __tessera_fast(tanh) __tessera_function float __powf(float x, float y) {
  return powf(x, y);
}
__tessera_function void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }

namespace std {
using ::acos, ::asin, ::atan, ::atan2, ::cbrt, ::cos, ::cosh, ::erf, ::erfc, ::exp, ::exp2, ::expm1, ::hypot, ::log;
using ::log10, ::log1p, ::log2, ::pow, ::sin, ::sinh, ::tan, ::tanh;
}  // namespace std
