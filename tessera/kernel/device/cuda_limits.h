// <limits>, for NVRTC.

namespace std {

template <class T>
struct numeric_limits {
  static constexpr bool is_specialized = false;
};
#define __tessera_limits(type, least, most)                                                         \
  template <>                                                                                       \
  struct numeric_limits<type> {                                                                     \
    static constexpr bool is_specialized = true, is_integer = true, is_signed = (type)-1 < (type)0; \
    static constexpr int digits = 8 * sizeof(type) - is_signed;                                     \
    __tessera_function static constexpr type min() { return least; }                                \
    __tessera_function static constexpr type lowest() { return least; }                             \
    __tessera_function static constexpr type max() { return most; }                                 \
  }
__tessera_limits(char, CHAR_MIN, CHAR_MAX);
__tessera_limits(signed char, SCHAR_MIN, SCHAR_MAX);
__tessera_limits(unsigned char, 0, UCHAR_MAX);
__tessera_limits(short, SHRT_MIN, SHRT_MAX);
__tessera_limits(unsigned short, 0, USHRT_MAX);
__tessera_limits(int, INT_MIN, INT_MAX);
__tessera_limits(unsigned, 0, UINT_MAX);
__tessera_limits(long, LONG_MIN, LONG_MAX);
__tessera_limits(unsigned long, 0, ULONG_MAX);
__tessera_limits(long long, LLONG_MIN, LLONG_MAX);
__tessera_limits(unsigned long long, 0, ULLONG_MAX);
#undef __tessera_limits
#define __tessera_limits(type, short_name, infinite, not_a_number)                      \
  template <>                                                                           \
  struct numeric_limits<type> {                                                         \
    static constexpr bool is_specialized = true, is_integer = false, is_signed = true;  \
    static constexpr int digits = short_name##_MANT_DIG, digits10 = short_name##_DIG;   \
    __tessera_function static constexpr type min() { return short_name##_MIN; }         \
    __tessera_function static constexpr type lowest() { return -short_name##_MAX; }     \
    __tessera_function static constexpr type max() { return short_name##_MAX; }         \
    __tessera_function static constexpr type epsilon() { return short_name##_EPSILON; } \
    __tessera_function static constexpr type infinity() { return infinite; }            \
    __tessera_function static constexpr type quiet_NaN() { return not_a_number; }       \
  }
__tessera_limits(float, FLT, INFINITY, NAN);
__tessera_limits(double, DBL, HUGE_VAL, __builtin_bit_cast(double, 0x7ff8000000000000L));
#undef __tessera_limits

}  // namespace std
