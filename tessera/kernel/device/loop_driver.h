// Runs a kernel without barriers as loops over its threads.
//
// A traits class K says what the wrapper knows of the kernel: it holds the arguments, calls the kernel for one thread,
// and gives per axis whether the block size is free, the block size otherwise, the expression that the kernel
// compares its global index with, and the type of that index. `wide` says that the kernel takes its index along x from
// `__tessera_place` wherever it computes it in 64 bits.
//
// Most threads are interior: their index lies at least `margin` (the largest small number in the kernel's text) away
// from 0 and from the bound. They run in a loop whose surroundings state that, so that the compiler can drop the
// kernel's own bounds checks and vectorise. Nothing is assumed that has not been tested; the other threads run in
// `edge`, in the same code without these facts. `enters` is another one: that all loops within the kernel whose bounds
// are the same for all threads have at least one turn, so that no condition stands before them. Around one such loop
// the loop over threads can be vectorised. `accumulated` has a bit for each parameter that is reached by atomics alone
// (see tessera_cpu_launch::own). Where these are elements that the text names, `sum` runs the threads with variables in
// their place, which stay in registers.

#ifdef __tessera_tls
#define __tessera_simd  // A thread's indices are kept in memory that all threads of the loop share.
#else
#define __tessera_simd __tessera_vectorised
#endif

