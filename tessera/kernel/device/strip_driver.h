// Runs strips of neighbouring threads of a row, where the text has a function for them (strip/strip_text.h): it is
// called once per strip and holds loops over the strip's threads. Threads that do not pass the kernel's guard do
// nothing.

constexpr unsigned __tessera_threads = 128;  // of a strip at most: what they keep stays in the first cache

// At the begin of the function: `__tessera_at` is the place of the first thread, with the strip's end.
#define __tessera_begin_strip                                                  \
  const uint3 __tessera_first = threadIdx;                                     \
  const __tessera_place __tessera_from = __tessera_at;                         \
  const __tessera_counter __tessera_begin = (__tessera_counter)__tessera_at.x, \
                          __tessera_end = (__tessera_counter)__tessera_at.end;
#define __tessera_each_thread \
  __tessera_vectorised for (__tessera_counter __tessera_g = __tessera_begin; __tessera_g < __tessera_end; ++__tessera_g)
#define __tessera_this_thread                                                                                      \
  const uint3 threadIdx = {(unsigned)__tessera_g - blockIdx.x * blockDim.x, __tessera_first.y, __tessera_first.z}; \
  const __tessera_place __tessera_at = {__tessera_g, __tessera_from.y, __tessera_from.z, __tessera_from.own, 0};   \
  const long long __tessera_t = (long long)__tessera_g - __tessera_begin;

#ifndef __tessera_guarded
#define __tessera_guarded(passes) (passes)
#endif

namespace __tessera {

// Threads [begin, end), which all pass the guard.
template <class K, class Y, class Z>
__attribute__((noinline)) void strip(const K* kernel, long long begin, long long end, unsigned block, place<Y> y,
                                     place<Z> z) {
  const K k = *kernel;
  k.__tessera_run_strip(uint3{(unsigned)begin - block * block_size<K>(0), (unsigned)y.at - y.block * block_size<K>(1),
                              (unsigned)z.at - z.block * block_size<K>(2)},
                        uint3{block, y.block, z.block},
                        __tessera_place{begin, (long long)y.at, (long long)z.at, k.__tessera_own, end});
}

// Threads [begin, end) of one row and, where blocks have a fixed size, of one block.
template <class K, class Y, class Z>
__tessera_function void strips(const K* kernel, const K& k, long long begin, long long end, unsigned block, place<Y> y,
                               place<Z> z) {
  const auto passes = [&](long long at) {
    return k.__tessera_passes(
        uint3{(unsigned)at - block * block_size<K>(0), (unsigned)y.at - y.block * block_size<K>(1),
              (unsigned)z.at - z.block * block_size<K>(2)},
        uint3{block, y.block, z.block}, __tessera_place{at, (long long)y.at, (long long)z.at, k.__tessera_own, 0});
  };
  constexpr long long fewest = 8;  // threads that are worth the start of vector loops
  for (; begin < end; begin += __tessera_threads) {
    long long lo = begin, hi = begin + __tessera_threads < end ? begin + __tessera_threads : end;
    while (lo < hi && !__tessera_guarded(passes(lo))) ++lo;
    while (lo < hi && !__tessera_guarded(passes(hi - 1))) --hi;
    bool all = hi - lo >= fewest;
    for (long long at = lo; at < hi && all; ++at) all = __tessera_guarded(passes(at));
    const long long base = (long long)block * block_size<K>(0);
    if (all)
      strip(kernel, lo, hi, block, y, z);
    else if (lo < hi)
      few(kernel, (count_few<K>)(lo - base), (count_few<K>)(hi - base), (count_few<K>)(hi - base),
          (count_few<K>)(hi - base), block, y, z);
  }
}

}  // namespace __tessera
