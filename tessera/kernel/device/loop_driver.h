// Runs a kernel without barriers as loops over its threads.
//
// A traits class K says what the wrapper knows of the kernel: it holds the arguments, calls the kernel for one thread,
// and gives per axis whether the block size is free, the block size otherwise, and the expression that the kernel
// compares its global index with.
//
// Most threads are interior: their index lies between `margin` and `bound - margin`. They run in a loop whose
// surroundings state that, so that the compiler can drop the kernel's own bounds checks and vectorise. Nothing is
// assumed that has not been tested; the other threads run in `edge`, in the same code without these facts.

#ifdef __tessera_tls
#define __tessera_simd  // A thread's indices are kept in memory that all threads of the loop share.
#else
#define __tessera_simd _Pragma("omp simd")
#endif

namespace __tessera {

struct no_bound {};
template <class T>
constexpr bool has_bound = is_integer<T>;

// The type to count in: that of the bound, so that comparisons need no conversion.
template <class T, bool Bounded>
struct counter {
  using type = int;
};
template <class T>
struct counter<T, true> {
  using type = decltype(+T{});
};
template <class T>
using counter_of = typename counter<typename bare<T>::type, has_bound<typename bare<T>::type>>::type;

constexpr long long margin = 8;
constexpr long long far_limit = 0x7fffffff;         // Indices from here on are counted in parts.
constexpr unsigned free_block = 0x80000000U;        // blockDim of an axis whose block size is free.

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
__tessera_function void call(const K& k, place<X> x, place<Y> y, place<Z> z) {
  k.__tessera_run(uint3{(unsigned)x.at - x.block * block_size<K>(0), (unsigned)y.at - y.block * block_size<K>(1),
              (unsigned)z.at - z.block * block_size<K>(2)},
        uint3{x.block, y.block, z.block});
}

// Threads [begin, end) of a row, in a loop that states nothing.
template <class K, class X, class Y, class Z>
__attribute__((noinline)) void edge(const K* kernel, X begin, X end, unsigned block, place<Y> y, place<Z> z) {
  const K k = *kernel;
  __tessera_simd
  for (X g = begin; g < end; ++g) call(k, place<X>{g, block}, y, z);
}

// Indices that an int cannot count: counted within their block, whatever the kernel computes in.
template <class K, class Y, class Z>
__attribute__((noinline, cold)) void far_edge(const K* kernel, long long begin, long long end, place<Y> y, place<Z> z) {
  const K k = *kernel;
  const unsigned ty = (unsigned)y.at - y.block * block_size<K>(1);
  const unsigned tz = (unsigned)z.at - z.block * block_size<K>(2);
  while (begin < end) {
    const unsigned block = (unsigned)(begin / block_size<K>(0));
    const long long base = (long long)block * block_size<K>(0);
    const long long limit = base + block_size<K>(0) < end ? base + block_size<K>(0) : end;
    const int first = (int)(begin - base);
    const int last = (int)(limit - base - 1);
  __tessera_simd
    for (int t = first; t < last; ++t) k.__tessera_run(uint3{(unsigned)t, ty, tz}, uint3{block, y.block, z.block});
    k.__tessera_run(uint3{(unsigned)last, ty, tz}, uint3{block, y.block, z.block});
    begin = limit;
  }
}

// Threads [begin, end) of a row, all interior: margin <= begin and end <= bound - margin.
template <class K, class X, class B, class Y, class Z>
__tessera_function void inner(const K& k, X begin, X end, B bound, unsigned block, place<Y> y, place<Z> z) {
#ifdef __clang__
  __tessera_simd
  for (X g = begin; g < end; ++g) {
    if (!(g >= (X)margin)) __builtin_unreachable();
    if (!(g < bound)) __builtin_unreachable();
    if (!(g < bound - 1)) __builtin_unreachable();
    if (!(g < bound - 2)) __builtin_unreachable();
    call(k, place<X>{g, block}, y, z);
  }
#else
  if (begin >= (X)margin && end <= bound && end <= bound - 1 && end <= bound - 2) {
  __tessera_simd
    for (X g = begin; g < end; ++g) call(k, place<X>{g, block}, y, z);
  }
#endif
}

template <class I, class B>
__tessera_function bool is_interior(I at, B bound) {
  if constexpr (has_bound<B>)
    return (long long)at >= margin && at < bound && (long long)at < (long long)bound - margin;
  else
    return false;
}

// States for a whole row that its y or z index is interior.
template <bool Interior, class I, class B>
__tessera_function bool stated(I at, B bound) {
  if constexpr (Interior && has_bound<B>)
    return at >= (I)margin && at < bound && at < bound - 1 && at < bound - 2;
  else
    return true;
}

template <bool InteriorY, bool InteriorZ, class K, class Y, class Z>
__tessera_function void piece(const K* kernel, const K& k, long long begin, long long end, unsigned block,
                              place<Y> y, place<Z> z) {
  using X = counter_of<decltype(k.__tessera_bound_x())>;
  if constexpr (has_bound<decltype(k.__tessera_bound_x())>) {
    const auto bound = +k.__tessera_bound_x();
    const long long whole = (long long)bound < 0 ? 0 : (long long)bound;
    const long long lo = begin > margin ? begin : margin;
    const long long hi = end < whole - margin ? end : whole - margin;
    if (lo < hi) {
      if (begin < lo) edge(kernel, (X)begin, (X)lo, block, y, z);
      if (stated<InteriorY>(y.at, k.__tessera_bound_y()) && stated<InteriorZ>(z.at, k.__tessera_bound_z()))
        inner(k, (X)lo, (X)hi, bound, block, y, z);
      if (hi < end) edge(kernel, (X)hi, (X)end, block, y, z);
      return;
    }
  }
  edge(kernel, (X)begin, (X)end, block, y, z);
}

// The threads of a row: x in [begin, end), y and z fixed.
template <bool InteriorY, bool InteriorZ, class K, class Y, class Z>
__attribute__((noinline)) void row(const K* kernel, long long begin, long long end, place<Y> y, place<Z> z) {
  const K k = *kernel;
  const long long near = end < far_limit ? end : far_limit;
  if constexpr (K::__tessera_reblock(0)) {
    if (begin < near) piece<InteriorY, InteriorZ>(kernel, k, begin, near, 0U, y, z);
  } else {
    for (; begin + K::__tessera_block(0) <= near; begin += K::__tessera_block(0))
      piece<InteriorY, InteriorZ>(kernel, k, begin, begin + K::__tessera_block(0), (unsigned)begin / K::__tessera_block(0), y, z);
  }
  const long long rest = K::__tessera_reblock(0) && begin < near ? near : begin;
  if (rest < end) far_edge(kernel, rest, end, y, z);
}

template <class K, class Y, class Z>
__tessera_function void rows(const K& k, long long begin, long long end, place<Y> y, place<Z> z) {
  constexpr bool bounded_y = has_bound<decltype(k.__tessera_bound_y())>;
  constexpr bool bounded_z = has_bound<decltype(k.__tessera_bound_z())>;
  if constexpr (bounded_y && bounded_z)
    is_interior(y.at, k.__tessera_bound_y()) && is_interior(z.at, k.__tessera_bound_z()) ? row<true, true>(&k, begin, end, y, z)
                                                                     : row<false, false>(&k, begin, end, y, z);
  else if constexpr (bounded_y)
    is_interior(y.at, k.__tessera_bound_y()) ? row<true, false>(&k, begin, end, y, z) : row<false, false>(&k, begin, end, y, z);
  else if constexpr (bounded_z)
    is_interior(z.at, k.__tessera_bound_z()) ? row<false, true>(&k, begin, end, y, z) : row<false, false>(&k, begin, end, y, z);
  else
    row<false, false>(&k, begin, end, y, z);
}

// Axis `D` of index `at`: the block it lies in.
template <class K, class I>
__tessera_function place<I> place_of(int axis, long long at) {
  return {(I)at, (unsigned)(at / block_size<K>(axis))};
}

template <class K>
__tessera_function void run_loops(const K& k, const tessera_cpu_launch* launch) {
  long long begin[3];
  long long end[3];
  for (int a = 0; a < 3; ++a) {
    begin[a] = (long long)launch->block_begin[a] * launch->block_dim[a];
    end[a] = (long long)launch->block_end[a] * launch->block_dim[a];
  }
  for (int a = 0; a < 3; ++a)
    if (!K::__tessera_reblock(a) && launch->block_dim[a] != K::__tessera_block(a)) __builtin_trap();
  if (begin[0] >= end[0]) return;
  for (long long z = begin[2]; z < end[2]; ++z)
    for (long long y = begin[1]; y < end[1]; ++y)
      rows(k, begin[0], end[0], place_of<K, counter_of<decltype(k.__tessera_bound_y())>>(1, y),
           place_of<K, counter_of<decltype(k.__tessera_bound_z())>>(2, z));
}

}  // namespace __tessera
