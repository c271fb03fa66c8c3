// What the compiler calls before each access to memory where it instruments for a thread sanitizer (`-fsanitize=thread`
// of GCC and Clang). The library defines these functions for itself, hidden, so that no sanitizer's run-time library is
// needed, and none that the program has is called: they tell the process that loaded the library.

#define __tessera_accesses 1  // for drivers: they tell which thread runs

// Clang's `no_sanitize` still turns atomics into calls of these functions, which would then call themselves.
#ifdef __clang__
#define __tessera_uninstrumented __attribute__((disable_sanitizer_instrumentation))
#else
#define __tessera_uninstrumented __attribute__((no_sanitize("thread")))
#endif
#define __tessera_hook extern "C" __attribute__((visibility("hidden"), used, noinline)) __tessera_uninstrumented

namespace __tessera {

// Atomic, because the compiler takes the hooks for functions that look at no variable of this file.
static const tessera_access_services* access_services;

static __attribute__((noinline)) __tessera_uninstrumented const tessera_access_services* accesses() {
  return __atomic_load_n(&access_services, __ATOMIC_RELAXED);
}
static __attribute__((noinline)) __tessera_uninstrumented void begin_accesses(const tessera_access_services* told) {
  __atomic_store_n(&access_services, told, __ATOMIC_RELAXED);
}
static __attribute__((noinline)) __tessera_uninstrumented void run_of(uint3 thread, uint3 block) {
  const unsigned t[3] = {thread.x, thread.y, thread.z};
  const unsigned b[3] = {block.x, block.y, block.z};
  if (const tessera_access_services* told = accesses()) told->run(b, t, 1);
}
static __attribute__((noinline)) __tessera_uninstrumented void run_of_row(uint3 block, unsigned blocks) {
  const unsigned b[3] = {block.x, block.y, block.z};
  if (const tessera_access_services* told = accesses()) told->run(b, nullptr, blocks);
}
static __attribute__((noinline)) __tessera_uninstrumented void end_accesses() {
  if (const tessera_access_services* told = accesses()) told->stop();
}

static __attribute__((noinline)) __tessera_uninstrumented void touch(const volatile void* address, unsigned long bytes,
                                                                     tessera_touch action, const void* instruction) {
  if (const tessera_access_services* told = accesses()) told->touch((const void*)address, bytes, action, instruction);
}

}  // namespace __tessera

#define __tessera_caller __builtin_return_address(0)
#define __tessera_hooks_of(bytes)                                                                                    \
  __tessera_hook void __tsan_read##bytes(void* p) { __tessera::touch(p, bytes, tessera_reads, __tessera_caller); }   \
  __tessera_hook void __tsan_write##bytes(void* p) { __tessera::touch(p, bytes, tessera_writes, __tessera_caller); } \
  __tessera_hook void __tsan_read_write##bytes(void* p) {                                                            \
    __tessera::touch(p, bytes, tessera_updates, __tessera_caller);                                                   \
  }                                                                                                                  \
  __tessera_hook void __tsan_unaligned_read##bytes(void* p) {                                                        \
    __tessera::touch(p, bytes, tessera_reads, __tessera_caller);                                                     \
  }                                                                                                                  \
  __tessera_hook void __tsan_unaligned_write##bytes(void* p) {                                                       \
    __tessera::touch(p, bytes, tessera_writes, __tessera_caller);                                                    \
  }                                                                                                                  \
  __tessera_hook void __tsan_unaligned_read_write##bytes(void* p) {                                                  \
    __tessera::touch(p, bytes, tessera_updates, __tessera_caller);                                                   \
  }                                                                                                                  \
  __tessera_hook void __tsan_volatile_read##bytes(void* p) {                                                         \
    __tessera::touch(p, bytes, tessera_reads, __tessera_caller);                                                     \
  }                                                                                                                  \
  __tessera_hook void __tsan_volatile_write##bytes(void* p) {                                                        \
    __tessera::touch(p, bytes, tessera_writes, __tessera_caller);                                                    \
  }
