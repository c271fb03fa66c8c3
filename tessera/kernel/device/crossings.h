// Elements of shared memory at `threadIdx.x ^ by`: read for all threads before the loop over them, written behind it.
// Neighbouring threads ask neighbours in another order, which compilers know as gathers and scatters alone.

namespace __tessera {

template <class A>
struct array_parts;
template <class T, unsigned long N>
struct array_parts<T[N]> {
  using element = T;
};
template <class A>
using element_of = typename array_parts<A>::element;

// What tells that a thread writes: as wide as what it writes, so that a loop has vectors of one length for both.
template <bool Wide>
struct mark_type {
  using type = int;
};
template <>
struct mark_type<true> {
  using type = long long;
};
template <class A>
using mark_of = typename mark_type<sizeof(element_of<A>) == 8>::type;

// Threads of a vector; 1 where there are none that take its lanes in any order.
#if defined(__clang__) || !defined(__AVX2__)
template <class T>
constexpr unsigned crossing_lanes = 1;
#else
#ifdef __AVX512F__
#define __tessera_vector_bytes 64
#else
#define __tessera_vector_bytes 32
#endif
template <class T>
constexpr unsigned crossing_lanes = __tessera_size_x == __tessera_threads && (sizeof(T) == 4 || sizeof(T) == 8)
                                        ? __tessera_vector_bytes / sizeof(T)
                                        : 1;
#endif

// Lane l of the result is lane `l ^ by` of the elements at `from`.
#ifdef __tessera_vector_bytes
template <class M>
struct crossing_vector {
  typedef M type __attribute__((vector_size(__tessera_vector_bytes)));
};
template <class M>
__tessera_function typename crossing_vector<M>::type crossed(const void* from, M by) {
  typename crossing_vector<M>::type values, order;
  for (unsigned l = 0; l < __tessera_vector_bytes / sizeof(M); ++l) order[l] = (M)l ^ by;
  __builtin_memcpy(&values, from, sizeof(values));
  return __builtin_shuffle(values, order);
}
#endif

// result[t] = s[x ^ by] for the threads t of which x is the index; those that would read beyond `s` do not ask.
template <class T, unsigned long N, unsigned long E>
__tessera_function void read_across(T (&result)[N], const T (&s)[E], unsigned long long by) {
  constexpr unsigned lanes = crossing_lanes<T>;
  for (unsigned first = 0; first < N; first += lanes) {
#ifdef __tessera_vector_bytes
    if constexpr (lanes > 1) {
      using mark = mark_of<T[N]>;
      const unsigned long long at = (first ^ by) & ~(lanes - 1ULL);
      if (first + lanes <= N && at < E && E - at >= lanes) {
        const auto values = crossed<mark>(s + at, (mark)(by & (lanes - 1)));
        __builtin_memcpy(result + first, &values, sizeof(values));
        continue;
      }
    }
#endif
    for (unsigned t = first; t < first + lanes && t < N; ++t)
      if (const unsigned long long at = t % __tessera_size_x ^ by; at < E) result[t] = s[at];
  }
}

// s[x ^ by] = values[t] for the threads t that have a mark.
template <class T, unsigned long N, unsigned long E, class M>
__tessera_function void write_across(T (&s)[E], const T (&values)[N], const M (&marks)[N], unsigned long long by) {
  constexpr unsigned lanes = crossing_lanes<T>;
  for (unsigned first = 0; first < N; first += lanes) {
#ifdef __tessera_vector_bytes
    if constexpr (lanes > 1) {
      const unsigned long long at = (first ^ by) & ~(lanes - 1ULL);
      if (first + lanes <= N && at < E && E - at >= lanes) {
        const auto given = crossed<M>(values + first, (M)(by & (lanes - 1)));
        const auto marked = crossed<M>(marks + first, (M)(by & (lanes - 1)));
        typename crossing_vector<M>::type there;
        __builtin_memcpy(&there, s + at, sizeof(there));
        there = marked != 0 ? given : there;
        __builtin_memcpy(s + at, &there, sizeof(there));
        continue;
      }
    }
#endif
    for (unsigned t = first; t < first + lanes && t < N; ++t)
      if (const unsigned long long at = t % __tessera_size_x ^ by; marks[t] != 0 && at < E) s[at] = values[t];
  }
}

}  // namespace __tessera
