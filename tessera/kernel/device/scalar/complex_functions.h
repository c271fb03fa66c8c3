// Arithmetic and functions of complex numbers, for kernels on all devices and for the evaluator. Numbers of two floats
// are computed in double and rounded.

namespace tessera::scalar {

// Operators stand in the structure: what a kernel needs is found by its names.
template <class T>
struct complex {
  T x, y;

  constexpr explicit operator bool() const { return x != 0 || y != 0; }
  friend constexpr bool operator==(complex a, complex b) { return a.x == b.x && a.y == b.y; }
  friend constexpr bool operator!=(complex a, complex b) { return !(a == b); }
  friend constexpr complex operator-(complex a) { return {-a.x, -a.y}; }
  friend constexpr complex operator+(complex a, complex b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr complex operator-(complex a, complex b) { return {a.x - b.x, a.y - b.y}; }
  friend complex operator*(complex a, complex b) {
    return {__tessera::product(a.x, b.x) - __tessera::product(a.y, b.y),
            __tessera::product(a.x, b.y) + __tessera::product(a.y, b.x)};
  }
  // Smith's algorithm, as NumPy has it.
  friend complex operator/(complex a, complex b) {
    const T size_x = b.x < 0 ? -b.x : b.x, size_y = b.y < 0 ? -b.y : b.y;
    if (size_x == 0 && size_y == 0) return {a.x / size_x, a.y / size_x};
    const bool first = size_x >= size_y;
    const T ratio = first ? b.y / b.x : b.x / b.y;
    const T scale = (T)1 / (first ? b.x + __tessera::product(b.y, ratio) : b.y + __tessera::product(b.x, ratio));
    const T x = first ? a.x + __tessera::product(a.y, ratio) : __tessera::product(a.x, ratio) + a.y;
    const T y = first ? a.y - __tessera::product(a.x, ratio) : __tessera::product(a.y, ratio) - a.x;
    return {x * scale, y * scale};
  }
};

template <class T>
constexpr complex<T> make_complex(T x, T y) {
  return {x, y};
}
template <class To, class T>
constexpr complex<To> converted_complex(complex<T> a) {
  return {(To)a.x, (To)a.y};
}
template <class T>
constexpr complex<T> conjugate(complex<T> a) {
  return {a.x, -a.y};
}
template <class T>
constexpr T magnitude(complex<T> a) {
  return hypot(a.x, a.y);
}
template <class T>
constexpr complex<T> sign(complex<T> a) {
  const T size = magnitude(a);
  if (size == 0) return {0, 0};
  return {a.x / size, a.y / size};
}

inline complex<double> exp(complex<double> a) {
  const double size = ::exp(a.x);
  if (a.y == 0) return {size, a.y};
  return {size * ::cos(a.y), size * ::sin(a.y)};
}
inline complex<double> expm1(complex<double> a) {
  const double size = ::exp(a.x), half = ::sin(0.5 * a.y);
  return {::expm1(a.x) * ::cos(a.y) - 2 * half * half, size * ::sin(a.y)};
}
// log|a|: near 1 the logarithm of what |a|^2 exceeds 1 by.
inline double log_magnitude(complex<double> a) {
  const double x = a.x < 0 ? -a.x : a.x, y = a.y < 0 ? -a.y : a.y, large = x > y ? x : y, small = x > y ? y : x;
  if (large > 0.5 && large < 2 && small < 2) return 0.5 * ::log1p((large - 1) * (large + 1) + small * small);
  return ::log(hypot(a.x, a.y));
}
inline complex<double> log(complex<double> a) { return {log_magnitude(a), atan2(a.y, a.x)}; }
inline complex<double> log2(complex<double> a) {
  const complex<double> value = log(a);
  return {value.x * 1.44269504088896340736, value.y * 1.44269504088896340736};
}
inline complex<double> log10(complex<double> a) {
  const complex<double> value = log(a);
  return {value.x * 0.434294481903251827651, value.y * 0.434294481903251827651};
}
inline complex<double> log1p(complex<double> a) {
  const double small = a.x * (2 + a.x) + a.y * a.y;
  const double size = small > -0.5 && small < 3 ? 0.5 * ::log1p(small) : ::log(hypot(1 + a.x, a.y));
  return {size, atan2(a.y, 1 + a.x)};
}
inline complex<double> sqrt(complex<double> a) {
  if (a.x == 0 && a.y == 0) return {0, a.y};
  if (isinf(a.y)) return {fabs(a.y), a.y};
  const double x = fabs(a.x);
  const bool large = x > 0x1p1020 || fabs(a.y) > 0x1p1020, tiny = x < 0x1p-1000 && fabs(a.y) < 0x1p-1000;
  const double down = large ? 0.0625 : tiny ? 0x1p100 : 1, up = large ? 4 : tiny ? 0x1p-50 : 1;
  const double root = up * ::sqrt(0.5 * (x * down + hypot(x * down, a.y * down)));
  if (a.x >= 0) return {root, a.y / (2 * root)};
  return {fabs(a.y) / (2 * root), copysign(root, a.y)};
}
inline complex<double> sinh(complex<double> a) {
  if (a.y == 0) return {::sinh(a.x), a.y};
  return {::sinh(a.x) * ::cos(a.y), ::cosh(a.x) * ::sin(a.y)};
}
inline complex<double> cosh(complex<double> a) {
  if (a.y == 0) return {::cosh(a.x), a.x * a.y};
  return {::cosh(a.x) * ::cos(a.y), ::sinh(a.x) * ::sin(a.y)};
}
inline complex<double> tanh(complex<double> a) {
  if (fabs(a.x) > 22) return {copysign(1.0, a.x), 4 * ::sin(a.y) * ::cos(a.y) * ::exp(-2 * fabs(a.x))};
  const double t = ::tan(a.y), s = ::sinh(a.x), c = ::sqrt(1 + s * s), b = 1 + t * t, d = 1 + b * s * s;
  return {b * c * s / d, t / d};
}
inline complex<double> turned(complex<double> a) { return {-a.y, a.x}; }       // i a
inline complex<double> turned_back(complex<double> a) { return {a.y, -a.x}; }  // -i a
inline complex<double> sin(complex<double> a) { return turned_back(sinh(turned(a))); }
inline complex<double> cos(complex<double> a) { return cosh(turned(a)); }
inline complex<double> tan(complex<double> a) { return turned_back(tanh(turned(a))); }

// Kahan's forms: sqrt(1 - a) and sqrt(1 + a) keep the sides of the cuts apart.
inline complex<double> asinh(complex<double> a) {
  if (hypot(a.x, a.y) > 0x1p27) {
    const complex<double> value = log(complex<double>{fabs(a.x), a.y});
    return {copysign(value.x + 0.693147180559945309417, a.x), value.y};
  }
  const complex<double> p = sqrt(complex<double>{1 + a.y, -a.x}), q = sqrt(complex<double>{1 - a.y, a.x});
  return {::asinh(p.x * q.y - p.y * q.x), atan2(a.y, p.x * q.x - p.y * q.y)};
}
inline complex<double> asin(complex<double> a) { return turned_back(asinh(turned(a))); }
inline complex<double> acos(complex<double> a) {
  if (hypot(a.x, a.y) > 0x1p27) {
    const complex<double> value = log(a);
    return {fabs(value.y), copysign(value.x + 0.693147180559945309417, -a.y)};
  }
  const complex<double> p = sqrt(complex<double>{1 - a.x, -a.y}), q = sqrt(complex<double>{1 + a.x, a.y});
  return {2 * ::atan2(p.x, q.x), ::asinh(q.x * p.y - q.y * p.x)};
}
inline complex<double> acosh(complex<double> a) {
  const complex<double> value = acos(a);
  return value.y <= 0 ? complex<double>{-value.y, value.x} : complex<double>{value.y, -value.x};
}
inline complex<double> atanh(complex<double> a) {
  if (hypot(a.x, a.y) > 0x1p500) return {0, copysign(1.57079632679489661923, a.y)};
  const double size = fabs(a.x), below = 1 - size, square = a.y * a.y;
  const double real = 0.25 * ::log1p(4 * size / (below * below + square));
  return {copysign(real, a.x), 0.5 * atan2(2 * a.y, below * (1 + size) - square)};
}
inline complex<double> atan(complex<double> a) { return turned_back(atanh(turned(a))); }
inline complex<double> pow(complex<double> a, complex<double> b) {
  if (b.x == 0 && b.y == 0) return {1, 0};
  if (a.x == 0 && a.y == 0) return b.x > 0 ? complex<double>{0, 0} : complex<double>{0.0 / 0.0, 0.0 / 0.0};
  const complex<double> power = b * log(a);
  return exp(power);
}

inline complex<double> widened(complex<float> a) { return {a.x, a.y}; }
inline complex<float> narrowed(complex<double> a) { return {(float)a.x, (float)a.y}; }
inline complex<float> exp(complex<float> a) { return narrowed(exp(widened(a))); }
inline complex<float> expm1(complex<float> a) { return narrowed(expm1(widened(a))); }
inline complex<float> log(complex<float> a) { return narrowed(log(widened(a))); }
inline complex<float> log2(complex<float> a) { return narrowed(log2(widened(a))); }
inline complex<float> log10(complex<float> a) { return narrowed(log10(widened(a))); }
inline complex<float> log1p(complex<float> a) { return narrowed(log1p(widened(a))); }
inline complex<float> sqrt(complex<float> a) { return narrowed(sqrt(widened(a))); }
inline complex<float> sinh(complex<float> a) { return narrowed(sinh(widened(a))); }
inline complex<float> cosh(complex<float> a) { return narrowed(cosh(widened(a))); }
inline complex<float> tanh(complex<float> a) { return narrowed(tanh(widened(a))); }
inline complex<float> sin(complex<float> a) { return narrowed(sin(widened(a))); }
inline complex<float> cos(complex<float> a) { return narrowed(cos(widened(a))); }
inline complex<float> tan(complex<float> a) { return narrowed(tan(widened(a))); }
inline complex<float> asinh(complex<float> a) { return narrowed(asinh(widened(a))); }
inline complex<float> asin(complex<float> a) { return narrowed(asin(widened(a))); }
inline complex<float> acos(complex<float> a) { return narrowed(acos(widened(a))); }
inline complex<float> acosh(complex<float> a) { return narrowed(acosh(widened(a))); }
inline complex<float> atanh(complex<float> a) { return narrowed(atanh(widened(a))); }
inline complex<float> atan(complex<float> a) { return narrowed(atan(widened(a))); }
inline complex<float> pow(complex<float> a, complex<float> b) { return narrowed(pow(widened(a), widened(b))); }

}  // namespace tessera::scalar