namespace __tessera {

struct no_bound {};
template <class T>
constexpr bool has_bound = is_integer<T>;

// The type to count an axis in, so that comparisons need no conversion: that of the bound, or what it and the kernel's
// index have in common. An Index of int says that the kernel computes its index in 32 bits.
template <class Index, class T, bool Bounded>
struct counter {
  using type = Index;
};
template <class Index, class T>
struct counter<Index, T, true> {
  using type = decltype(Index{} + T{});
};
template <class T>
struct counter<int, T, true> {
  using type = decltype(+T{});
};
template <class Index, class T>
using counter_of = typename counter<Index, typename bare<T>::type, has_bound<typename bare<T>::type>>::type;

template <class K>
using count_x = counter_of<typename K::__tessera_index_x, decltype(((const K*)nullptr)->__tessera_bound_x())>;
template <class K>
using count_y = counter_of<typename K::__tessera_index_y, decltype(((const K*)nullptr)->__tessera_bound_y())>;
template <class K>
using count_z = counter_of<typename K::__tessera_index_z, decltype(((const K*)nullptr)->__tessera_bound_z())>;

constexpr long long far_limit = 0x7fffffff;   // Indices from here on are counted in parts, if counted in 32 bits.
constexpr unsigned free_block = 0x40000000U;  // blockDim of an axis whose block size is free.

// One axis of one thread: its global index and the block it lies in. The thread's index within the block is computed
// from the two, because the compiler then finds that blockIdx * blockDim + threadIdx is the global index.
template <class I>
struct place {
  I at;
  unsigned block;
};

template <class K>
constexpr unsigned block_size(int axis) {
  return K::__tessera_reblock(axis) ? free_block : K::__tessera_block(axis);
}

template <class K, class X, class Y, class Z>
__tessera_function void call(const K& k, place<X> x, place<Y> y, place<Z> z, unsigned long long own,
                             bool in_loop = false) {
  k.__tessera_run(uint3{(unsigned)x.at - x.block * block_size<K>(0), (unsigned)y.at - y.block * block_size<K>(1),
                        (unsigned)z.at - z.block * block_size<K>(2)},
                  uint3{x.block, y.block, z.block},
                  __tessera_place{(long long)x.at, (long long)y.at, (long long)z.at, own, 0, in_loop});
}

// Thread (t, ty, tz) of a block.
template <class K, class Y, class Z>
__tessera_function void call_within(const K& k, long long t, unsigned block, place<Y> y, place<Z> z) {
  const long long x = (long long)block * block_size<K>(0) + t;
  const unsigned ty = (unsigned)y.at - y.block * block_size<K>(1);
  const unsigned tz = (unsigned)z.at - z.block * block_size<K>(2);
  k.__tessera_run(uint3{(unsigned)t, ty, tz}, uint3{block, y.block, z.block},
                  __tessera_place{K::__tessera_wide ? x : (long long)(unsigned)x, (long long)y.at, (long long)z.at,
                                  k.__tessera_own, 0});
}

// Threads [begin, middle) and [resume, end) of a row, in a loop that states nothing.
template <class K, class X, class Y, class Z>
__attribute__((noinline)) void edge(const K* kernel, X begin, X middle, X resume, X end, unsigned block, place<Y> y,
                                    place<Z> z) {
  const K k = *kernel;
  for (int part = 0; part < 2; ++part) {
    __tessera_simd for (X g = begin; g < middle; ++g) call(k, place<X>{g, block}, y, z, k.__tessera_own);
    begin = resume;
    middle = end;
  }
}

// These ranges when they hold few threads: not worth the start of a vector loop. Counted within the block.
template <class K>
using count_few = typename pick<K::__tessera_wide, long long, unsigned>::type;
template <class K, class Y, class Z>
__attribute__((noinline)) void few(const K* kernel, count_few<K> begin, count_few<K> middle, count_few<K> resume,
                                   count_few<K> end, unsigned block, place<Y> y, place<Z> z) {
  const K k = *kernel;
  for (count_few<K> t = begin; t != end; ++t) {
    if (t == middle) t = resume;
    if (t == end) break;
    call_within(k, t, block, y, z);
  }
}

// Indices that an int cannot count, where the kernel computes in 32 bits: block by block.
template <class K, class Y, class Z>
__tessera_function void far_edge(const K* kernel, long long begin, long long end, place<Y> y, place<Z> z) {
  while (begin < end) {
    const unsigned block = (unsigned)(begin / block_size<K>(0));
    const long long base = (long long)block * block_size<K>(0);
    const long long limit = base + block_size<K>(0) < end ? base + block_size<K>(0) : end;
    const unsigned last = (unsigned)(limit - base);
    few(kernel, (unsigned)(begin - base), last, last, last, block, y, z);
    begin = limit;
  }
}

// True if [begin, end) keeps `margin` away from 0 and from the bound, said in all the ways that a kernel may ask.
template <class K, class I, class B>
__tessera_function bool keeps_margin(I begin, I end, B bound) {
  constexpr int margin = K::__tessera_margin;
  return begin >= (I)margin && end <= bound && (margin < 1 || end <= bound - 1) && (margin < 2 || end <= bound - 2) &&
         (margin < 3 || end <= bound - 3) && end <= bound - margin;
}

// Whether a row's y or z index is interior; an axis without a bound always is.
template <class K, class I, class B>
__tessera_function bool is_interior(I at, B bound) {
  constexpr int margin = K::__tessera_margin;
  if constexpr (has_bound<B>) {
    const I last = bound;
    return bound > (B)(2 * margin) && at >= (I)margin && at < last && (margin < 1 || at < last - 1) &&
           (margin < 2 || at < last - 2) && (margin < 3 || at < last - 3) && at < last - margin;
  } else {
    return true;
  }
}

// Whether a row's y or z index is interior (Inside) or at least within the bound.
template <bool Inside, class K, class I, class B>
__tessera_function bool is_within(I at, B bound) {
  if constexpr (Inside)
    return is_interior<K>(at, bound);
  else if constexpr (has_bound<B>)
    return at >= 0 && at < (I)bound;
  else
    return true;
}
template <bool Inside, class K, class Y, class Z>
__tessera_function bool row_is_within(const K& k, place<Y> y, place<Z> z) {
  return is_within<Inside, K>(y.at, k.__tessera_bound_y()) && is_within<Inside, K>(z.at, k.__tessera_bound_z());
}

// Threads [begin, end) of a row, all interior on x, and on y and z too if Inside. A function of its own: within the
// loops over rows the compiler would run out of registers.
template <bool Inside, class K, class X, class Y, class Z>
__attribute__((noinline)) void inner(const K* kernel, X begin, X end, unsigned block, place<Y> y, place<Z> z) {
  const K k = *kernel;
  if (!row_is_within<Inside>(k, y, z) || !k.__tessera_enters()) return;
  if constexpr (!has_bound<decltype(k.__tessera_bound_x())>) {
    __tessera_simd for (X g = begin; g < end; ++g) call(k, place<X>{g, block}, y, z, k.__tessera_own);
  } else {
    const X bound = k.__tessera_bound_x();
#ifdef __clang__
    __tessera_simd for (X g = begin; g < end; ++g) {
      constexpr int margin = K::__tessera_margin;
      if (!(g >= (X)margin)) __builtin_unreachable();
      if (!(g < bound)) __builtin_unreachable();
      if (margin >= 1 && !(g < bound - 1)) __builtin_unreachable();
      if (margin >= 2 && !(g < bound - 2)) __builtin_unreachable();
      call(k, place<X>{g, block}, y, z, k.__tessera_own);
    }
#else
    if (keeps_margin<K>(begin, end, bound)) {
      if (K::__tessera_accumulated != 0 && k.__tessera_own == K::__tessera_accumulated) {
        if constexpr (K::__tessera_sums)
          k.__tessera_sum(begin, end, block, y, z);
        else
          for (X g = begin; g < end; ++g) call(k, place<X>{g, block}, y, z, K::__tessera_accumulated);
      } else {
        __tessera_simd for (X g = begin; g < end; ++g) call(k, place<X>{g, block}, y, z, k.__tessera_own);
      }
    }
#endif
  }
}

// Threads [begin, end) of one row and, where blocks have a fixed size, of one block.
template <class K, class Y, class Z>
__tessera_function void piece(const K* kernel, const K& k, long long begin, long long end, unsigned block, place<Y> y,
                              place<Z> z) {
  if constexpr (K::__tessera_has_strip) return strips(kernel, k, begin, end, block, y, z);
  using X = count_x<K>;
  long long lo = end;
  long long hi = end;
  if constexpr (!has_bound<decltype(k.__tessera_bound_x())>) {
    if (k.__tessera_enters() && row_is_within<true>(k, y, z)) {
      lo = begin;
      inner<true>(kernel, (X)begin, (X)end, block, y, z);
    }
  } else {
    constexpr long long margin = K::__tessera_margin;
    const auto bound = +k.__tessera_bound_x();
    const long long whole = (long long)bound < 0 ? 0 : (long long)bound;
    const long long first = begin > margin ? begin : margin;
    const long long last = end < whole - margin ? end : whole - margin;
    if (first < last && row_is_within<false>(k, y, z) && k.__tessera_enters()) {
      lo = first;
      hi = last;
      if (row_is_within<true>(k, y, z))
        inner<true>(kernel, (X)lo, (X)hi, block, y, z);
      else
        inner<false>(kernel, (X)lo, (X)hi, block, y, z);
    }
  }
  const long long base = (long long)block * block_size<K>(0);
  const long long left = lo - begin + end - hi;
  // Threads outside all bounds mostly end at once.
  if (left >= (row_is_within<false>(k, y, z) ? 32 : 512))
    edge(kernel, (X)begin, (X)lo, (X)hi, (X)end, block, y, z);
  else if (left > 0)
    few(kernel, (count_few<K>)(begin - base), (count_few<K>)(lo - base), (count_few<K>)(hi - base),
        (count_few<K>)(end - base), block, y, z);
}

// The threads of a row: x in [begin, end), y and z fixed.
template <class K, class Y, class Z>
__tessera_function void row(const K* kernel, const K& k, long long begin, long long end, place<Y> y, place<Z> z) {
  const long long near = K::__tessera_wide || end < far_limit ? end : far_limit;
  if constexpr (K::__tessera_reblock(0)) {
    if (begin < near) piece(kernel, k, begin, near, 0U, y, z);
    begin = begin < near ? near : begin;
  } else {
    for (; begin + K::__tessera_block(0) <= near; begin += K::__tessera_block(0))
      piece(kernel, k, begin, begin + K::__tessera_block(0), (unsigned)(begin / K::__tessera_block(0)), y, z);
  }
  if (begin < end) far_edge(kernel, begin, end, y, z);
}

// Index `at` of an axis, with the block it lies in.
template <class K, class I>
__tessera_function place<I> place_of(int axis, long long at) {
  return {(I)at, (unsigned)(at / block_size<K>(axis))};
}

// The threads of a row. Where they walk in steps of the grid, the text of the kernel is one turn: all threads take
// their first one, then all their second, each time on elements beside each other.
template <class K, class Y, class Z>
__tessera_function void turns(const K* kernel, const K& k, long long begin, long long end,
                              const tessera_cpu_launch* launch, place<Y> y, place<Z> z) {
  if constexpr (K::__tessera_strided) {
    const long long step = (long long)launch->grid_dim[0] * launch->block_dim[0];
    const long long last = k.__tessera_walk_end();
    for (long long at = begin; at < last; at += step)
      row(kernel, k, at, last - at < end - begin ? last : at + (end - begin), y, z);
  } else {
    row(kernel, k, begin, end, y, z);
  }
}

// The end of a walk as the kernel compares with it, as far as its counter can go.
template <bool Wide, class T>
__tessera_function constexpr long long walk_end(T bound, bool inclusive) {
  constexpr long long most = Wide ? 0x7fffffffffffffff : 0x100000000;
  const bool beyond = bound > 0 && (unsigned long long)bound >= (unsigned long long)most;
  return beyond ? most : (long long)bound + (inclusive ? 1 : 0);
}

template <class K>
__tessera_function void run_loops(const K& kernel, const tessera_cpu_launch* launch) {
  long long begin[3];
  long long end[3];
  for (int a = 0; a < 3; ++a) {
    begin[a] = (long long)launch->block_begin[a] * launch->block_dim[a];
    end[a] = (long long)launch->block_end[a] * launch->block_dim[a];
    if (!K::__tessera_reblock(a) && launch->block_dim[a] != K::__tessera_block(a)) __builtin_trap();
    if (begin[a] >= end[a]) return;
  }
  const K k = kernel;  // A copy that nothing points to: its members stay in registers.
  for (long long z = begin[2]; z < end[2]; ++z)
    for (long long y = begin[1]; y < end[1]; ++y)
      turns(&kernel, k, begin[0], end[0], launch, place_of<K, count_y<K>>(1, y), place_of<K, count_z<K>>(2, z));
}

}  // namespace __tessera
