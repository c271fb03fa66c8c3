#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/geometry/box.h"
#include "tessera/device/native_context.h"
#include "tessera/runtime/library_handles.h"

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
  /// Elements of an array parameter that the launch declares for this call, counted from the first of what was passed.
  struct touched_box {
    int parameter = 0;
    box bounds;
    bool written = false;
    std::int64_t element_bytes = 1;
  };
  /// What a call has besides its arguments.
  struct extras {
    std::span<const std::byte> payload{};
    std::int64_t workspace_bytes = 0;
    runtime::library_handles* handles = nullptr;
    std::span<const touched_box> touched{};
  };

  /// One array and one scalar per parameter, of which one is empty. All of it outlives the call.
  native_call(device::native_context& context, const box& points, std::span<const native_array> arrays,
              std::span<const std::span<const std::byte>> scalars, const extras& besides)
      : context_(context), points_(points), arrays_(arrays), scalars_(scalars), besides_(besides) {}

  /// The part of the launch's index space to work on, x first.
  [[nodiscard]] const box& points() const { return points_; }
  [[nodiscard]] const native_array& array(int parameter) const { return arrays_[index(parameter)]; }
  [[nodiscard]] int parameters() const { return static_cast<int>(arrays_.size()); }
  /// What the launch declares for this call, on devices that have memory of their own; empty on CPUs.
  [[nodiscard]] std::span<const touched_box> touched() const { return besides_.touched; }
  /// This call on other memory, which must outlive the result.
  [[nodiscard]] native_call with_arrays(std::span<const native_array> arrays) const {
    return {context_, points_, arrays, scalars_, besides_};
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

  [[nodiscard]] std::span<const std::byte> scalar_bytes(int parameter) const { return scalars_[index(parameter)]; }

  [[nodiscard]] int device() const { return context_.device(); }
  [[nodiscard]] int cores() const { return context_.cores(); }
  /// The CUstream to put work on (the kernel need not wait for it); null on CPUs, where the kernel works itself.
  [[nodiscard]] void* queue() const { return context_.queue(); }
  /// What the kernel was defined with (see `native_definition`).
  [[nodiscard]] std::span<const std::byte> payload() const { return besides_.payload; }
  /// Memory of the device for this call, as many bytes as the definition's `workspace` gives for `points()`; contents
  /// undefined. To be called at most once. Throws `out_of_memory`.
  [[nodiscard]] std::span<std::byte> workspace() const {
    if (besides_.workspace_bytes == 0) return {};
    return {context_.workspace(besides_.workspace_bytes), static_cast<std::size_t>(besides_.workspace_bytes)};
  }
  /// A handle of a library for this device and queue, kept from one call to the next; `make` gives a
  /// `std::shared_ptr<Handle>` at first use. Names must be unique among the kernels of a context.
  template <class Handle, class Make>
  [[nodiscard]] Handle& handle(std::string_view name, Make make) const {
    if (besides_.handles == nullptr) throw argument_error("a native kernel asks for a handle outside of a context");
    return *static_cast<Handle*>(
        besides_.handles->find(device(), queue(), name, [&]() -> std::shared_ptr<void> { return make(); }).get());
  }
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
  extras besides_;
};

/// A kernel that is a function of the program. Exceptions it throws poison its results.
using native_kernel = std::function<void(native_call&)>;

/// A kernel that is a function per kind of device and is known by its contents (rule H18): ranks that define equal
/// ones, in whatever order, mean the same kernel. Functions cannot be compared, so `version` changes with what they
/// compute.
struct native_definition {
  std::string name;
  std::uint32_t version = 1;
  std::string parameters{};                          ///< As in CUDA: "int n, float* y, const float* x".
  std::string annotation{};                          ///< Empty: one piece, or launch requests say what is accessed.
  std::vector<std::byte> payload{};                  ///< Part of the contents; every call gets it.
  std::map<std::string, native_kernel> functions{};  ///< By kind of device: "cpu", "cuda".
  /// Bytes of workspace that a call needs for a box of the launch's points: a pure function, counted when launches are
  /// made to fit. Empty: none.
  std::function<std::int64_t(const box& points)> workspace{};
};

}  // namespace tessera
