// Elementary functions, continued: inverse trigonometric and hyperbolic functions, powers, the error function.

__tessera_function double atan(double x) {
  const double value = atan_quadrant(absolute(x) < 0x1p60 ? absolute(x) : 0x1p60, 1.0);
  return x == x ? with_sign_of(value, x) : x;
}
__tessera_function double atan2(double y, double x) {
  double ax = absolute(x);
  double ay = absolute(y);
  const bool both_infinite = ax == infinity && ay == infinity;
  ax = both_infinite ? 1.0 : ax;
  ay = both_infinite ? 1.0 : ay;
  const double down = (ax > ay ? ax : ay) > 0x1p1000 ? 0x1p-60 : 1.0;
  double a = atan_quadrant(ay * down, ax * down);
  a = ax == infinity ? 0.0 : ay == infinity ? 0x1.921fb54442d18p+0 : a;
  a = ay == 0.0 ? 0.0 : a;
  a = __builtin_signbit(x) ? 0x1.921fb54442d18p+1 - (a - 0x1.1a62633145c07p-53) : a;
  return x == x && y == y ? with_sign_of(a, y) : x + y;
}
__tessera_function double asin(double x) {
  const double value = with_sign_of(atan_quadrant(absolute(x), __builtin_sqrt((1.0 - x) * (1.0 + x))), x);
  return absolute(x) <= 1.0 ? (x == 0.0 ? x : value) : __builtin_nan("");
}
__tessera_function double acos(double x) {
  const double value = 2.0 * atan_quadrant(__builtin_sqrt(1.0 - x), __builtin_sqrt(1.0 + x));
  return absolute(x) <= 1.0 ? value : __builtin_nan("");
}

__tessera_function double tanh(double x) {
  const double a = absolute(x);
  const double t = expm1(2.0 * (a < 22.0 ? a : 22.0));
  const double value = with_sign_of(t / (t + 2.0), x);
  return x == x ? value : x;
}
__tessera_function double sinh(double x) {
  const double a = absolute(x);
  const double t = expm1(a < 22.0 ? a : 22.0);
  const double root = exp(0.5 * a);
  const double value = a < 22.0 ? 0.5 * (t + t / (t + 1.0)) : 0.5 * root * root;
  return x == x ? with_sign_of(value, x) : x;
}
__tessera_function double cosh(double x) {
  const double a = absolute(x);
  const double e = exp(a < 22.0 ? a : 22.0);
  const double root = exp(0.5 * a);
  return a < 22.0 ? 0.5 * e + 0.5 / e : 0.5 * root * root;
}
__tessera_function double asinh(double x) {
  const double a = absolute(x);
  const double value =
      a > 0x1p28 ? log(a) + 0x1.62e42fefa39efp-1 : log1p(a + a * a / (1.0 + __builtin_sqrt(fma(a, a, 1.0))));
  return x == x && x != 0.0 ? with_sign_of(value, x) : x;
}
__tessera_function double acosh(double x) {
  const double t = x - 1.0;
  const double value = x > 0x1p28 ? log(x) + 0x1.62e42fefa39efp-1 : log1p(t + __builtin_sqrt(fma(t, t, 2.0 * t)));
  return x >= 1.0 ? value : __builtin_nan("");
}
__tessera_function double atanh(double x) {
  const double a = absolute(x);
  const double value = 0.5 * log1p(2.0 * a / (1.0 - a));
  return x == x && x != 0.0 ? with_sign_of(value, x) : x;
}

__tessera_function double erf_small(double x) {  // |x| <= 1
  const double z = x * x;
  return x * horner(z, 0x1.20dd750429b6dp+0, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b30p-4, -0x1.b82ce31284e00p-6,
                    0x1.565bcd0dbaa38p-8, -0x1.c02db3dac435fp-11, 0x1.f9a321d5b8e1ep-14, -0x1.f4d1e3183f7aep-17,
                    0x1.b9df224ca4b97p-20, -0x1.5f1ecb6f0764cp-23, 0x1.f7b4bf3b13964p-27, -0x1.389d4f2641625p-30,
                    0x1.05ffd737fb32ep-34);
}
__tessera_function double erfc_large(double x) {  // 0.9 <= x <= 28
  const double t = (x - 4.0) / (x + 4.0);
  const double p = horner(t, 0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a28ep-3, 0x1.f7f5df66fd7f5p-7, 0x1.16ecefcfa52b4p-4,
                          -0x1.9ddb23c3e9348p-4, 0x1.7fee004e15198p-4, -0x1.0fb06dfe4458fp-4, 0x1.3079edf60181fp-5,
                          -0x1.0962388648befp-6, 0x1.49c672ba601d7p-8, -0x1.8d4a9899c5bbdp-11, -0x1.a1df58ae628adp-13,
                          0x1.3be0240c6ab0ep-13, -0x1.995149e1d02bbp-16, -0x1.7880c07566ce7p-17, 0x1.7ec2c568d253dp-18,
                          0x1.394805a2541fep-22, -0x1.b4aece405ef32p-21, 0x1.43a1691c58b39p-24, 0x1.9d067e2130317p-24,
                          -0x1.13813ea89c741p-26, -0x1.a7fe52b0e649ap-28);
  const double square = x * x;
  return exp_sum(-square, -fma(x, x, -square)) * (p / fma(2.0, x, 1.0));
}
__tessera_function double erf(double x) {
  const double a = absolute(x);
  const double large = 1.0 - erfc_large(clamp(a, 1.0, 6.0));
  return x == x ? (a < 1.0 ? erf_small(x) : with_sign_of(large, x)) : x;
}
__tessera_function double erfc(double x) {
  const double a = absolute(x);
  const double large = erfc_large(clamp(a, 0.9, 28.0));
  return x == x ? (a < 0.9 ? 1.0 - erf_small(x) : x < 0.0 ? 2.0 - large : large) : x;
}

