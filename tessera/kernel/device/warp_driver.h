// Warp functions of kernels that were cut at them: the results of all threads from the operands of all. A warp is 32
// threads next to each other in the order of x, y, z; the last one of a block may have fewer. A lane that does not take
// part (it has returned, or waits elsewhere) shows nothing: who asks for it gets its own value.

// Loops over lanes that would only make the text longer if they were unrolled.
#ifdef __clang__
#define __tessera_rolled _Pragma("clang loop unroll(disable)")
#else
#define __tessera_rolled
#endif

namespace __tessera {

constexpr unsigned warp_lanes = 32;

// Threads that take part.
struct everyone {
  unsigned begin() const { return 0; }
  unsigned end() const { return __tessera_threads; }
  bool operator()(unsigned) const { return true; }
  bool whole_warp(unsigned first) const { return first + warp_lanes <= __tessera_threads; }
};
struct boxed {
  thread_box box;
  static constexpr bool one_row = __tessera_size_x == __tessera_threads;
  unsigned begin() const { return one_row ? box.begin[0] : 0; }
  unsigned end() const { return one_row ? box.end[0] : __tessera_threads; }
  bool operator()(unsigned t) const {
    if (one_row) return t >= box.begin[0] && t < box.end[0];
    const unsigned x = t % __tessera_size_x, y = t / __tessera_size_x % __tessera_size_y,
                   z = t / (__tessera_size_x * __tessera_size_y);
    const bool row = y >= box.begin[1] && y < box.end[1] && z >= box.begin[2] && z < box.end[2];
    return x >= box.begin[0] && x < box.end[0] && row;
  }
  bool whole_warp(unsigned first) const { return one_row && first >= box.begin[0] && first + warp_lanes <= box.end[0]; }
};
// Those of one warp that lies within a row: all of them, or those in a box.
struct one_warp {
  unsigned first;
  unsigned begin() const { return first; }
  unsigned end() const { return first + warp_lanes; }
  bool operator()(unsigned t) const { return t - first < warp_lanes; }
  bool whole_warp(unsigned) const { return true; }
};
struct boxed_warp {
  unsigned first;
  thread_box box;
  unsigned row() const { return first - first % __tessera_size_x; }
  unsigned begin() const { return row() + box.begin[0]; }
  unsigned end() const { return row() + box.end[0]; }
  bool operator()(unsigned t) const { return t >= begin() && t < end(); }
  bool whole_warp(unsigned) const { return end() - begin() == warp_lanes; }
};
template <class Others>
struct marked {
  const unsigned char* marks;
  Others others;
  unsigned begin() const { return others.begin(); }
  unsigned end() const { return others.end(); }
  bool operator()(unsigned t) const { return marks[t] != 0 && others(t); }
  bool whole_warp(unsigned first) const {
    if (!others.whole_warp(first)) return false;
    unsigned char all = 1;
    for (unsigned l = 0; l < warp_lanes; ++l) all &= marks[first + l];
    return all != 0;
  }
};
template <class Others>
marked(const unsigned char*, Others) -> marked<Others>;

// The lanes of one warp, by their numbers in it.
template <class Others>
struct lanes {
  unsigned first;
  Others others;
  unsigned begin() const { return others.begin() - first; }
  unsigned end() const { return others.end() - first; }
  bool operator()(unsigned l) const { return others(first + l); }
  bool whole_warp(unsigned) const { return others.whole_warp(first); }
};
template <class Others>
lanes(unsigned, Others) -> lanes<Others>;

template <class T, class Active>
__tessera_function T shown_by(unsigned other, const T* source, const Active& active, unsigned t) {
  return other < __tessera_threads && active(other) ? source[other] : source[t];
}

// Each function computes the result of one thread (`lane`); where its arguments are the same for all, of a warp
// (`warp`). A shuffle is known by the lane that each lane asks (`asked`).

#define __tessera_shuffle(name, type, value)                                                            \
  struct name {                                                                                         \
    static constexpr bool shuffles = true;                                                              \
    static __tessera_inline unsigned asked(unsigned mine, unsigned, type by, int width = 32) {          \
      const unsigned within = (unsigned)width - 1U;                                                     \
      return value;                                                                                     \
    }                                                                                                   \
    template <class T, class Active, class... A>                                                        \
    static __tessera_inline T lane(const T* source, const Active& active, unsigned t, A... arguments) { \
      return shown_by((t & ~31U) + asked(t & 31U, arguments...), source, active, t);                    \
    }                                                                                                   \
  };
__tessera_shuffle(shuffle_index, int, (mine & ~within) | ((unsigned)by & within))
    __tessera_shuffle(shuffle_up, unsigned, (mine & within) >= by ? mine - by : mine)
        __tessera_shuffle(shuffle_down, unsigned,
                          by < (unsigned)width && (mine & within) + by < (unsigned)width ? mine + by : mine)
            __tessera_shuffle(shuffle_xor, int,
                              (mine ^ (unsigned)by) < (mine & ~within) + (unsigned)width ? mine ^ (unsigned)by : mine)
#define __tessera_old_shuffle(name)                                                                     \
  struct old_##name {                                                                                   \
    static constexpr bool shuffles = true;                                                              \
    template <class... A>                                                                               \
    static __tessera_inline unsigned asked(unsigned mine, A... arguments) {                             \
      return name::asked(mine, ~0U, arguments...);                                                      \
    }                                                                                                   \
    template <class T, class Active, class... A>                                                        \
    static __tessera_inline T lane(const T* source, const Active& active, unsigned t, A... arguments) { \
      return name::lane(source, active, t, ~0U, arguments...);                                          \
    }                                                                                                   \
  };
                __tessera_old_shuffle(shuffle_index) __tessera_old_shuffle(shuffle_up)
                    __tessera_old_shuffle(shuffle_down) __tessera_old_shuffle(shuffle_xor)

    // The lanes of the warp that begins at `first`: who takes part, and who says yes.
    struct tally {
  unsigned present, yes;
};
template <class T, class Active>
__tessera_function tally count_warp(const T* source, const Active& active, unsigned first) {
  tally result{0, 0};
  __tessera_rolled for (unsigned l = 0; l < warp_lanes && first + l < __tessera_threads; ++l) {
    const bool there = active(first + l);
    result.present |= (unsigned)there << l;
    if (there && source[first + l] != 0) result.yes |= 1U << l;
  }
  return result;
}

