#pragma once
// What the hand-written rivals share. A rival is compiled at run time, twice: with the flags and the math functions
// that kernels get (results must be the same bits), and with RIVAL_BEST_FLAGS: the compiler's best and the C library's
// vector functions.
//
//   rival(begin, end, parameters)   does the items [begin, end) on the calling thread; items are elements, or rows in
//                                   2-D. `parameters` points at each argument's value, in the kernel's order.

#ifdef RIVAL_BEST_FLAGS
extern "C" {
__attribute__((simd("notinbranch"))) float expf(float) noexcept;
__attribute__((simd("notinbranch"))) float logf(float) noexcept;
}
inline float sqrtf(float x) { return __builtin_sqrtf(x); }
inline float fabsf(float x) { return __builtin_fabsf(x); }
#else
// In this order: each needs the ones before it.
// clang-format off
#include "tessera/kernel/device/constants.h"
#include "tessera/kernel/device/traits.h"
#include "tessera/kernel/device/types.h"
#include "tessera/kernel/device/basics.h"
#include "tessera/kernel/device/math.h"
#include "tessera/kernel/device/math_more.h"
#include "tessera/kernel/device/math_names.h"
// clang-format on
#endif

#define RIVAL \
  extern "C" __attribute__((visibility("default"))) void rival(long begin, long end, void* const* parameters)

template <class T>
inline T parameter(void* const* parameters, int k) {
  return *static_cast<const T*>(parameters[k]);
}
