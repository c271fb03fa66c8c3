// The words of CUDA C++ for a C++ compiler: qualifiers, fixed-width and vector types, limits. This text stands in
// front of every kernel that is compiled for the CPU; it includes nothing, because every standard header costs more
// compile time than the kernel itself.

#define __CUDACC__ 1
#define __CUDA_ARCH__ 700
#define __TESSERA__ 1

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ thread_local
// Before a loop over threads: none of them relies on another. Clang takes `omp simd` to speak of the threads' own
// arrays as well, of which there is one for all turns of the loop, and lets threads that run beside each other
// overwrite them.
#ifdef __clang__
#define __tessera_vectorised _Pragma("clang loop vectorize(enable)")
#define __tessera_unroll(turns) _Pragma("unroll")
#else
#define __tessera_vectorised _Pragma("omp simd")
#define __tessera_pragma(...) _Pragma(#__VA_ARGS__)
#define __tessera_unroll(turns) __tessera_pragma(GCC unroll turns)
#endif
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define restrict __restrict__
#define __tessera_function static inline __attribute__((always_inline))
#define __tessera_inline inline __attribute__((always_inline))
#define __tessera_export extern "C" __attribute__((visibility("default")))

typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

namespace __tessera {
// CUDA aligns vectors of two and four to their size, at most 16 bytes.
constexpr unsigned vector_alignment(unsigned long bytes) { return bytes < 16 ? (unsigned)bytes : 16U; }
}  // namespace __tessera

#define __tessera_vector_types(T, name)                                                    \
  struct name##1 {                                                                         \
    T x;                                                                                   \
  };                                                                                       \
  struct alignas(__tessera::vector_alignment(2 * sizeof(T))) name##2 {                     \
    T x, y;                                                                                \
  };                                                                                       \
  struct name##3 {                                                                         \
    T x, y, z;                                                                             \
  };                                                                                       \
  struct alignas(__tessera::vector_alignment(4 * sizeof(T))) name##4 {                     \
    T x, y, z, w;                                                                          \
  };                                                                                       \
  __tessera_function constexpr name##1 make_##name##1(T x) { return {x}; }                 \
  __tessera_function constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  __tessera_function constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  __tessera_function constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
__tessera_vector_types(signed char, char) __tessera_vector_types(unsigned char, uchar)
    __tessera_vector_types(short, short) __tessera_vector_types(unsigned short, ushort) __tessera_vector_types(int, int)
        __tessera_vector_types(unsigned, uint) __tessera_vector_types(long, long)
            __tessera_vector_types(unsigned long, ulong) __tessera_vector_types(long long, longlong)
                __tessera_vector_types(unsigned long long, ulonglong) __tessera_vector_types(float, float)
                    __tessera_vector_types(double, double)
#undef __tessera_vector_types

                        struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

constexpr int warpSize = 32;

// The global index of a thread, for kernels that compute it in 64 bits, and the parameters that only this core uses
// (tessera_cpu_launch::own).
struct __tessera_place {
  long long x, y, z;
  unsigned long long own;
  long long end;  // Of a strip that begins here, along x.
  bool in_loop;   // What only this core uses are variables of the loop over threads.
  // Who has what a parameter points at.
  constexpr int owner(int parameter) const { return (int)(own >> parameter & 1) << (in_loop ? 1 : 0); }
};
namespace __tessera {
constexpr int own_core = 1, own_loop = 2;  // Owners besides 0, several cores.
}

#ifdef __tessera_tls
// For code that cannot be given the hidden parameters; they hide these everywhere else.
static thread_local uint3 threadIdx;
static thread_local uint3 blockIdx;
static thread_local dim3 blockDim;
static thread_local dim3 gridDim;
#endif

#define NULL 0
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1L)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#define CHAR_BIT 8
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define UCHAR_MAX 255
#define USHRT_MAX 65535
#define INT32_MAX __INT_MAX__
#define INT32_MIN (-__INT_MAX__ - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX __LONG_MAX__
#define INT64_MIN (-__LONG_MAX__ - 1L)
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX ((double)__DBL_MAX__)
#define DBL_MIN ((double)__DBL_MIN__)
#define DBL_EPSILON ((double)__DBL_EPSILON__)
#define INFINITY (__builtin_inff())
#define HUGE_VAL (__builtin_inf())
#define HUGE_VALF (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI_F 3.14159265358979323846f
#define CUDART_PI 3.14159265358979323846
#define assert(...) ((void)0)

extern "C" int printf(const char*, ...) noexcept(false);
extern "C" void* malloc(size_t) noexcept;
extern "C" void free(void*) noexcept;
extern "C" void* memcpy(void*, const void*, size_t) noexcept;
extern "C" void* memset(void*, int, size_t) noexcept;

namespace __tessera {

template <bool First, class A, class B>
struct pick {
  using type = A;
};
template <class A, class B>
struct pick<false, A, B> {
  using type = B;
};

template <class T>
struct bare {
  using type = T;
};
template <class T>
struct bare<const T> {
  using type = T;
};
template <class T>
struct bare<volatile T> {
  using type = T;
};
template <class T>
struct bare<const volatile T> {
  using type = T;
};

template <class To, class From>
__tessera_function To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

// The types of a kernel's own parameters, behind the four hidden ones.
template <unsigned I, class... P>
struct nth;
template <class First, class... P>
struct nth<0, First, P...> {
  using type = First;
};
template <unsigned I, class First, class... P>
struct nth<I, First, P...> : nth<I - 1, P...> {};
template <unsigned I, class F>
struct parameter_of;
template <unsigned I, class... P>
struct parameter_of<I, void (*)(uint3, uint3, dim3, dim3, P...)> {
  using type = typename nth<I, P...>::type;
};

}  // namespace __tessera

// What the module tells about the kernel's parameters: sizes of values, or of the elements of pointers.
struct tessera_parameter_layout {
  unsigned long long size;
  unsigned long long alignment;
};
