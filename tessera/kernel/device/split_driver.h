// Runs a kernel that was cut at its barriers: the text of the kernel holds loops over the threads of a block, one for
// each stretch between two barriers, and is called once per block. What stands between the loops runs once. The block
// never leaves its OS thread.

constexpr unsigned __tessera_threads = __tessera_size_x * __tessera_size_y * __tessera_size_z;

// Threads of a block that wait for each other at the next barrier do not rely on each other before it.
#define __tessera_each_thread                                                     \
  for (unsigned __tessera_z = 0; __tessera_z < __tessera_size_z; ++__tessera_z)   \
    for (unsigned __tessera_y = 0; __tessera_y < __tessera_size_y; ++__tessera_y) \
  __tessera_vectorised for (unsigned __tessera_x = 0; __tessera_x < __tessera_size_x; ++__tessera_x)
// Loops over the threads, one warp after the other where warps lie within rows: a compiler sees that
// `threadIdx.x % 32` counts lanes.
constexpr unsigned __tessera_row = __tessera_size_x % 32 == 0 ? 32 : __tessera_size_x;
#define __tessera_each_lane                                                                         \
  for (unsigned __tessera_z = 0; __tessera_z < __tessera_size_z; ++__tessera_z)                     \
    for (unsigned __tessera_y = 0; __tessera_y < __tessera_size_y; ++__tessera_y)                   \
      for (unsigned __tessera_w = 0; __tessera_w < __tessera_size_x / __tessera_row; ++__tessera_w) \
  __tessera_vectorised for (unsigned __tessera_l = 0; __tessera_l < __tessera_row; ++__tessera_l)
#define __tessera_this_lane                                                             \
  const unsigned __tessera_x = __tessera_w * __tessera_row + __tessera_l;               \
  const unsigned __tessera_lane = __tessera_row == 32 ? __tessera_l : __tessera_x % 32; \
  const unsigned __tessera_warp = __tessera_row == 32 ? __tessera_w : __tessera_x / 32; \
  const int __tessera_within = __tessera_row == 32 ? __tessera_l : 0;                   \
  __tessera_this_thread
// One warp after the other, where they are whole and lie within rows: those of them that have threads in a box.
#define __tessera_each_warp(box)                                                                   \
  for (unsigned __tessera_first = 0; __tessera_first < __tessera_threads; __tessera_first += 32U)  \
    if (const __tessera::thread_box __tessera_warp_box = __tessera::of_warp(box, __tessera_first); \
        !__tessera_warp_box.empty())
#define __tessera_each_thread_of_warp \
  __tessera_vectorised for (unsigned __tessera_l = 0; __tessera_l < 32U; ++__tessera_l)
#define __tessera_each_thread_of_half_warp \
  __tessera_vectorised for (unsigned __tessera_l = 0; __tessera_l < 16U; ++__tessera_l)
#define __tessera_this_thread_of_warp                                                                     \
  const uint3 threadIdx = {__tessera_first % __tessera_size_x + __tessera_l,                              \
                           __tessera_first / __tessera_size_x % __tessera_size_y,                         \
                           __tessera_first / (__tessera_size_x * __tessera_size_y)};                      \
  const int __tessera_within = __tessera_l;                                                               \
  const unsigned __tessera_lane = __tessera_l, __tessera_warp = __tessera_first % __tessera_size_x / 32U; \
  const unsigned __tessera_t = __tessera_first + __tessera_l;
#define __tessera_each_thread_of(box, by_x, by_y, by_z)                                      \
  for (unsigned __tessera_z = box.begin[2]; __tessera_z < box.end[2]; __tessera_z += by_z)   \
    for (unsigned __tessera_y = box.begin[1]; __tessera_y < box.end[1]; __tessera_y += by_y) \
  __tessera_vectorised for (unsigned __tessera_x = box.begin[0]; __tessera_x < box.end[0]; __tessera_x += by_x)
#define __tessera_this_thread                                      \
  const uint3 threadIdx = {__tessera_x, __tessera_y, __tessera_z}; \
  const unsigned __tessera_t = (__tessera_z * __tessera_size_y + __tessera_y) * __tessera_size_x + __tessera_x;
#define __tessera_all_alive                         \
  unsigned char __tessera_alive[__tessera_threads]; \
  for (unsigned __tessera_t = 0; __tessera_t < __tessera_threads; ++__tessera_t) __tessera_alive[__tessera_t] = 1

