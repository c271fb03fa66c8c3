#pragma once

#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/emit/text/kernel_text.h"
#include "tessera/runtime/native_call.h"

namespace tessera::nd {

/// A launch of a scan: rows along y, each a sequence along x in chunks of `chunk` elements. The group has one output,
/// the element, and an access for what is stored at its place.
struct scan_step {
  static constexpr std::int64_t chunk = 4096;
  static constexpr int threads = 256;

  const group& elements;
  const launch_space& space;
  kernels::opcode combine{};
  bool has_carry = false;  ///< A last parameter, `carry`, has what all chunks up to each combine to.
};

/// A kernel that stores each element combined with those before it, in order within a chunk (on GPUs: of 16 elements),
/// behind the carry of the chunk before.
[[nodiscard]] kernel_text scan_text(const scan_step& step);
/// What it does, while it is being compiled.
[[nodiscard]] native_kernel scan_function(const scan_step& step);

}  // namespace tessera::nd
