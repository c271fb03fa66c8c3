// What expressions over arrays need beside CUDA's functions: operations whose results for zeros, NaN and overflow are
// those of NumPy. For kernels on all devices and for the evaluator; includes nothing.

namespace tessera::scalar {

// The nearest number of an integer type; 0 for NaN. The limits are exact as floats: powers of two.
template <class To, class From>
constexpr To saturated(From a) {
  constexpr bool is_signed = (To)-1 < (To)0;
  constexpr int bits = 8 * (int)sizeof(To) - (is_signed ? 1 : 0);
  const From limit = (From)(1ULL << (bits - 1)) * (From)2;
  constexpr To largest = (To)(((1ULL << (bits - 1)) - 1) * 2 + 1);
  constexpr To least = is_signed ? (To)(-largest - 1) : (To)0;
  if (a != a) return (To)0;
  if (a >= limit) return largest;
  if (a <= (From)least) return least;
  return (To)a;
}

// A float from which rounding to 16 bits gives the result of rounding `a` itself: towards zero, the last bit set if
// anything was lost.
inline float rounded_to_odd(double a) {
  const float nearest = (float)a;
  const unsigned bits = __builtin_bit_cast(unsigned, nearest);
  const double back = (double)nearest;
  if (back == a || a != a) return nearest;
  const bool beyond = back < 0 ? back < a : back > a;
  return __builtin_bit_cast(float, (beyond ? bits - 1 : bits) | 1U);
}

template <class T>
constexpr bool is_float_type = (T)0.5 != (T)0;

// Towards minus infinity; integers divided by zero give 0, the least divided by -1 itself.
template <class T>
constexpr T floor_divide(T a, T b) {
  if constexpr (is_float_type<T>) {
    if (b == 0) return a / b;
    const T rest = fmod(a, b);
    T whole = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) whole -= 1;
    if (whole == 0) return copysign((T)0, a / b);
    const T below = floor(whole);
    return whole - below > (T)0.5 ? below + 1 : below;
  } else if constexpr ((T)-1 < (T)0) {
    if (b == 0) return 0;
    if (b == -1) return (T)(0 - (unsigned long long)a);
    const T whole = (T)(a / b);
    return (T)(whole - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0));
  } else {
    return b == 0 ? (T)0 : (T)(a / b);
  }
}

// With the sign of the divisor; integers divided by zero give 0.
template <class T>
constexpr T floor_remainder(T a, T b) {
  if constexpr (is_float_type<T>) {
    if (b == 0) return fmod(a, b);
    const T rest = fmod(a, b);
    if (rest == 0) return copysign((T)0, b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
  } else if constexpr ((T)-1 < (T)0) {
    if (b == 0 || b == -1) return 0;
    const T rest = (T)(a % b);
    return rest != 0 && (a < 0) != (b < 0) ? (T)(rest + b) : rest;
  } else {
    return b == 0 ? (T)0 : (T)(a % b);
  }
}

// Modulo 2^n; a negative exponent gives what remains of 1 / a.
template <class T>
constexpr T integer_power(T a, T b) {
  if constexpr ((T)-1 < (T)0) {
    if (b < 0) return a == 1 ? (T)1 : a == -1 ? (T)(b % 2 == 0 ? 1 : -1) : (T)0;
  }
  unsigned long long base = (unsigned long long)a, result = 1, left = (unsigned long long)b;
  while (left != 0) {
    if ((left & 1) != 0) result *= base;
    base *= base;
    left >>= 1;
  }
  return (T)result;
}

// Distances of at least the width shift everything out; so do negative ones.
template <class T>
constexpr T bounded_shift_left(T a, T b) {
  const bool inside = b >= 0 && (unsigned long long)b < 8 * sizeof(T);
  return inside ? (T)((unsigned long long)a << ((unsigned long long)b & 63)) : (T)0;
}
template <class T>
constexpr T bounded_shift_right(T a, T b) {
  const bool inside = b >= 0 && (unsigned long long)b < 8 * sizeof(T);
  return inside ? (T)(a >> (int)b) : (T)(a < 0 ? -1 : 0);
}
template <class T>
constexpr T count_ones(T a) {
  constexpr unsigned long long all = sizeof(T) == 8 ? ~0ULL : (1ULL << (8 * sizeof(T) % 64)) - 1;
  const bool negative = a < 0;
  unsigned long long n = (negative ? 0 - (unsigned long long)a : (unsigned long long)a) & all;  // as NumPy: of |a|
  n = n - ((n >> 1) & 0x5555555555555555ULL);
  n = (n & 0x3333333333333333ULL) + ((n >> 2) & 0x3333333333333333ULL);
  n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return (T)((n * 0x0101010101010101ULL) >> 56);
}

// A NaN among the operands is the result.
template <class T>
constexpr T nan_minimum(T a, T b) {
  return a < b || a != a ? a : b;
}
template <class T>
constexpr T nan_maximum(T a, T b) {
  return a > b || a != a ? a : b;
}
template <class T>
constexpr T sign(T a) {
  return a != a ? a : (T)((a > 0) - (a < 0));
}
inline bool sign_bit(float a) { return copysign(1.0f, a) < 0; }
inline bool sign_bit(double a) { return copysign(1.0, a) < 0; }

inline float next_after(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  const int bits = __builtin_bit_cast(int, a);
  const float next = __builtin_bit_cast(float, a == 0 ? 1 : (a < b) == (a > 0) ? bits + 1 : bits - 1);
  return a == 0 ? copysign(next, b) : next;
}
inline double next_after(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  const long long bits = __builtin_bit_cast(long long, a);
  const double next = __builtin_bit_cast(double, a == 0 ? 1LL : (a < b) == (a > 0) ? bits + 1 : bits - 1);
  return a == 0 ? copysign(next, b) : next;
}

// log(exp(a) + exp(b))
template <class T>
constexpr T log_add_exp(T a, T b) {
  if (a == b) return a + (T)0.693147180559945309417;
  const T gap = a - b;
  if (gap > 0) return a + ::log1p(::exp(-gap));
  if (gap <= 0) return b + ::log1p(::exp(gap));
  return gap;  // NaN
}

// 128 random bits of a place in a stream: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"),
// whose counter is place and stream, and whose key is the seed.
struct random_bits {
  unsigned long long low, high;
};
constexpr random_bits philox(unsigned long long place, unsigned long long stream, unsigned long long seed) {
  unsigned c0 = (unsigned)place, c1 = (unsigned)(place >> 32), c2 = (unsigned)stream, c3 = (unsigned)(stream >> 32);
  unsigned k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p = 0xd2511f53ULL * c0, q = 0xcd9e8d57ULL * c2;
    c0 = (unsigned)(q >> 32) ^ c1 ^ k0;
    c1 = (unsigned)q;
    c2 = (unsigned)(p >> 32) ^ c3 ^ k1;
    c3 = (unsigned)p;
    k0 += 0x9e3779b9U;
    k1 += 0xbb67ae85U;
  }
  return {c0 | (unsigned long long)c1 << 32, c2 | (unsigned long long)c3 << 32};
}

// The upper half of the product's 128 bits.
constexpr unsigned long long multiply_high(unsigned long long a, unsigned long long b) {
  const unsigned long long a0 = a & 0xffffffffU, a1 = a >> 32, b0 = b & 0xffffffffU, b1 = b >> 32;
  const unsigned long long middle = a1 * b0 + ((a0 * b0) >> 32), other = a0 * b1 + (middle & 0xffffffffU);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

}  // namespace tessera::scalar
