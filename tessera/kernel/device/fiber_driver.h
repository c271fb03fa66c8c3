// Runs a kernel with barriers: one fiber per thread of a block. A block never leaves its OS thread, so that
// `__shared__` memory and the state below are thread-local. Every switch may bring another fiber of the same block,
// hence whatever belongs to the running thread is put back after each.

namespace __tessera {

constexpr unsigned most_threads = 1024;

struct block_state {
  const tessera_fiber_services* fibers;
  void* shared;
  unsigned thread;   // Of the running fiber.
  unsigned threads;  // In the block.
  dim3 size;
  uint3 block;
  unsigned long long slots[most_threads];  // What a thread shows to the others.
  unsigned char votes[most_threads];       // Bit 0: takes part; bit 1: its vote.
};
static thread_local block_state current;

__tessera_function uint3 index_of(unsigned thread, const dim3& size) {
  return {thread % size.x, thread / size.x % size.y, thread / (size.x * size.y)};
}

__tessera_function void resume(unsigned thread) {
  current.thread = thread;
#ifdef __tessera_tls
  ::threadIdx = index_of(thread, current.size);
#endif
#ifdef __tessera_accesses
  run_of(index_of(thread, current.size), current.block);
#endif
}

static __attribute__((noinline)) void block_barrier() {
  const unsigned thread = current.thread;
  current.fibers->barrier();
  resume(thread);
}
static __attribute__((noinline)) void warp_barrier() {
  const unsigned thread = current.thread;
  current.fibers->warp_barrier();
  resume(thread);
}

__tessera_function void* dynamic_shared() { return current.shared; }

// Votes of the threads [begin, end) that take part: how many, and how many say yes.
struct tally {
  unsigned present;
  unsigned yes;
  unsigned there;  // Who takes part, by lane; for a warp only.
  unsigned mask;   // Of the yes votes, likewise.
};
static __attribute__((noinline)) tally vote(bool yes, bool whole_block) {
  const unsigned thread = current.thread;
  current.votes[thread] = (unsigned char)(yes ? 3 : 1);
  whole_block ? block_barrier() : warp_barrier();
  const unsigned begin = whole_block ? 0 : thread / 32 * 32;
  const unsigned end = whole_block || begin + 32 > current.threads ? current.threads : begin + 32;
  tally result{0, 0, 0, 0};
  for (unsigned t = begin; t < end; ++t) {
    result.present += current.votes[t] & 1;
    result.yes += current.votes[t] >> 1 & 1;
    if (whole_block) continue;
    result.there |= (unsigned)(current.votes[t] & 1) << (t - begin);
    result.mask |= (unsigned)(current.votes[t] >> 1 & 1) << (t - begin);
  }
  whole_block ? block_barrier() : warp_barrier();
  current.votes[thread] = 0;
  return result;
}

template <class T>
__tessera_function unsigned long long to_slot(T value) {
  static_assert(sizeof(T) <= 8, "shuffles exchange at most 8 bytes");
  unsigned long long slot = 0;
  __builtin_memcpy(&slot, &value, sizeof(T));
  return slot;
}
// What `lane` of this warp shows; the caller's own value if that thread is not there, or does not take part.
static __attribute__((noinline)) unsigned long long exchange(unsigned long long mine, unsigned lane) {
  const unsigned thread = current.thread;
  const unsigned other = thread / 32 * 32 + lane;
  current.slots[thread] = mine;
  current.votes[thread] = 4;
  warp_barrier();
  const bool shown = other < current.threads && current.votes[other] == 4;
  const unsigned long long result = current.slots[shown ? other : thread];
  warp_barrier();
  current.votes[thread] = 0;
  return result;
}

// Calls `use` with the lane and the value of each thread of the warp that takes part and is named by the mask.
template <class T, class F>
__tessera_function void for_warp(unsigned mask, T value, F use) {
  const unsigned thread = current.thread;
  const unsigned begin = thread / 32 * 32;
  current.slots[thread] = to_slot(value);
  current.votes[thread] = 4;
  warp_barrier();
  for (unsigned lane = 0; lane < 32 && begin + lane < current.threads; ++lane) {
    if (current.votes[begin + lane] != 4 || (mask >> lane & 1U) == 0) continue;
    T other;
    __builtin_memcpy(&other, &current.slots[begin + lane], sizeof(T));
    use(lane, other);
  }
  warp_barrier();
  current.votes[thread] = 0;
}

template <class T>
__tessera_function T shuffle(T value, unsigned lane) {
  const unsigned long long slot = exchange(to_slot(value), lane);
  T result;
  __builtin_memcpy(&result, &slot, sizeof(T));
  return result;
}
__tessera_function unsigned lane() { return current.thread & 31U; }

template <class K>
void thread_body(void* state, unsigned thread) {
  const K k = *(const K*)state;
  resume(thread);
  k.__tessera_run(index_of(thread, k.__tessera_size()), k.__tessera_block_index);
}

// Runs the blocks of a launch one after the other.
template <class K>
__tessera_function void run_fibers(K k, const tessera_cpu_launch* launch) {
  const dim3 size = k.__tessera_size();
  if (launch->block_dim[0] != size.x || launch->block_dim[1] != size.y || launch->block_dim[2] != size.z ||
      size.x * size.y * size.z > most_threads)
    __builtin_trap();
  current.fibers = launch->fibers;
  current.shared = launch->shared;
  current.threads = size.x * size.y * size.z;
  current.size = size;
  for (unsigned t = 0; t < current.threads; ++t) current.votes[t] = 0;
  for (unsigned z = launch->block_begin[2]; z < launch->block_end[2]; ++z)
    for (unsigned y = launch->block_begin[1]; y < launch->block_end[1]; ++y)
      for (unsigned x = launch->block_begin[0]; x < launch->block_end[0]; ++x) {
        current.block = k.__tessera_block_index = {x, y, z};
        launch->fibers->run(current.threads, &thread_body<K>, &k);
      }
}

}  // namespace __tessera

