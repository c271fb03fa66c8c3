#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "tessera/device/backend.h"
#include "tessera/device/cuda/gpu.h"

namespace tessera::device::cuda {

/// The built-in kernels on one GPU: compiled when the first is used, once per process and architecture, or taken from
/// the cache. Thread-safe.
class builtin_kernels {
 public:
  explicit builtin_kernels(gpu& hardware) : gpu_(hardware) {}

  /// Where to look for the compiled kernels, and to keep them, from now on.
  void use(std::shared_ptr<binary_cache> cache);

  /// Each enqueues on `stream`; the GPU's context is current. All throw `device_error`, and `compile_error` if the
  /// kernels cannot be compiled.
  void fill(CUstream stream, const fill_desc& fill);
  /// With the identity of a registered operation, which its own kernel knows.
  void fill_identity(CUstream stream, const fill_desc& fill) const;
  void copy(CUstream stream, const copy_desc& copy);
  void fold(CUstream stream, const fold_desc& fold);

  /// The kernel of that name for private results with elements of `kind`: these are compiled for one type at a time.
  [[nodiscard]] CUfunction private_function(scalar_kind kind, const std::string& name);

 private:
  struct module_entry {
    CUmodule module = nullptr;
    std::unordered_map<std::string, CUfunction> functions;
  };

  [[nodiscard]] CUfunction function(const std::string& name);
  /// Requires the lock. `make_text` is asked for the source if the module is not loaded.
  template <class MakeText>
  CUfunction find(module_entry& in, const std::string& name, const MakeText& make_text);
  [[nodiscard]] CUmodule load(std::string text) const;

  gpu& gpu_;
  std::mutex mutex_;
  std::shared_ptr<binary_cache> cache_;
  module_entry general_;
  std::map<scalar_kind, module_entry> private_;
};

/// One element, for kernels that set elements to it.
struct alignas(16) device_value {  // mirrored in elements.cu
  unsigned char bytes[128];
};

/// Those of `hardware`, made on first use and kept.
[[nodiscard]] builtin_kernels& builtins_of(gpu& hardware);

/// Enqueues a kernel; `arguments` as cuLaunchKernel wants them.
void launch_builtin(CUfunction f, CUstream stream, std::array<unsigned, 2> grid, void** arguments);

/// A kernel's grid for so many independent items.
[[nodiscard]] unsigned blocks_for(const gpu& hardware, std::int64_t items);

inline constexpr unsigned builtin_block = 256;

}  // namespace tessera::device::cuda
