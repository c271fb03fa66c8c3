#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tessera::device {

/// What a native function may use of the device it runs on.
class native_context {
 public:
  virtual ~native_context() = default;
  [[nodiscard]] virtual int device() const = 0;
  [[nodiscard]] virtual int cores() const = 0;
  /// The CUstream to put work on, with its context current; the function need not wait for that work. Null on CPUs,
  /// where the function does the work itself.
  [[nodiscard]] virtual void* queue() const { return nullptr; }
  /// Memory of the device for this call, aligned to 256 bytes, contents undefined. It may be used by the work that the
  /// function puts on the queue, and is taken back behind that work. Throws `out_of_memory`. The bytes must have been
  /// counted beforehand (see rule H18): this does not look at budgets.
  [[nodiscard]] virtual std::byte* workspace(std::int64_t bytes) = 0;
  /// Calls body(i) for every i in [0, n) on up to `cores()` threads; returns when all have ended.
  virtual void parallel_for(std::int64_t n, const std::function<void(std::int64_t)>& body) = 0;
};

}  // namespace tessera::device
