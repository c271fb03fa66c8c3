// The private results of thread blocks: where each has its own, and how they are combined (private_abi.h). Nothing is
// listed by the host: each thread finds the box that a block declares from the affine description. What does not depend on
// the type of elements is not inlined, so that the kernels stay small and are compiled soon.

typedef unsigned u32;

static __device__ __forceinline__ i64 value_of(const tessera_bound& b, const i64* block, const i64* limit) {
  i64 sum = b.constant;
  for (int k = 0; k < 3; ++k) {
    sum += b.factor[k] * block[k];
    if (block[k] == limit[k] - 1) sum += b.at_limit[k];
  }
  return sum;
}

// What `block` declares on one axis, as block_boxes::of has it.
static __device__ __forceinline__ tessera_range range_of(const tessera_slots& s, int a, const i64* block) {
  const tessera_axis& here = s.axes[a];
  if (here.listed) {
    i64 entry = 0;
    for (int k = 0; k < 3; ++k) entry += (block[k] - here.listed_first[k]) * here.listed_stride[k];
    return here.listed[entry];
  }
  i64 lo = value_of(here.lo, block, s.limit), hi = value_of(here.hi, block, s.limit);
  if (lo < 0) lo += (-lo + here.step - 1) / here.step * here.step;
  if (hi > here.extent) hi = here.extent;
  if (here.step > 1 && hi > lo) hi -= (hi - 1 - lo) % here.step;
  return {lo, hi};
}

struct declared_box {
  i64 lo[8];
  i64 count[8];
  i64 total;  // 0: nothing is declared
};

static __device__ __noinline__ void find_box(const tessera_slots& s, const i64* block, declared_box& b) {
  b.total = 1;
  for (int k = 0; k < 3; ++k)
    if (block[k] >= s.limit[k]) b.total = 0;
  for (int a = 0; a < s.rank; ++a) {
    const tessera_range r = range_of(s, a, block);
    b.lo[a] = r.lo;
    b.count[a] = r.hi - r.lo;
    b.total = r.hi > r.lo ? b.total * b.count[a] : 0;
  }
}

// Bytes from element 0 of the array to element `e` of a box, counted with the last axis fastest.
static __device__ __noinline__ i64 offset_in(const tessera_slots& s, const i64* lo, const i64* count, i64 e) {
  i64 offset = 0;
  for (int a = s.rank - 1; a >= 0; --a) {
    const i64 rest = a > 0 ? e / count[a] : 0;
    offset += (lo[a] + e - rest * count[a]) * s.axes[a].stride;
    e = rest;
  }
  return offset;
}

static __device__ __forceinline__ void block_of(const tessera_slots& s, u32 slot, i64* block) {
  const u32 rest = slot / s.count[0];
  block[0] = s.first[0] + (slot - rest * s.count[0]);
  block[2] = rest / s.count[1];
  block[1] = s.first[1] + (rest - (u32)block[2] * s.count[1]);
  block[2] += s.first[2];
}

// Writes the address of each slot and the identity into what its block declares; `lanes` threads to a slot, a power of
// two. `parameters` is the table of the kernel's parameters; the first result of a launch clears it.
template <class T>
static __device__ void prepare(const tessera_slots& s, const u64** parameters, int parameter, int clear, u32 lanes,
                               const tessera_value& identity) {
  const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x, threads = (u64)gridDim.x * blockDim.x;
  if (thread == 0) {
    for (int p = 0; p < clear; ++p) parameters[p] = 0;
    parameters[parameter] = s.address;
  }
  const u64 items = (u64)s.count[0] * s.count[1] * s.count[2] * lanes;
  const T value = identity_of(identity, (const T*)0);
  for (u64 i = thread; i < items; i += threads) {
    const u32 slot = (u32)(i / lanes), lane = (u32)i & (lanes - 1);
    i64 block[3];
    block_of(s, slot, block);
    declared_box b;
    find_box(s, block, b);
    const i64 begin = b.total > 0 ? offset_in(s, b.lo, b.count, 0) : 0;
    const u64 address = s.memory + (u64)slot * (u64)s.bytes + (s.origin + (u64)begin) % (u64)s.alignment - (u64)begin;
    if (lane == 0) s.address[slot] = address;
    for (i64 e = lane; e < b.total; e += lanes) *(T*)(address + (u64)offset_in(s, b.lo, b.count, e)) = value;
  }
}

static __device__ __forceinline__ i64 floor_div(i64 a, i64 b) {  // b > 0
  const i64 q = a / b;
  return a - q * b < 0 ? q - 1 : q;
}