#define __tessera_vote(name, type, value)                                                                     \
  struct name {                                                                                               \
    static constexpr bool per_warp = true;                                                                    \
    template <class T, class Active>                                                                          \
    static __tessera_inline type warp(const T* source, const Active& active, unsigned first, unsigned mask) { \
      const tally votes = count_warp(source, active, first);                                                  \
      return value;                                                                                           \
    }                                                                                                         \
    template <class T, class Active>                                                                          \
    static __tessera_inline type lane(const T* source, const Active& active, unsigned t, unsigned mask) {     \
      return warp(source, active, t & ~31U, mask);                                                            \
    }                                                                                                         \
  };                                                                                                          \
  struct old_##name : name {                                                                                  \
    template <class T, class Active>                                                                          \
    static __tessera_inline type warp(const T* source, const Active& active, unsigned first) {                \
      return name::warp(source, active, first, ~0U);                                                          \
    }                                                                                                         \
  };
__tessera_vote(ballot, unsigned, votes.yes& mask) __tessera_vote(any, int, (votes.yes & mask) != 0)
    __tessera_vote(all, int, ((votes.present & ~votes.yes) & mask) == 0)

        struct active_mask {
  static constexpr bool per_warp = true;
  template <class Active>
  static __tessera_inline unsigned warp(const int*, const Active& active, unsigned first) {
    unsigned result = 0;
    __tessera_rolled for (unsigned l = 0; l < warp_lanes && first + l < __tessera_threads; ++l) result |=
        (unsigned)active(first + l) << l;
    return result;
  }
};

#define __tessera_reduction(name, step)                                                                    \
  struct name {                                                                                            \
    static constexpr bool per_warp = true;                                                                 \
    template <class T, class Active>                                                                       \
    static __tessera_inline T warp(const T* source, const Active& active, unsigned first, unsigned mask) { \
      T a{};                                                                                               \
      bool begun = false;                                                                                  \
      __tessera_rolled for (unsigned l = 0; l < warp_lanes && first + l < __tessera_threads; ++l) {        \
        if (!active(first + l) || (mask >> l & 1U) == 0) continue;                                         \
        const T b = source[first + l];                                                                     \
        a = begun ? (T)(step) : b;                                                                         \
        begun = true;                                                                                      \
      }                                                                                                    \
      return a;                                                                                            \
    }                                                                                                      \
    template <class T, class Active>                                                                       \
    static __tessera_inline T lane(const T* source, const Active& active, unsigned t, unsigned mask) {     \
      return warp(source, active, t & ~31U, mask);                                                         \
    }                                                                                                      \
  };
__tessera_reduction(reduce_add, (unsigned)a + (unsigned)b) __tessera_reduction(reduce_min, b < a ? b : a)
    __tessera_reduction(reduce_max, b > a ? b : a) __tessera_reduction(reduce_and, a& b)
        __tessera_reduction(reduce_or, a | b) __tessera_reduction(reduce_xor, a ^ b)

            struct match_any {
  template <class T, class Active>
  static __tessera_inline unsigned lane(const T* source, const Active& active, unsigned t, unsigned mask) {
    unsigned result = 0;
    const unsigned first = t & ~31U;
    __tessera_rolled for (unsigned l = 0; l < warp_lanes && first + l < __tessera_threads;
                          ++l) if (active(first + l) && source[first + l] == source[t]) result |= 1U << l;
    return result & mask;
  }
};