// log(x) as a sum of two doubles, for positive finite x.
struct wide {
  double hi, lo;
};
__tessera_function wide add_exactly(double a, double b) {  // |a| >= |b|
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
__tessera_function wide log_wide(double x) {
  const split e = split_exponent(x);
  const double f = e.m - 1.0;
  const double d = e.m + 1.0;
  const double d_low = e.m - (d - 1.0);
  const double s = f / d;
  const double s_low = fma(-s, d_low, fma(-s, d, f)) / d;
  const double z = s * s;
  const double cube = s * z * 0x1.5555555555555p-1;
  const double cube_low = fma(s * 0x1.5555555555555p-1, fma(s, s, -z), fma(s * 0x1.5555555555555p-1, z, -cube)) +
                          fma(s, 0x1.5555555555555p-1, -(s * 0x1.5555555555555p-1)) * z + cube * 0x1.5555555555555p-54;
  const double tail = s * z * z *
                      horner(z, 0x1.999999999999ap-2, 0x1.2492492492522p-2, 0x1.c71c71c6ea5acp-3, 0x1.745d177ad436ap-3,
                             0x1.3b1395b82701ep-3, 0x1.1118cd67251c5p-3, 0x1.df7ba1f4809c3p-4, 0x1.e03a7acf07f85p-4);
  const double slope = 2.0 * z * s_low;  // What the low part of s does to the cube.
  const wide first = add_exactly(2.0 * s, cube);
  const wide mantissa = add_exactly(first.hi, first.lo + (2.0 * s_low + (cube_low + slope) + tail));
  const wide whole = add_exactly(e.k * ln2_hi, mantissa.hi);
  const double small = e.k == 0.0 ? mantissa.lo : whole.lo + (mantissa.lo + e.k * ln2_lo);
  return add_exactly(e.k == 0.0 ? mantissa.hi : whole.hi, small);
}
__tessera_function bool is_odd(double y) { return absolute(y) < 0x1p53 && y != 2.0 * __builtin_floor(0.5 * y); }

// pow from the power of |x|: signs, zeros, infinities.
template <class T>
__tessera_function T pow_special(T x, T y, T value, T a) {
  const T inf = (T)infinity;
  const bool whole = y == (T)__builtin_floor((double)y);
  const bool odd = whole && is_odd(y);
  const bool grows = (a > T(1)) == (y > T(0));
  value = (a == T(0) || a == inf || __builtin_fabs((double)y) == infinity) ? (a == T(1) ? T(1)
                                                                              : grows   ? inf
                                                                                        : T(0))
                                                                           : value;
  value = __builtin_signbit(x) && odd ? -value : value;
  value = x < T(0) && !whole && x != -inf ? (T)__builtin_nan("") : value;
  value = x == x && y == y ? value : x + y;
  return y == T(0) || x == T(1) ? T(1) : value;
}
__tessera_function double pow(double x, double y) {
  const double a = absolute(x);
  const wide l = log_wide(a < infinity && a > 0.0 ? a : 1.0);
  const double bounded = clamp(y, -0x1p70, 0x1p70);
  const double product = bounded * l.hi;
  const bool beyond = absolute(product) > 800.0;
  const double low = beyond ? 0.0 : fma(bounded, l.hi, -product) + bounded * l.lo;
  return pow_special(x, y, exp_sum(product, low), a);
}
__tessera_function float powf(float x, float y) {
  const double a = absolute(x);
  const double value = exp((double)y * log(a < infinity && a > 0.0 ? a : 1.0));
  return pow_special(x, y, (float)value, (float)a);
}
__tessera_function double cbrt(double x) {
  const double a = absolute(x);
  const double safe = a > 0.0 && a < infinity ? a : 1.0;
  const double scaled = safe < 0x1p-1000 ? safe * 0x1p60 : safe;
  const double t = exp(log(scaled) * 0x1.5555555555555p-2);
  const double square = t * t;
  const double excess = fma(square, t, -scaled) + fma(t, t, -square) * t;
  const double root = t - excess / (3.0 * square);
  const double value = with_sign_of(safe < 0x1p-1000 ? root * 0x1p-20 : root, x);
  return a > 0.0 && a < infinity ? value : x;
}
__tessera_function double hypot(double x, double y) {
  const double ax = absolute(x);
  const double ay = absolute(y);
  const double large = ax > ay ? ax : ay;
  const double small = ax > ay ? ay : ax;
  const double up = large > 0x1p500 ? 0x1p-600 : large < 0x1p-500 ? 0x1p600 : 1.0;
  const double value = __builtin_sqrt(fma(large * up, large * up, small * up * (small * up))) / up;
  const double finite = x == x && y == y ? value : x + y;
  return ax == infinity || ay == infinity ? infinity : finite;
}
__tessera_function double sinpi(double x) {
  const double n = (2.0 * x + shifter) - shifter;
  const bool whole = absolute(x) >= 0x1p50;
  const double value = sin_quarter({fma(n, -0.5, x) * 0x1.921fb54442d18p+1, bits_as<unsigned long>(2.0 * x + shifter)});
  return whole ? x - x : value;
}
__tessera_function double cospi(double x) {
  const double n = (2.0 * x + shifter) - shifter;
  const bool whole = absolute(x) >= 0x1p50;
  const double value =
      sin_quarter({fma(n, -0.5, x) * 0x1.921fb54442d18p+1, bits_as<unsigned long>(2.0 * x + shifter) + 1UL});
  return whole ? 1.0 + (x - x) : value;
}
__tessera_function double normcdf(double x) { return 0.5 * erfc(x * -0x1.6a09e667f3bcdp-1); }

}  // namespace __tessera