#define __syncthreads() __tessera::block_barrier()
#define __syncwarp(...) __tessera::warp_barrier()
__tessera_function int __syncthreads_count(int p) { return (int)__tessera::vote(p != 0, true).yes; }
__tessera_function int __syncthreads_or(int p) { return __tessera::vote(p != 0, true).yes != 0; }
__tessera_function int __syncthreads_and(int p) {
  const __tessera::tally t = __tessera::vote(p != 0, true);
  return t.yes == t.present;
}
__tessera_function unsigned __ballot_sync(unsigned mask, int p) { return __tessera::vote(p != 0, false).mask & mask; }
__tessera_function int __any_sync(unsigned mask, int p) { return (__tessera::vote(p != 0, false).mask & mask) != 0; }
__tessera_function int __all_sync(unsigned mask, int p) {
  const __tessera::tally t = __tessera::vote(p != 0, false);
  return (t.there & ~t.mask & mask) == 0;
}
__tessera_function unsigned __activemask() { return __tessera::vote(true, false).mask; }
__tessera_function unsigned __ballot(int p) { return __ballot_sync(0xffffffffU, p); }
__tessera_function int __any(int p) { return __any_sync(0xffffffffU, p); }
__tessera_function int __all(int p) { return __all_sync(0xffffffffU, p); }

template <class T>
__tessera_function T __shfl_sync(unsigned, T value, int source, int width = 32) {
  const unsigned lane = __tessera::lane();
  const unsigned within = (unsigned)width - 1U;
  return __tessera::shuffle(value, (lane & ~within) | ((unsigned)source & within));
}
template <class T>
__tessera_function T __shfl_up_sync(unsigned, T value, unsigned delta, int width = 32) {
  const unsigned lane = __tessera::lane();
  const bool inside = (lane & ((unsigned)width - 1U)) >= delta;
  return __tessera::shuffle(value, inside ? lane - delta : lane);
}
template <class T>
__tessera_function T __shfl_down_sync(unsigned, T value, unsigned delta, int width = 32) {
  const unsigned lane = __tessera::lane();
  const bool inside = (lane & ((unsigned)width - 1U)) + delta < (unsigned)width;
  return __tessera::shuffle(value, inside ? lane + delta : lane);
}
template <class T>
__tessera_function T __shfl_xor_sync(unsigned, T value, int mask, int width = 32) {
  const unsigned lane = __tessera::lane();
  const unsigned other = lane ^ (unsigned)mask;
  const bool inside = other < (lane & ~((unsigned)width - 1U)) + (unsigned)width;
  return __tessera::shuffle(value, inside ? other : lane);
}
template <class T>
__tessera_function T __shfl(T value, int source, int width = 32) {
  return __shfl_sync(0xffffffffU, value, source, width);
}
template <class T>
__tessera_function T __shfl_up(T value, unsigned delta, int width = 32) {
  return __shfl_up_sync(0xffffffffU, value, delta, width);
}
template <class T>
__tessera_function T __shfl_down(T value, unsigned delta, int width = 32) {
  return __shfl_down_sync(0xffffffffU, value, delta, width);
}
template <class T>
__tessera_function T __shfl_xor(T value, int mask, int width = 32) {
  return __shfl_xor_sync(0xffffffffU, value, mask, width);
}

#define __tessera_reduction(name, step)                   \
  template <class T>                                      \
  __tessera_function T name(unsigned mask, T value) {     \
    T a{};                                                \
    bool begun = false;                                   \
    __tessera::for_warp(mask, value, [&](unsigned, T b) { \
      a = begun ? (T)(step) : b;                          \
      begun = true;                                       \
    });                                                   \
    return a;                                             \
  }
__tessera_reduction(__reduce_add_sync, (unsigned)a + (unsigned)b) __tessera_reduction(__reduce_min_sync, b < a ? b : a)
    __tessera_reduction(__reduce_max_sync, b > a ? b : a) __tessera_reduction(__reduce_and_sync, a& b)
        __tessera_reduction(__reduce_or_sync, a | b) __tessera_reduction(__reduce_xor_sync, a ^ b) template <class T>
        __tessera_function unsigned __match_any_sync(unsigned mask, T value) {
  unsigned result = 0;
  __tessera::for_warp(mask, value, [&](unsigned lane, T other) { result |= (unsigned)(other == value) << lane; });
  return result;
}