// Of the whole block.
struct block_count {
  static constexpr bool per_block = true;
  template <class T, class Active>
  static __tessera_inline int block(const T* source, const Active& active, int& present) {
    int yes = 0;
    __tessera_rolled for (unsigned t = 0; t < __tessera_threads; ++t) {
      const bool there = active(t);
      present += there;
      yes += there && source[t] != 0;
    }
    return yes;
  }
  static __tessera_inline int result(int yes, int) { return yes; }
};
struct block_or : block_count {
  static __tessera_inline int result(int yes, int) { return yes != 0; }
};
struct block_and : block_count {
  static __tessera_inline int result(int yes, int present) { return yes == present; }
};

// The warp whose values the lanes of another one see: its own.
#ifndef __tessera_warp_seen
#define __tessera_warp_seen(first) first
#endif

// The values of a whole warp in the order in which lanes ask for them.
template <class T>
__tessera_function void permute(T* __restrict__ result, const T* __restrict__ source, const unsigned (&asked)[32]) {
#if defined(__AVX512F__) && !defined(__clang__)
  if constexpr (sizeof(T) == 4) {
    typedef int lanes __attribute__((vector_size(64)));
    lanes values[2], order[2];
    __builtin_memcpy(values, source, sizeof(values));
    __builtin_memcpy(order, asked, sizeof(order));
    const lanes low = __builtin_shuffle(values[0], values[1], order[0]);
    const lanes high = __builtin_shuffle(values[0], values[1], order[1]);
    __builtin_memcpy(result, &low, sizeof(low));
    __builtin_memcpy(result + 16, &high, sizeof(high));
    return;
  }
#endif
  __tessera_vectorised for (unsigned l = 0; l < warp_lanes; ++l) result[l] = source[asked[l]];
}

// A shuffle of all threads that take part. Whole warps, in which all do, need no look at each lane.
template <class F, class T, class Active, class... A>
__tessera_function void shuffle_all(T* result, const T* source, const Active& active, A... arguments) {
  unsigned asked[32];
  __tessera_vectorised for (unsigned l = 0; l < warp_lanes; ++l) asked[l] = F::asked(l, arguments...);
  for (unsigned first = active.begin() & ~31U; first < active.end(); first += warp_lanes) {
    if (active.whole_warp(first)) {
      permute(result + first, source + __tessera_warp_seen(first), asked);
      continue;
    }
    const unsigned end = first + warp_lanes < __tessera_threads ? first + warp_lanes : __tessera_threads;
    __tessera_rolled for (unsigned t = first; t < end; ++t) if (active(t)) result[t] =
        shown_by(__tessera_warp_seen(first) + asked[t - first], source, active, t);
  }
}

// Computes a function for all threads that take part, with arguments that are the same for all.
template <class F, class R, class T, class Active, class... A>
__tessera_function void exchange(R* result, const T* source, const Active active, A... arguments) {
  if constexpr (requires { F::per_block; }) {
    int present = 0;
    const int yes = F::block(source, active, present);
    for (unsigned t = 0; t < __tessera_threads; ++t) result[t] = F::result(yes, present);
  } else if constexpr (requires { F::per_warp; }) {
    for (unsigned first = active.begin() & ~31U; first < active.end(); first += warp_lanes) {
      const R value = F::warp(source, active, first, arguments...);
      __tessera_rolled for (unsigned l = 0; l < warp_lanes && first + l < __tessera_threads; ++l) result[first + l] =
          value;
    }
  } else if constexpr (requires { F::shuffles; }) {
    shuffle_all<F>(result, source, active, arguments...);
  } else {
    for (unsigned t = active.begin(); t < active.end(); ++t)
      if (active(t)) result[t] = F::lane(source, active, t, arguments...);
  }
}

// A shuffle down a whole warp by `by` lanes, of which the first `by` lanes count, at most 16: the others need not ask
// beyond the first half.
template <class F, class T, class Active>
__tessera_function void half_exchange(T* result, const T* source, const Active, unsigned, unsigned by) {
  unsigned asked[16];
  __tessera_vectorised for (unsigned l = 0; l < 16; ++l) asked[l] = by == 16 || l + by < 16 ? l + by : l;
#if defined(__AVX512F__) && !defined(__clang__)
  if constexpr (sizeof(T) == 4) {
    typedef int lanes __attribute__((vector_size(64)));
    lanes values[2], order;
    __builtin_memcpy(values, source, sizeof(values));
    __builtin_memcpy(&order, asked, sizeof(order));
    const lanes shown = __builtin_shuffle(values[0], values[1], order);
    __builtin_memcpy(result, &shown, sizeof(shown));
    return;
  }
#endif
  __tessera_vectorised for (unsigned l = 0; l < 16; ++l) result[l] = source[asked[l]];
}

}  // namespace __tessera
