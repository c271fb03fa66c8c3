#pragma once

#include <tessera/tessera.h>

#include <cstdint>

#include "benchmarks/frame/inputs.h"

/// Inputs that devices make by themselves, for arrays that are too large to be copied there.
namespace tessera::bench {

/// Numbers without a pattern in [low, high): kernels/numbers.cu. Rivals have the same ones.
struct numbers {
  std::uint32_t seed = 1;
  float low = 0;
  float high = 1;
};

/// Fills an array or container of floats. One of several axes is filled by one device.
template <class Output>
void fill(context ctx, const Output& output, const numbers& values) {
  kernel_options settings;
  if (output.shape().rank() > 1) settings.annotation = "single => write out";
  kernel k = ctx.load_kernel(kernel_path("numbers.cu"), settings);
  const std::int64_t n = output.size();
  k.launch({.threads = {n}}, n, values.seed, values.low, values.high - values.low, output);
}

}  // namespace tessera::bench
