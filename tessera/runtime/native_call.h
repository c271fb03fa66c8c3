#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>

#include "tessera/base/error.h"
#include "tessera/base/geometry/box.h"
#include "tessera/device/native_context.h"

namespace tessera {

/// An array as a native kernel sees it: the first element of what was passed, byte strides, shape. A null array has no
/// data. Indices are global: element x of the array or slice lies at data + sum(x[k] * strides[k]).
struct native_array {
  std::byte* data = nullptr;
  extents strides;
  extents shape;
};

/// What a native kernel is given for one superblock.
class native_call {
 public:
  /// One array and one scalar per parameter, of which one is empty. All of it outlives the call.
  native_call(device::native_context& context, const box& points, std::span<const native_array> arrays,
              std::span<const std::span<const std::byte>> scalars)
      : context_(context), points_(points), arrays_(arrays), scalars_(scalars) {}

  /// The part of the launch's index space to work on, x first.
  [[nodiscard]] const box& points() const { return points_; }
  [[nodiscard]] const native_array& array(int parameter) const { return arrays_[index(parameter)]; }
  [[nodiscard]] int parameters() const { return static_cast<int>(arrays_.size()); }
  /// The same call on other memory, which must outlive it.
  [[nodiscard]] native_call with_arrays(std::span<const native_array> arrays) const {
    return {context_, points_, arrays, scalars_};
  }
  /// The elements of an array parameter.
  template <class T>
  [[nodiscard]] T* data(int parameter) const {
    return reinterpret_cast<T*>(array(parameter).data);
  }
  /// The value of a scalar parameter, which must have exactly this type.
  template <class T>
  [[nodiscard]] T scalar(int parameter) const {
    const std::span<const std::byte> bytes = scalars_[index(parameter)];
    if (bytes.size() != sizeof(T)) throw argument_error("a native kernel reads a scalar with a type of another size");
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  [[nodiscard]] int device() const { return context_.device(); }
  [[nodiscard]] int cores() const { return context_.cores(); }
  /// The CUstream to put work on (the kernel need not wait for it); null on CPUs, where the kernel works itself.
  [[nodiscard]] void* queue() const { return context_.queue(); }
  /// Calls body(i) for every i in [0, n) on the device's cores; returns when all have ended.
  void parallel_for(std::int64_t n, const std::function<void(std::int64_t)>& body) { context_.parallel_for(n, body); }

 private:
  [[nodiscard]] std::size_t index(int parameter) const {
    if (parameter < 0 || parameter >= parameters())
      throw argument_error("a native kernel asks for a parameter that it does not have");
    return static_cast<std::size_t>(parameter);
  }

  device::native_context& context_;
  const box& points_;
  std::span<const native_array> arrays_;
  std::span<const std::span<const std::byte>> scalars_;
};

/// A kernel that is a function of the program. Exceptions it throws poison its results.
using native_kernel = std::function<void(native_call&)>;

}  // namespace tessera
