// Elementary functions, written so that one lane of a vector and a scalar go through the same operations: results do
// not depend on how a loop was vectorised, on block sizes or on tiers. No branches, no tables, every fma explicit.
// Errors, measured against a wider type: below 1 ulp for float unless noted, below 2.5 ulp for double. Sines, cosines
// and tangents are accurate up to |x| = 2^51 and stay within their range beyond.

namespace __tessera {

__tessera_function double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__tessera_function float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

template <class T>
__tessera_function T horner(T, T c) {
  return c;
}
template <class T, class... More>
__tessera_function T horner(T x, T c, More... more) {
  return fma(x, horner(x, more...), c);
}

__tessera_function double absolute(double x) { return __builtin_fabs(x); }
__tessera_function double with_sign_of(double x, double sign) { return __builtin_copysign(x, sign); }

constexpr double infinity = __builtin_inf();
constexpr double shifter = 0x1.8p52;    // Added and subtracted it rounds to an integer, which its low bits then hold.
constexpr float shifter_f = 0x1.8p23f;  // The shifter for float.
constexpr double ln2_hi = 0x1.62e42feep-1, ln2_lo = 0x1.a39ef35793c76p-33;  // n * ln2_hi is exact.
constexpr double invln2 = 0x1.71547652b82fep+0;

// 2^n for an integer n with -1022 <= n <= 1023.
__tessera_function double power_of_two(double n) {
  return bits_as<double>((bits_as<unsigned long>(n + shifter) + 1023UL) << 52);
}
__tessera_function float power_of_two(float n) {
  return bits_as<float>((bits_as<unsigned>(n + shifter_f) + 127U) << 23);
}
// x * 2^n, rounded once where the result is subnormal; any n that exponents of results can need.
template <class T>
__tessera_function T scale(T x, T n, T shift) {
  const T half = fma(n, T(0.5), shift) - shift;
  return x * power_of_two(half) * power_of_two(n - half);
}

__tessera_function double exp_tail(double r) {  // (e^r - 1 - r) / r^2
  return horner(r, 0.5, 0x1.5555555555556p-3, 0x1.5555555553d63p-5, 0x1.11111111109b3p-7, 0x1.6c16c1788bd90p-10,
                0x1.a01a01a7c41d5p-13, 0x1.a019b90d2ae7ap-16, 0x1.71de0dae63bb3p-19, 0x1.289185613a3d6p-22,
                0x1.af38a9b0ec855p-26);
}
// e^(r + low) * 2^n for |r| <= ln2 / 2.
__tessera_function double exp_reduced(double r, double low, double n) {
  const double tail = r * r * exp_tail(r);
  return scale(1.0 + (r + fma(low, 1.0 + (r + tail), tail)), n, shifter);
}
__tessera_function double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

// e^(x + low), |low| tiny.
__tessera_function double exp_sum(double x, double low) {
  x = clamp(x, -750.0, 710.0);
  const double n = fma(x, invln2, shifter) - shifter;
  const double hi = fma(n, -ln2_hi, x);
  const double r = fma(n, -ln2_lo, hi);
  return exp_reduced(r, fma(n, -ln2_lo, hi - r) + low, n);
}
__tessera_function double exp(double x) { return exp_sum(x, 0.0); }
__tessera_function double exp2(double x) {
  x = clamp(x, -1080.0, 1025.0);
  const double n = (x + shifter) - shifter;
  return exp_reduced((x - n) * 0x1.62e42fefa39efp-1, 0.0, n);
}
__tessera_function double exp10(double x) {
  x = clamp(x, -330.0, 309.0);
  const double n = fma(x, 0x1.a934f0979a371p+1, shifter) - shifter;
  const double r = fma(n, 0x1.9dc1da994fd21p-59, fma(n, -0x1.34413509f79ffp-2, x));
  return exp_reduced(r * 0x1.26bb1bbb55516p+1, r * -0x1.f48ad494ea3e9p-53, n);
}
__tessera_function double expm1(double x) {
  x = clamp(x, -50.0, 710.0);
  const double n = fma(x, invln2, shifter) - shifter;
  const double r = fma(n, -ln2_lo, fma(n, -ln2_hi, x));
  const double s = power_of_two(n - 1.0);
  const double value = 2.0 * (fma(s, r + r * r * exp_tail(r), s - 0.5));
  return absolute(x) < 0x1p-54 ? x : value;
}

__tessera_function float expf(float x) {
  x = x < -110.0f ? -110.0f : x;
  x = x > 90.0f ? 90.0f : x;
  const float shifted = fma(x, 0x1.715476p+0f, shifter_f);
  const float n = shifted - shifter_f;
  const float r = fma(n, -0x1.7f7d1cp-20f, fma(n, -0x1.62e4p-1f, x));
  const float q = horner(r, 0.5f, 0x1.5554d8p-3f, 0x1.555516p-5f, 0x1.12106cp-7f, 0x1.6d1606p-10f);
  // As `scale` does it, with the exponents as integers.
  const int whole = bits_as<int>(shifted) - bits_as<int>(shifter_f), half = whole >> 1;
  const float first = bits_as<float>((unsigned)(half + 127) << 23);
  const float second = bits_as<float>((unsigned)(whole - half + 127) << 23);
  return (1.0f + fma(r * r, q, r)) * first * second;
}

// x = 2^k * m with m between sqrt(1/2) and sqrt(2), for positive finite x.
struct split {
  double k, m;
};
__tessera_function split split_exponent(double x) {
  const bool tiny = x < 0x1p-1022;
  const unsigned long bits = bits_as<unsigned long>(tiny ? x * 0x1p54 : x);
  const unsigned long shifted = (bits - 0x3fe6a09e667f3bcdUL + (1024UL << 52)) >> 52;  // k + 1024
  const double k = bits_as<double>(shifted | 0x4330000000000000UL) - (0x1p52 + 1024.0);
  return {tiny ? k - 54.0 : k, bits_as<double>(bits - (shifted << 52) + (1024UL << 52))};
}
// What logarithms give for 0, negative numbers, infinity and NaN.
__tessera_function double log_special(double x, double value) {
  value = x < infinity ? value : x;
  value = x == 0.0 ? -infinity : value;
  return x < 0.0 ? __builtin_nan("") : value;
}
// log(m) = f - remainder with f = m - 1.
struct log_parts {
  double f, remainder;
};
__tessera_function log_parts log_mantissa(double m) {
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double tail =
      z * horner(z, 0x1.5555555555555p-1, 0x1.9999999999a39p-2, 0x1.2492492476a1ap-2, 0x1.c71c7201a55d7p-3,
                 0x1.745cf8e4bba1bp-3, 0x1.3b1c3c1c81c8fp-3, 0x1.0fbde0f4ad17bp-3, 0x1.0c0aff044a970p-3);
  const double half = 0.5 * f * f;
  return {f, half - s * (half + tail)};
}
__tessera_function double log(double x) {
  const split e = split_exponent(x);
  const log_parts l = log_mantissa(e.m);
  return log_special(x, fma(e.k, ln2_hi, l.f - fma(e.k, -ln2_lo, l.remainder)));
}
__tessera_function double log2(double x) {
  const split e = split_exponent(x);
  const log_parts l = log_mantissa(e.m);
  const double value = l.f - l.remainder;
  const double low = (l.f - value) - l.remainder;
  return log_special(x, e.k + fma(value, invln2, fma(value, 0x1.777d0ffda0d24p-56, low * invln2)));
}
__tessera_function double log10(double x) {
  const split e = split_exponent(x);
  const log_parts l = log_mantissa(e.m);
  const double value = l.f - l.remainder;
  const double low = (l.f - value) - l.remainder;
  const double mantissa =
      fma(value, 0x1.bcb7b1526e50ep-2, fma(value, 0x1.95355baaafad3p-57, low * 0x1.bcb7b1526e50ep-2));
  return log_special(x, fma(e.k, 0x1.34413509f79ffp-2, fma(e.k, -0x1.9dc1da994fd21p-59, mantissa)));
}
__tessera_function double log1p(double x) {
  const double u = 1.0 + x;
  const double low = u > 0x1p53 ? 0.0 : absolute(x) < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  const double value = log(u) + (x > -1.0 ? low / u : 0.0);
  return x == 0.0 || x == infinity ? x : value;
}
__tessera_function float logf(float x) {
  const bool tiny = x < 0x1p-126f;
  const unsigned bits = bits_as<unsigned>(tiny ? x * 0x1p24f : x);
  const int shifted = (int)(bits - 0x3f3504f3U) >> 23;
  const float k = (float)(tiny ? shifted - 24 : shifted);
  const float f = bits_as<float>(bits - ((unsigned)shifted << 23)) - 1.0f;
  const float s = f / (2.0f + f);
  const float z = s * s;
  const float tail = z * horner(z, 0x1.555556p-1f, 0x1.9999ecp-2f, 0x1.245c28p-2f, 0x1.ddd4dap-3f);
  const float half = 0.5f * f * f;
  const float mantissa = f - fma(k, -0x1.7f7d1cp-20f, fma(-s, half + tail, half));
  float value = fma(k, 0x1.62e4p-1f, mantissa);
  value = x < __builtin_inff() ? value : x;
  value = x == 0.0f ? -__builtin_inff() : value;
  return x < 0.0f ? __builtin_nanf("") : value;
}

// x - n * pi/2 with n = rint(x / (pi/2)), and the bits of n.
struct quarter {
  double r;
  unsigned long n;
};
__tessera_function quarter reduce_angle(double x) {
  x = absolute(x) < 0x1p51 ? x : x - x;  // Beyond, neighbouring doubles are farther apart than a turn; NaN stays.
  const double t = fma(x, 0x1.45f306dc9c883p-1, shifter);
  const double n = t - shifter;
  const double r = fma(n, -0x1.921fb54442d18p+0, x);
  return {fma(n, 0x1.f1976b7ed8fbcp-110, fma(n, -0x1.1a62633145c07p-54, r)), bits_as<unsigned long>(t)};
}
__tessera_function double sin_reduced(double r) {
  const double z = r * r;
  return fma(r * z,
             horner(z, -0x1.5555555555555p-3, 0x1.111111111111p-7, -0x1.a01a01a019926p-13, 0x1.71de3a545e7p-19,
                    -0x1.ae64540f0ba18p-26, 0x1.61217c1864fa1p-33, -0x1.ab161757f0c63p-41),
             r);
}
__tessera_function double cos_reduced(double r) {
  const double z = r * r;
  const double tail =
      horner(z, 0x1.5555555555555p-5, -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d02p-16, -0x1.27e4fb7711e1dp-22,
             0x1.1eed8de9ef73ep-29, -0x1.9394b76d1f265p-37, 0x1.ab76cf6e9b365p-45);
  const double half = 0.5 * z;
  const double head = 1.0 - half;
  return head + (((1.0 - head) - half) + z * z * tail);
}
__tessera_function double sin_quarter(quarter q) {
  const double value = (q.n & 1UL) != 0 ? cos_reduced(q.r) : sin_reduced(q.r);
  return bits_as<double>(bits_as<unsigned long>(value) ^ ((q.n & 2UL) << 62));
}
__tessera_function quarter next_quarter(quarter q) { return {q.r, q.n + 1UL}; }
__tessera_function double sin(double x) {
  const double value = sin_quarter(reduce_angle(x));
  return x == 0.0 ? x : value;
}
__tessera_function double cos(double x) { return sin_quarter(next_quarter(reduce_angle(x))); }
__tessera_function double tan(double x) {
  const quarter q = reduce_angle(x);
  const double s = sin_reduced(q.r);
  const double c = cos_reduced(q.r);
  const double value = (q.n & 1UL) != 0 ? -c / s : s / c;
  return x == 0.0 ? x : value;
}
// Sine and cosine with fewer terms: enough for float.
__tessera_function float sin_short(quarter q) {
  const double z = q.r * q.r;
  const double s =
      fma(q.r * z,
          horner(z, -0x1.555555545c0f8p-3, 0x1.11110dea5e8c0p-7, -0x1.a013a11619d1bp-13, 0x1.6dbbee1f24647p-19), q.r);
  const double c =
      fma(z,
          fma(z, horner(z, 0x1.555555550225fp-5, -0x1.6c16bf51b0df9p-10, 0x1.a015c02820885p-16, -0x1.2522e6d930e5bp-22),
              -0.5),
          1.0);
  const double value = (q.n & 1UL) != 0 ? c : s;
  return (float)bits_as<double>(bits_as<unsigned long>(value) ^ ((q.n & 2UL) << 62));
}
__tessera_function float sinf(float x) {
  const float value = sin_short(reduce_angle(x));
  return x == 0.0f ? x : value;
}
__tessera_function float cosf(float x) { return sin_short(next_quarter(reduce_angle(x))); }

__tessera_function double atan_small(double x) {  // |x| <= tan(pi/8)
  const double z = x * x;
  return fma(x * z,
             horner(z, -0x1.5555555555555p-2, 0x1.9999999999952p-3, -0x1.249249248d739p-3, 0x1.c71c71c2fc236p-4,
                    -0x1.745d165c497f3p-4, 0x1.3b1392a9c2d8bp-4, -0x1.110e84aa36d9dp-4, 0x1.e199c62156609p-5,
                    -0x1.ac7858539e493p-5, 0x1.74d3a7b43351ap-5, -0x1.1b1992aa413c9p-5, 0x1.0a997ba33c1dbp-6),
             x);
}
// atan(y / x) for 0 <= y <= x, x > 0.
__tessera_function double atan_ratio(double y, double x) {
  const bool upper = y > x * 0x1.a827999fcef32p-2;
  const double a = atan_small((upper ? y - x : y) / (upper ? y + x : x));
  return upper ? 0x1.921fb54442d18p-1 + (a + 0x1.1a62633145c07p-55) : a;
}
__tessera_function double atan_quadrant(double y, double x) {  // y >= 0, x >= 0, any order
  const bool steep = y > x;
  const double a = atan_ratio(steep ? x : y, steep ? y : x);
  return steep ? 0x1.921fb54442d18p+0 - (a - 0x1.1a62633145c07p-54) : a;
}
