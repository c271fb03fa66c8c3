#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tessera/device/access_listener.h"
#include "tessera/device/cpu/jit/abi.h"

namespace tessera::device {

/// What an instrumented kernel calls; the functions pass on what they hear to the scope of the calling OS thread.
[[nodiscard]] const tessera_access_services& access_services() noexcept;

/// From construction to destruction, accesses of kernels that the calling OS thread runs are told to `listener`, which
/// may be null.
class access_scope {
 public:
  /// `shared`: dynamic shared memory of the blocks.
  access_scope(access_listener* listener, void* const* parameters, const void* shared, std::int64_t shared_bytes);
  ~access_scope();
  access_scope(const access_scope&) = delete;
  access_scope& operator=(const access_scope&) = delete;

 private:
  std::unique_ptr<access_recorder> recorder_;
};

}  // namespace tessera::device
