#pragma once

#include "tessera/nd/emit/text/kernel_text.h"
#include "tessera/runtime/native_call.h"

namespace tessera::nd {

/// A launch that writes the chosen elements of some chunks of a sequence along x, one behind the other. The group has
/// two outputs: whether an element is chosen, and the element. Two parameters stand behind all others: `out`, the part
/// of the result that the launch writes, and `offsets`, where each of its chunks begins in that part.
struct compress_step {
  static constexpr std::int64_t chunk = 4096;
  static constexpr int threads = 256;

  const group& elements;
  const launch_space& space;
  int first_chunk = 0;  ///< Where the number of the first chunk stands among the numbers of the group's function.
};

[[nodiscard]] kernel_text compress_text(const compress_step& step);
/// What it does, while it is being compiled.
[[nodiscard]] native_kernel compress_function(const compress_step& step);

}  // namespace tessera::nd
