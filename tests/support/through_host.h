#pragma once

#include <tessera/tessera.h>

#include <map>
#include <string>

namespace tessera::support {

/// A kernel for CUDA devices that has `body`, a kernel for CPUs, work on copies of its arrays in host memory and then
/// puts back the bytes that changed, and no others: other queues may be changing those. Parameters that share memory
/// share their copies. For arrays of less than a megabyte: all of their memory is there.
[[nodiscard]] native_kernel through_host(native_kernel body);

/// `body` for CPUs and, through the host, for GPUs.
[[nodiscard]] inline std::map<std::string, native_kernel> everywhere(const native_kernel& body) {
  return {{"cpu", body}, {"cuda", through_host(body)}};
}

}  // namespace tessera::support
