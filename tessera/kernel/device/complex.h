// What cuComplex.h has: complex numbers as pairs. Products and quotients are those of CUDA's own header.

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __tessera_complex(pair, real, suffix, make, root, magnitude)                                                \
  __tessera_function pair make(real x, real y) { return {x, y}; }                                                   \
  __tessera_function real cuCreal##suffix(pair z) { return z.x; }                                                   \
  __tessera_function real cuCimag##suffix(pair z) { return z.y; }                                                   \
  __tessera_function pair cuConj##suffix(pair z) { return {z.x, -z.y}; }                                            \
  __tessera_function pair cuCadd##suffix(pair a, pair b) { return {a.x + b.x, a.y + b.y}; }                         \
  __tessera_function pair cuCsub##suffix(pair a, pair b) { return {a.x - b.x, a.y - b.y}; }                         \
  __tessera_function pair cuCmul##suffix(pair a, pair b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  __tessera_function pair cuCfma##suffix(pair a, pair b, pair c) {                                                  \
    const real x = a.x * b.x + c.x, y = a.x * b.y + c.y;                                                            \
    return {-(a.y * b.y) + x, a.y * b.x + y};                                                                       \
  }                                                                                                                 \
  __tessera_function pair cuCdiv##suffix(pair a, pair b) { /* scaled, so that squares do not overflow */            \
    const real scale = (real)1 / (magnitude(b.x) + magnitude(b.y));                                                 \
    const pair p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};                                      \
    const real square = (real)1 / (q.x * q.x + q.y * q.y);                                                          \
    return {(p.x * q.x + p.y * q.y) * square, (p.y * q.x - p.x * q.y) * square};                                    \
  }                                                                                                                 \
  __tessera_function real cuCabs##suffix(pair z) {                                                                  \
    const real x = magnitude(z.x), y = magnitude(z.y), v = x > y ? x : y, w = x > y ? y : x, t = w / v;             \
    return v == 0 || v - v != 0 || w - w != 0 ? v + w : v * root((real)1 + t * t);                                  \
  }
__tessera_complex(cuFloatComplex, float, f, make_cuFloatComplex, __builtin_sqrtf, __builtin_fabsf)
    __tessera_complex(cuDoubleComplex, double, , make_cuDoubleComplex, __builtin_sqrt, __builtin_fabs)
#undef __tessera_complex
        __tessera_function cuComplex make_cuComplex(float x, float y) {
  return {x, y};
}
__tessera_function cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
__tessera_function cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return {(float)z.x, (float)z.y}; }
