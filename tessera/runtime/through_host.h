#pragma once

#include <map>
#include <string>

#include "tessera/runtime/native_call.h"

namespace tessera {

/// A kernel for devices with memory of their own that has `body`, a kernel for CPUs, work on copies of its arrays in
/// host memory: what the launch declares of them is fetched, and what it declares to write is put back. The arrays
/// keep their strides, so that `body` finds every element where it expects it; no other elements may be used.
[[nodiscard]] native_kernel through_host(native_kernel body);

/// `body` for CPUs and, through the host, for GPUs: the functions of a native kernel.
[[nodiscard]] inline std::map<std::string, native_kernel> everywhere(const native_kernel& body) {
  return {{"cpu", body}, {"cuda", through_host(body)}};
}

namespace runtime {

/// Copies between host memory and a device's.
class device_memory {
 public:
  virtual ~device_memory() = default;
  virtual void copy(std::byte* target, const std::byte* source, std::size_t bytes) const = 0;
  virtual void wait() const = 0;
};

/// Calls `body` on copies of what `call` uses (`native_call::touched`).
void call_through_host(const device_memory& memory, const native_call& call, const native_kernel& body);

}  // namespace runtime
}  // namespace tessera
