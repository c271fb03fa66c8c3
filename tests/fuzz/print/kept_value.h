#pragma once

#include <tessera/tessera.h>

#include <string>

/// How random programs use the value of an element. Stands alone: printed programs contain it.
namespace tessera::fuzz {

/// A kernel `put` that sets the `n` elements of `to`, whatever its shape, to `v`. Elements are what `type` says.
inline tessera::kernel value_kernel(context& ctx, const std::string& type) {
  return ctx.compile(R"(
#include <cstdint>
struct triple { int32_t a, b, c; };
struct rgb { uint8_t r, g, b; };
//@tessera global i => write to as [:][i]
__global__ void put(const ELEMENT v, long long n, ELEMENT* to) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) to[i] = v;
}
)",
                     "put", {.defines = {{"ELEMENT", type}}});
}

/// to[...] = what `from`, one element, holds now; the element as it was then comes later with get(). `direct`: the
/// kernel is given `from` itself.
template <class T>
value<T> put_value(context& ctx, const array<T>& from, const array<T>& to, const std::string& type, bool direct) {
  const value<T> v = from.value();
  const launch_options settings{.threads = {to.size()}, .block = {8}};
  if (direct)
    value_kernel(ctx, type).launch(settings, from, to.size(), to);
  else
    value_kernel(ctx, type).launch(settings, v, to.size(), to);
  return v;
}

}  // namespace tessera::fuzz