__tessera_hooks_of(1) __tessera_hooks_of(2) __tessera_hooks_of(4) __tessera_hooks_of(8) __tessera_hooks_of(16)
#undef __tessera_hooks_of

    __tessera_hook void __tsan_read_range(void* p, unsigned long bytes) {
  __tessera::touch(p, bytes, tessera_reads, __tessera_caller);
}
__tessera_hook void __tsan_write_range(void* p, unsigned long bytes) {
  __tessera::touch(p, bytes, tessera_writes, __tessera_caller);
}
// Copies that a compiler makes of structures, and calls of these functions by name. Byte by byte: what is written as a
// copy would call itself.
namespace __tessera {
static __attribute__((noinline)) __tessera_uninstrumented void* copy_bytes(void* to, const void* from,
                                                                           unsigned long bytes, const void* caller) {
  touch(from, bytes, tessera_reads, caller);
  touch(to, bytes, tessera_writes, caller);
  volatile unsigned char* const t = (volatile unsigned char*)to;
  const volatile unsigned char* const f = (const volatile unsigned char*)from;
  if ((unsigned long)to - (unsigned long)from >= bytes)
    for (unsigned long k = 0; k < bytes; ++k) t[k] = f[k];
  else
    for (unsigned long k = bytes; k-- > 0;) t[k] = f[k];
  return to;
}
static __attribute__((noinline)) __tessera_uninstrumented void* set_bytes(void* to, int value, unsigned long bytes,
                                                                          const void* caller) {
  touch(to, bytes, tessera_writes, caller);
  volatile unsigned char* const t = (volatile unsigned char*)to;
  for (unsigned long k = 0; k < bytes; ++k) t[k] = (unsigned char)value;
  return to;
}
}  // namespace __tessera
#define __tessera_copy_hooks(prefix)                                                               \
  __tessera_hook void* prefix##memcpy(void* to, const void* from, unsigned long bytes) noexcept {  \
    return __tessera::copy_bytes(to, from, bytes, __tessera_caller);                               \
  }                                                                                                \
  __tessera_hook void* prefix##memmove(void* to, const void* from, unsigned long bytes) noexcept { \
    return __tessera::copy_bytes(to, from, bytes, __tessera_caller);                               \
  }                                                                                                \
  __tessera_hook void* prefix##memset(void* to, int value, unsigned long bytes) noexcept {         \
    return __tessera::set_bytes(to, value, bytes, __tessera_caller);                               \
  }
__tessera_copy_hooks() __tessera_copy_hooks(__tsan_)
#undef __tessera_copy_hooks

    __tessera_hook void __tsan_init() {
}
__tessera_hook void __tsan_func_entry(void*) {}
__tessera_hook void __tsan_func_exit() {}
__tessera_hook void __tsan_vptr_update(void**, void*) {}
__tessera_hook void __tsan_vptr_read(void**) {}
__tessera_hook void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__tessera_hook void __tsan_atomic_signal_fence(int) {}

// The order that a kernel asks for is replaced by the strongest: only the number of the order would tell them apart.
#define __tessera_fetch_hook(bits, T, operation)                                      \
  __tessera_hook T __tsan_atomic##bits##_fetch_##operation(volatile T* p, T v, int) { \
    __tessera::touch(p, sizeof(T), tessera_updates, __tessera_caller);                \
    return __atomic_fetch_##operation(p, v, __ATOMIC_SEQ_CST);                        \
  }
#define __tessera_atomic_hooks(bits, T)                                                                        \
  __tessera_fetch_hook(bits, T, add) __tessera_fetch_hook(bits, T, sub) __tessera_fetch_hook(bits, T, and)     \
      __tessera_fetch_hook(bits, T, or) __tessera_fetch_hook(bits, T, xor) __tessera_fetch_hook(bits, T, nand) \
          __tessera_hook T __tsan_atomic##bits##_load(const volatile T* p, int) {                              \
    __tessera::touch(p, sizeof(T), tessera_reads, __tessera_caller);                                           \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                               \
  }                                                                                                            \
  __tessera_hook void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                                   \
    __tessera::touch(p, sizeof(T), tessera_writes, __tessera_caller);                                          \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                  \
  }                                                                                                            \
  __tessera_hook T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) {                                   \
    __tessera::touch(p, sizeof(T), tessera_updates, __tessera_caller);                                         \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                        \
  }                                                                                                            \
  __tessera_hook int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* seen, T v, int, int) {    \
    __tessera::touch(p, sizeof(T), tessera_updates, __tessera_caller);                                         \
    return __atomic_compare_exchange_n(p, seen, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                 \
  }                                                                                                            \
  __tessera_hook int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* seen, T v, int, int) {      \
    __tessera::touch(p, sizeof(T), tessera_updates, __tessera_caller);                                         \
    return __atomic_compare_exchange_n(p, seen, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                 \
  }                                                                                                            \
  __tessera_hook T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T seen, T v, int, int) {          \
    __tessera::touch(p, sizeof(T), tessera_updates, __tessera_caller);                                         \
    __atomic_compare_exchange_n(p, &seen, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                       \
    return seen;                                                                                               \
  }
__tessera_atomic_hooks(8, unsigned char) __tessera_atomic_hooks(16, unsigned short) __tessera_atomic_hooks(32, unsigned)
    __tessera_atomic_hooks(64, unsigned long)
#undef __tessera_atomic_hooks
#undef __tessera_fetch_hook
#undef __tessera_caller
