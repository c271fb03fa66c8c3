// What threads keep from one loop over them to the next, and subscripts within such loops.

// A subscript that is computed in 64 bits where that gives the same: an `int` does not overflow.
#define __tessera_subscript(narrow, wide) (__tessera::same<decltype(narrow), int> ? (wide) : (long long)(narrow))
// A subscript of shared memory that is computed in 64 bits where that gives the same: sums of `unsigned` that wrap end
// at the same element.
#define __tessera_shared_subscript(narrow, wide) \
  (__tessera::same<decltype(narrow), int> || __tessera::same<decltype(narrow), unsigned> ? (wide) : (long long)(narrow))

// Loops around loops over threads that have a few turns: shuffles then ask known lanes, and conditions hold for a known
// number of threads. Clang unrolls them unasked.
#ifdef __clang__
#define __tessera_unrolled
#else
#define __tessera_unrolled _Pragma("GCC unroll 8")
#endif

namespace __tessera {

constexpr unsigned long long most_kept = 1 << 20;  // bytes of all variables of all threads, on the stack

// What a variable is kept as between two stretches.
template <class T>
using kept = typename bare<T>::type;

template <class T, class V>
__tessera_function void keep(T& place, V& value) {
  static_assert(__is_trivially_copyable(T));
  place = value;
}
template <class T, class V, unsigned long N>
__tessera_function void keep(T (&place)[N], V (&value)[N]) {
  static_assert(__is_trivially_copyable(T));
  __builtin_memcpy(&place, (const void*)&value, sizeof(place));
}

}  // namespace __tessera
