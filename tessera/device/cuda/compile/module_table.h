#pragma once

#include <cuda.h>

#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/device/cuda/compile/reduction_code.h"
#include "tessera/device/cuda/gpu.h"

namespace tessera::device::cuda {

/// The loaded binaries of a backend and their functions, kept until they are unloaded or it ends. Thread-safe.
class module_table {
 public:
  ~module_table();

  [[nodiscard]] module_id load(gpu& hardware, std::span<const std::byte> binary);
  /// Gives up a module and its functions, whose ids will be those of others. None of them runs, or will be run.
  void unload(module_id module) noexcept;
  [[nodiscard]] function_id find(module_id module, const std::string& symbol);
  /// A copy of the variable, or null if there is none of that name.
  [[nodiscard]] const void* symbol(module_id module, const std::string& name);

  /// A variable of the module, or null if there is none of that name; the same object until it is unloaded.
  [[nodiscard]] module_variable* variable(module_id module, const std::string& name);

  /// The kernels of a registered operation for a parameter; the same object until the module is unloaded. Throws
  /// `compile_error` if there are none.
  [[nodiscard]] const reduction_code* reduction(module_id module, int parameter);

  /// Ready to be launched with so much dynamic shared memory. Throws `argument_error` if the GPU has less.
  [[nodiscard]] CUfunction function(function_id id, std::int64_t shared_bytes);

 private:
  struct loaded {
    gpu* hardware = nullptr;
    CUmodule module = nullptr;  // null: the place is free
    std::map<std::string, std::vector<std::byte>> symbols;
    std::vector<function_id> functions;
    std::map<std::string, module_variable> variables;  // those that were asked for; without an address: there is none
    std::map<int, reduction_code> reductions;          // by parameter, those that were asked for
  };
  struct entry {
    gpu* hardware = nullptr;
    CUfunction function = nullptr;
    std::int64_t shared_bytes = 48 << 10;  // what may be asked for without saying so first
  };

  std::mutex mutex_;
  std::deque<loaded> modules_;
  std::deque<entry> functions_;
  std::vector<module_id> free_modules_;
  std::vector<function_id> free_functions_;
};

}  // namespace tessera::device::cuda