// The blocks that may declare an element: a box of blocks, x fastest.
struct candidates {
  i64 x[8];       // the element
  u32 first[3];   // of the wave's blocks
  u32 count[3];
  i64 offset;     // of the element, in bytes
  u32 total;
};

// Leaves only blocks that declare x[a], by bounds without limits: these take elements away, and never add any.
static __device__ __forceinline__ void narrow(const tessera_slots& s, int a, i64 x, int k, i64& begin, i64& end) {
  const tessera_axis& here = s.axes[a];
  const i64 low = here.lo.factor[k], high = here.hi.factor[k];
  const i64 above = x - here.lo.constant, under = here.hi.constant - 1 - x;  // lo: low b <= above; hi: -high b <= under
  if (low > 0) end = min(end, floor_div(above, low) + 1);
  if (low < 0) begin = max(begin, -floor_div(above, -low));
  if (low == 0 && above < 0) end = begin;
  if (high < 0) end = min(end, floor_div(under, -high) + 1);
  if (high > 0) begin = max(begin, -floor_div(under, high));
  if (high == 0 && under < 0) end = begin;
}

static __device__ __forceinline__ void find_by_element(const tessera_slots& s, const tessera_combination& c, i64 item,
                                                       candidates& found) {
  found.offset = 0;
  for (int a = s.rank - 1; a >= 0; --a) {
    const i64 rest = a > 0 ? item / c.count[a] : 0;
    found.x[a] = c.lo[a] + item - rest * c.count[a];
    found.offset += found.x[a] * s.axes[a].stride;
    item = rest;
  }
  found.total = 1;
  for (int k = 0; k < 3; ++k) {
    i64 begin = s.first[k], end = (i64)s.first[k] + s.count[k];
    end = min(end, s.limit[k]);
    for (int a = 0; a < s.rank; ++a)
      if (s.axes[a].follows == k) narrow(s, a, found.x[a], k, begin, end);
    found.first[k] = (u32)(begin - s.first[k]);
    found.count[k] = end > begin ? (u32)(end - begin) : 0;
    found.total *= found.count[k];
  }
}

static __device__ __forceinline__ void find_by_group(const tessera_slots& s, const tessera_combination& c, i64 item,
                                                     candidates& found) {
  i64 group = item / c.box_elements;
  const i64 element = item - group * c.box_elements;
  i64 block[3];
  found.total = 1;
  for (int k = 0; k < 3; ++k) {
    found.first[k] = 0;
    found.count[k] = s.count[k];
    if (c.used[k]) {
      const i64 rest = group / s.count[k];
      found.first[k] = (u32)(group - rest * s.count[k]);
      found.count[k] = 1;
      group = rest;
    }
    block[k] = (i64)s.first[k] + found.first[k];
    found.total *= found.count[k];
  }
  declared_box b;
  find_box(s, block, b);
  if (element >= b.total) {
    found.total = 0;
    return;
  }
  found.offset = offset_in(s, b.lo, b.count, element);
}

static __device__ __forceinline__ u32 slot_of(const tessera_slots& s, const candidates& found, u32 candidate) {
  const u32 rest = candidate / found.count[0], z = rest / found.count[1];
  const u32 x = found.first[0] + candidate - rest * found.count[0], y = found.first[1] + rest - z * found.count[1];
  return x + s.count[0] * (y + s.count[1] * (found.first[2] + z));
}

static __device__ __noinline__ bool declares(const tessera_slots& s, u32 slot, const i64* x) {
  i64 block[3];
  block_of(s, slot, block);
  declared_box b;
  find_box(s, block, b);
  if (b.total == 0) return false;
  for (int a = 0; a < s.rank; ++a)
    if (x[a] < b.lo[a] || x[a] >= b.lo[a] + b.count[a]) return false;
  return true;
}

// The contents of one candidate, or the identity if it does not declare the element.
template <class T>
static __device__ __forceinline__ T load(const tessera_slots& s, const tessera_combination& c, const candidates& found,
                                         u32 candidate, T identity) {
  const u32 slot = slot_of(s, found, candidate);
  if (!c.exact && !declares(s, slot, found.x)) return identity;
  return *(const T*)(s.address[slot] + (u64)found.offset);
}

template <class T>
static __device__ __forceinline__ void store(const tessera_slots& s, const tessera_combination& c, u8* partial, i64 run,
                                             i64 item, i64 offset, T sum) {
  T* const target = (T*)(s.origin + (u64)offset);
  if (c.runs > 1)
    ((T*)partial)[run * c.items + item] = sum;
  else
    *target = c.in_order ? sum : apply(c.op, *target, sum);
}

