// CUDA's intrinsic functions and atomics.

__tessera_function float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
__tessera_function float __fdividef(float x, float y) { return x / y; }
__tessera_function float __frcp_rn(float x) { return 1.0f / x; }
__tessera_function float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
__tessera_function float __frsqrt_rn(float x) { return 1.0f / __builtin_sqrtf(x); }
__tessera_function float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__tessera_function float __fadd_rn(float x, float y) { return x + y; }
__tessera_function float __fsub_rn(float x, float y) { return x - y; }
__tessera_function float __fmul_rn(float x, float y) { return x * y; }
__tessera_function float __fdiv_rn(float x, float y) { return x / y; }
__tessera_function double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
__tessera_function double __dadd_rn(double x, double y) { return x + y; }
__tessera_function double __dsub_rn(double x, double y) { return x - y; }
__tessera_function double __dmul_rn(double x, double y) { return x * y; }
__tessera_function double __ddiv_rn(double x, double y) { return x / y; }
__tessera_function double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
__tessera_function double __drcp_rn(double x) { return 1.0 / x; }

__tessera_function int __mul24(int x, int y) { return (int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8)); }
__tessera_function unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffU) * (y & 0xffffffU); }
__tessera_function int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
__tessera_function unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
__tessera_function long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
__tessera_function unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)((unsigned __int128)x * y >> 64);
}
__tessera_function unsigned __sad(int x, int y, unsigned z) { return z + (unsigned)(x > y ? x - y : y - x); }
__tessera_function unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x > y ? x - y : y - x); }
__tessera_function int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
__tessera_function unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
__tessera_function int __popc(unsigned x) { return __builtin_popcount(x); }
__tessera_function int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__tessera_function int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
__tessera_function int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
__tessera_function int __ffs(int x) { return __builtin_ffs(x); }
__tessera_function int __ffsll(long long x) { return __builtin_ffsll(x); }
__tessera_function unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555U) | (x & 0x55555555U) << 1;
  x = (x >> 2 & 0x33333333U) | (x & 0x33333333U) << 2;
  x = (x >> 4 & 0x0f0f0f0fU) | (x & 0x0f0f0f0fU) << 4;
  return __builtin_bswap32(x);
}
__tessera_function unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
__tessera_function unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) result |= (unsigned)(both >> ((selector >> 4 * i & 7U) * 8U) & 0xffU) << 8 * i;
  return result;
}
__tessera_function unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
  return (unsigned)((((unsigned long long)hi << 32 | lo) << (n & 31U)) >> 32);
}
__tessera_function unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31U));
}

__tessera_function int __float_as_int(float x) { return __tessera::bits_as<int>(x); }
__tessera_function unsigned __float_as_uint(float x) { return __tessera::bits_as<unsigned>(x); }
__tessera_function float __int_as_float(int x) { return __tessera::bits_as<float>(x); }
__tessera_function float __uint_as_float(unsigned x) { return __tessera::bits_as<float>(x); }
__tessera_function long long __double_as_longlong(double x) { return __tessera::bits_as<long long>(x); }
__tessera_function double __longlong_as_double(long long x) { return __tessera::bits_as<double>(x); }
__tessera_function int __double2loint(double x) { return (int)__tessera::bits_as<unsigned long>(x); }
__tessera_function int __double2hiint(double x) { return (int)(__tessera::bits_as<unsigned long>(x) >> 32); }
__tessera_function double __hiloint2double(int hi, int lo) {
  return __tessera::bits_as<double>((unsigned long)(unsigned)hi << 32 | (unsigned)lo);
}
__tessera_function int __float2int_rn(float x) { return (int)__builtin_rintf(x); }
__tessera_function int __float2int_rz(float x) { return (int)x; }
__tessera_function int __float2int_rd(float x) { return (int)__builtin_floorf(x); }
__tessera_function int __float2int_ru(float x) { return (int)__builtin_ceilf(x); }
__tessera_function unsigned __float2uint_rn(float x) { return (unsigned)__builtin_rintf(x); }
__tessera_function unsigned __float2uint_rz(float x) { return (unsigned)x; }
__tessera_function int __double2int_rn(double x) { return (int)__builtin_rint(x); }
__tessera_function int __double2int_rz(double x) { return (int)x; }
__tessera_function float __int2float_rn(int x) { return (float)x; }
__tessera_function float __uint2float_rn(unsigned x) { return (float)x; }
__tessera_function double __int2double_rn(int x) { return (double)x; }
__tessera_function float __double2float_rn(double x) { return (float)x; }

template <class T>
__tessera_function T __ldg(const T* p) {
  return *p;
}
template <class T>
__tessera_function T __ldcs(const T* p) {
  return *p;
}
template <class T>
__tessera_function void __stcs(T* p, T value) {
  *p = value;
}
__tessera_function void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__tessera_function void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__tessera_function void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__tessera_function void __trap() { __builtin_trap(); }
__tessera_function void __nanosleep(unsigned) {}