namespace __tessera {

template <unsigned N>
__tessera_function bool all_dead(const unsigned char (&alive)[N]) {
  unsigned char any = 0;
  for (unsigned t = 0; t < N; ++t) any |= alive[t];
  return any == 0;
}

// Threads of a block next to each other on every axis.
struct thread_box {
  unsigned begin[3], end[3];
  constexpr bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
};
constexpr thread_box whole_block = {{0, 0, 0}, {__tessera_size_x, __tessera_size_y, __tessera_size_z}};

// The part of a box that lies in the warp whose first thread is `first`.
__tessera_function constexpr thread_box of_warp(thread_box box, unsigned first) {
  const unsigned x = first % __tessera_size_x, y = first / __tessera_size_x % __tessera_size_y,
                 z = first / (__tessera_size_x * __tessera_size_y);
  return {
      {box.begin[0] > x ? box.begin[0] : x, box.begin[1] > y ? box.begin[1] : y, box.begin[2] > z ? box.begin[2] : z},
      {box.end[0] < x + 32 ? box.end[0] : x + 32, box.end[1] < y + 1 ? box.end[1] : y + 1,
       box.end[2] < z + 1 ? box.end[2] : z + 1}};
}

// How many of the numbers 0, 1, 2, ... up to `count` are below `limit`, if they are compared as values of type A.
template <class A, class B>
__tessera_function constexpr unsigned count_below(B limit, unsigned count) {
  using common = decltype(A{} + B{});
  const common c = (common)limit;
  return !(c > (common)0) ? 0U : c >= (common)count ? count : (unsigned)c + ((common)(unsigned)c < c ? 1U : 0U);
}
enum relation { below, up_to, above, from, only, remainder };

// The numbers below `count` that are in a relation to a limit: [first, last).
template <relation R, class A, class B>
__tessera_function constexpr void find_bounds(B limit, unsigned count, unsigned& first, unsigned& last) {
  using common = decltype(A{} + B{});
  const unsigned less = count_below<A>(limit, count);
  const unsigned equal = less < count && (common)less == (common)limit ? 1U : 0U;
  first = R == above ? less + equal : R == from || R == only ? less : 0U;
  last = R == below ? less : R == up_to || R == only ? less + equal : count;
}
// The threads of a box whose index on one axis, divided by D, is in a relation to a limit. For those with one remainder
// it is the box from the first of them on: loops take steps of D.
template <int Axis, relation R, class A, unsigned D, class B>
__tessera_function constexpr thread_box bounded(thread_box box, B limit) {
  using type = typename bare<A>::type;
  const unsigned count = whole_block.end[Axis];
  unsigned first = 0, last = 0;
  if constexpr (R == remainder) {
    find_bounds<only, type>(limit, D, first, last);
    last = first < last ? count : 0U;
    if (box.begin[Axis] > first) first += (box.begin[Axis] - first + D - 1) / D * D;
  } else {
    find_bounds<R, type>(limit, (count + D - 1) / D, first, last);
    first *= D, last *= D;
  }
  if (first > box.begin[Axis]) box.begin[Axis] = first;
  if (last < box.end[Axis]) box.end[Axis] = last;
  return box;
}
// All others of the box.
template <int Axis, relation R, class A, unsigned D, class B>
__tessera_function constexpr thread_box left_out(thread_box box, B limit) {
  static_assert(R != only && R != remainder, "they are not next to each other");
  return bounded < Axis, R == below ? from : R == up_to ? above : R == above ? up_to : below, A, D > (box, limit);
}

// The part of a box around the threads that have marks. Threads of a row that is not the only one stay.
template <unsigned N>
__tessera_function thread_box narrowed(thread_box box, const unsigned char (&marks)[N]) {
  if (N == __tessera_size_x) {
    while (box.begin[0] < box.end[0] && marks[box.begin[0]] == 0) ++box.begin[0];
    while (box.begin[0] < box.end[0] && marks[box.end[0] - 1] == 0) --box.end[0];
    return box;
  }
  if (all_dead(marks)) box.end[0] = box.begin[0];
  return box;
}

// Variables of a thread, where only their types are wanted.
template <class T>
T& value();
template <class T>
struct plain_value {
  using type = typename bare<T>::type;
};
template <class T>
struct plain_value<T&> {
  using type = typename bare<T>::type;
};
template <class T>
struct plain_value<T&&> {
  using type = typename bare<T>::type;
};
template <class T>
using value_type = typename plain_value<T>::type;

static thread_local void* shared_memory;
__tessera_function void* dynamic_shared() { return shared_memory; }

// Up to which block every thread's index in the grid is below 2^31, so that `blockIdx.x * blockDim.x + threadIdx.x`
// does not wrap: compilers then see that neighbouring threads use neighbouring elements.
constexpr unsigned most_blocks(unsigned size) { return 0x7fff0000U / size; }

template <bool Near, class K>
__tessera_function void run_blocks(const K& k, const tessera_cpu_launch* launch) {
  for (unsigned z = launch->block_begin[2]; z < launch->block_end[2]; ++z)
    for (unsigned y = launch->block_begin[1]; y < launch->block_end[1]; ++y)
      for (unsigned x = launch->block_begin[0]; x < launch->block_end[0]; ++x) {
        if (Near && (x > most_blocks(__tessera_size_x) || y > most_blocks(__tessera_size_y) ||
                     z > most_blocks(__tessera_size_z)))
          __builtin_unreachable();
        k.__tessera_run(uint3{0, 0, 0}, uint3{x, y, z});
      }
}

// For grids beyond that, which are rare: code that is quickly compiled.
#ifdef __clang__
#define __tessera_small_code __attribute__((noinline, minsize))
#else
#define __tessera_small_code __attribute__((noinline, optimize("no-tree-vectorize")))
#endif
template <class K>
static __tessera_small_code void run_far_blocks(const K& k, const tessera_cpu_launch* launch) {
  run_blocks<false>(k, launch);
}

// Runs the blocks of a launch one after the other.
template <class K>
__tessera_function void run_split(const K& kernel, const tessera_cpu_launch* launch) {
  if (launch->block_dim[0] != __tessera_size_x || launch->block_dim[1] != __tessera_size_y ||
      launch->block_dim[2] != __tessera_size_z)
    __builtin_trap();
  shared_memory = launch->shared;
  const K k = kernel;
  const bool near = launch->block_end[0] <= most_blocks(__tessera_size_x) &&
                    launch->block_end[1] <= most_blocks(__tessera_size_y) &&
                    launch->block_end[2] <= most_blocks(__tessera_size_z);
  near ? run_blocks<true>(k, launch) : run_far_blocks(k, launch);
}

}  // namespace __tessera