static __device__ __noinline__ void find(const tessera_slots& s, const tessera_combination& c, i64 item,
                                            candidates& found) {
  if (c.by_group)
    find_by_group(s, c, item, found);
  else
    find_by_element(s, c, item, found);
}

// One thread to a run of an item: neighbouring threads have neighbouring elements.
template <class T>
static __device__ void combine(const tessera_slots& s, const tessera_combination& c, u8* partial,
                               const tessera_value& value) {
  const T identity = identity_of(value, (const T*)0);
  const i64 threads = (i64)gridDim.x * blockDim.x;
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < c.items * c.runs; i += threads) {
    const i64 run = i / c.items, item = i - run * c.items;
    candidates found;
    find(s, c, item, found);
    const u32 begin = (u32)(found.total * (u64)run / (u64)c.runs);
    const u32 end = (u32)(found.total * (u64)(run + 1) / (u64)c.runs);
    if (found.total == 0 && c.runs == 1) continue;
    T sum = c.in_order ? *(const T*)(s.origin + (u64)found.offset) : identity;
#pragma unroll 4
    for (u32 j = begin; j < end; ++j) sum = apply(c.op, sum, load<T>(s, c, found, j, identity));
    store<T>(s, c, partial, run, item, found.offset, sum);
  }
}

// Shared memory for an element of each thread; larger elements have one thread to an item and use none.
template <class T>
struct __align__(16) shared_room {
  u8 bytes[sizeof(T) <= 128 ? 256 * sizeof(T) : 16];
};

// The threads of a block share one run of an item: for few elements that many blocks declare.
template <class T>
static __device__ void combine_few(const tessera_slots& s, const tessera_combination& c, u8* partial,
                                   const tessera_value& value) {
  __shared__ shared_room<T> room;
  T* const shared = (T*)room.bytes;
  const T identity = identity_of(value, (const T*)0);
  for (i64 i = blockIdx.x; i < c.items * c.runs; i += gridDim.x) {
    const i64 run = i / c.items, item = i - run * c.items;
    candidates found;
    find(s, c, item, found);
    const u32 begin = (u32)(found.total * (u64)run / (u64)c.runs);
    const u32 end = (u32)(found.total * (u64)(run + 1) / (u64)c.runs);
    T sum = identity;
    if (c.in_order) {
      if (found.total > 0) sum = *(const T*)(s.origin + (u64)found.offset);
      for (u32 from = begin; from < end; from += 256) {
        if (from + threadIdx.x < end) shared[threadIdx.x] = load<T>(s, c, found, from + threadIdx.x, identity);
        __syncthreads();
        const u32 staged = min(256u, end - from);
        if (threadIdx.x == 0)
          for (u32 j = 0; j < staged; ++j) sum = apply(c.op, sum, shared[j]);
        __syncthreads();
      }
    } else {
      for (u32 j = begin + threadIdx.x; j < end; j += 256)
        sum = apply(c.op, sum, load<T>(s, c, found, j, identity));
      shared[threadIdx.x] = sum;
      __syncthreads();
      for (u32 half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) shared[threadIdx.x] = apply(c.op, shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
      }
      sum = shared[0];
      __syncthreads();
    }
    if (threadIdx.x == 0 && (found.total > 0 || c.runs > 1)) store<T>(s, c, partial, run, item, found.offset, sum);
  }
}

// Folds the sums of runs onto the target; `lanes` threads of a block to an item: 1 or 256.
template <class T>
static __device__ void finish(const tessera_slots& s, const tessera_combination& c, const u8* partial, u32 lanes,
                              const tessera_value& value) {
  __shared__ shared_room<T> room;
  T* const shared = (T*)room.bytes;
  const T* const sums = (const T*)partial;
  const i64 per_block = 256 / lanes;
  for (i64 first = (i64)blockIdx.x * per_block; first < c.items; first += (i64)gridDim.x * per_block) {
    const i64 item = first + threadIdx.x / lanes;
    const u32 lane = threadIdx.x % lanes;
    T sum = identity_of(value, (const T*)0);
    if (item < c.items)
      for (i64 run = lane; run < c.runs; run += lanes) sum = apply(c.op, sum, sums[run * c.items + item]);
    if (lanes > 1) {
      shared[threadIdx.x] = sum;
      __syncthreads();
      for (u32 half = lanes / 2; half > 0; half /= 2) {
        if (lane < half) shared[threadIdx.x] = apply(c.op, shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
      }
      sum = shared[threadIdx.x];
    }
    if (lane == 0 && item < c.items) {
      candidates found;
      find(s, c, item, found);
      T* const target = (T*)(s.origin + (u64)found.offset);
      if (found.total > 0) *target = apply(c.op, *target, sum);
    }
    __syncthreads();
  }
}
