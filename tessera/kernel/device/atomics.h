// CUDA's atomics. Several OS threads run blocks of one launch: these are real atomics, relaxed as on a GPU.
namespace __tessera {
template <class T, class F>
__tessera_function T update(T* p, F change) {
  using bits = typename pick<sizeof(T) == 4, unsigned, unsigned long>::type;
  bits* const at = (bits*)p;
  bits seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (true) {
    const T old = bits_as<T>(seen);
    if (__atomic_compare_exchange_n(at, &seen, bits_as<bits>((T)change(old)), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return old;
  }
}
}  // namespace __tessera

#define __tessera_atomic(name, T, builtin) \
  __tessera_function T name(T* p, T v) { return builtin(p, v, __ATOMIC_RELAXED); }
#define __tessera_atomic_update(name, T, expression)                \
  __tessera_function T name(T* p, T v) {                            \
    return __tessera::update(p, [v](T old) { return expression; }); \
  }
#define __tessera_atomic_integer(T)                                                                               \
  __tessera_atomic(atomicAdd, T, __atomic_fetch_add) __tessera_atomic(atomicSub, T, __atomic_fetch_sub)           \
      __tessera_atomic(atomicAnd, T, __atomic_fetch_and) __tessera_atomic(atomicOr, T, __atomic_fetch_or)         \
          __tessera_atomic(atomicXor, T, __atomic_fetch_xor) __tessera_atomic(atomicExch, T, __atomic_exchange_n) \
              __tessera_atomic_update(atomicMin, T, v < old ? v : old)                                            \
                  __tessera_atomic_update(atomicMax, T, v > old ? v : old) __tessera_function T                   \
                  atomicCAS(T* p, T expected, T v) {                                                              \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                      \
    return expected;                                                                                              \
  }
__tessera_atomic_integer(int) __tessera_atomic_integer(unsigned) __tessera_atomic_integer(long)
    __tessera_atomic_integer(unsigned long) __tessera_atomic_integer(long long)
        __tessera_atomic_integer(unsigned long long) __tessera_atomic_update(atomicInc, unsigned,
                                                                             old >= v ? 0U : old + 1U)
            __tessera_atomic_update(atomicDec, unsigned, old == 0U || old > v ? v : old - 1U)
                __tessera_atomic_update(atomicAdd, float, old + v) __tessera_atomic_update(atomicAdd, double, old + v)
                    __tessera_atomic_update(atomicExch, float, v) __tessera_atomic_update(atomicExch, double, v)
#undef __tessera_atomic
#undef __tessera_atomic_update
#undef __tessera_atomic_integer

// An atomic whose value is not used: a plain change where no other core uses the memory. Volatile, because two threads
// of a loop over threads may change one element, unless what is changed is a variable of that loop.
#define __tessera_owned_atomic(name, expression)                       \
  template <class T, class V>                                          \
  __tessera_function void __tessera_##name(int owner, T* p, V given) { \
    if constexpr (__tessera::is_arithmetic<T>) {                       \
      if (owner == __tessera::own_loop) {                              \
        const T v = (T)given, old = *p;                                \
        *p = (T)(expression);                                          \
        return;                                                        \
      }                                                                \
      if (owner == __tessera::own_core) {                              \
        const T v = (T)given, old = *(volatile T*)p;                   \
        *(volatile T*)p = (T)(expression);                             \
        return;                                                        \
      }                                                                \
    }                                                                  \
    name(p, given);                                                    \
  }
                        __tessera_owned_atomic(atomicAdd, old + v) __tessera_owned_atomic(atomicMin, v < old ? v : old)
                            __tessera_owned_atomic(atomicMax, v > old ? v : old)
#undef __tessera_owned_atomic

// Atomics on memory of the block, which runs on one core. Volatile for the same reason.
#define __tessera_shared_atomic(name, expression)               \
  template <class T, class V>                                   \
  __tessera_function T __tessera_shared_##name(T* p, V given) { \
    if constexpr (__tessera::is_arithmetic<T>) {                \
      const T v = (T)given, old = *(volatile T*)p;              \
      *(volatile T*)p = (T)(expression);                        \
      return old;                                               \
    } else {                                                    \
      return name(p, given);                                    \
    }                                                           \
  }
                                __tessera_shared_atomic(atomicAdd, old + v) __tessera_shared_atomic(atomicSub, old - v)
                                    __tessera_shared_atomic(atomicMin, v < old ? v : old)
                                        __tessera_shared_atomic(atomicMax, v > old ? v : old)
                                            __tessera_shared_atomic(atomicExch, v)
                                                __tessera_shared_atomic(atomicInc, old >= v ? 0U : old + 1U)
                                                    __tessera_shared_atomic(atomicDec,
                                                                            old == 0U || old > v ? v : old - 1U)
#undef __tessera_shared_atomic
#define __tessera_shared_atomic(name, sign)                     \
  template <class T, class V>                                   \
  __tessera_function T __tessera_shared_##name(T* p, V given) { \
    const T v = (T)given, old = *(volatile T*)p;                \
    *(volatile T*)p = (T)(old sign v);                          \
    return old;                                                 \
  }
                                                        __tessera_shared_atomic(atomicAnd, &)
                                                            __tessera_shared_atomic(atomicOr, |)
                                                                __tessera_shared_atomic(atomicXor, ^)
#undef __tessera_shared_atomic
                                                                    template <class T, class E, class V>
                                                                    __tessera_function T
    __tessera_shared_atomicCAS(T* p, E expected, V given) {
  const T old = *(volatile T*)p;
  if (old == (T)expected) *(volatile T*)p = (T)given;
  return old;
}
