#include "tessera/device/cuda/driver.h"

#include <dlfcn.h>

#include <cstdlib>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::device::cuda {
namespace {

struct opened_driver {
  driver_functions functions;
  std::string failure;  // empty: usable
};

template <class F>
void find(void* library, const char* name, F& function, std::string& missing) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr && missing.empty()) missing = name;
}

opened_driver open_driver() {
  opened_driver d;
  // More connections than the default of 8: queues that share one would wait for each other. Set before cuInit.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    d.failure = "there is no CUDA driver (libcuda.so.1 cannot be opened)";
    return d;
  }
  std::string missing;
#define TESSERA_CUDA_TEXT_OF(name) #name
#define TESSERA_CUDA_TEXT(name) TESSERA_CUDA_TEXT_OF(name)
#define TESSERA_CUDA_FIND(name) find(library, TESSERA_CUDA_TEXT(name), d.functions.name, missing);
  TESSERA_CUDA_FUNCTIONS(TESSERA_CUDA_FIND)
#undef TESSERA_CUDA_FIND
#undef TESSERA_CUDA_TEXT
#undef TESSERA_CUDA_TEXT_OF
  if (!missing.empty()) {
    d.failure = cat("the CUDA driver is too old: it lacks ", missing);
    return d;
  }
  if (const CUresult result = d.functions.cuInit(0); result != CUDA_SUCCESS) {
    const char* name = nullptr;
    d.functions.cuGetErrorName(result, &name);
    d.failure = cat("the CUDA driver cannot be used (", name != nullptr ? name : "unknown error", ")");
    return d;
  }
  int count = 0;
  if (d.functions.cuDeviceGetCount(&count) != CUDA_SUCCESS || count == 0) d.failure = "the CUDA driver finds no GPU";
  return d;
}

const opened_driver& opened() {
  static const auto* const once = new opened_driver(open_driver());  // used by threads that outlive static objects
  return *once;
}

}  // namespace

bool driver_available(std::string* reason) {
  if (reason != nullptr) *reason = opened().failure;
  return opened().failure.empty();
}

const driver_functions& driver() { return opened().functions; }

std::string describe(CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  driver().cuGetErrorName(result, &name);
  driver().cuGetErrorString(result, &text);
  return cat(text != nullptr ? text : "unknown error", " (", name != nullptr ? name : cat(static_cast<int>(result)),
             ")");
}

bool is_sticky(CUresult result) noexcept {
  switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

void check(CUresult result, std::string_view doing) {
  if (result == CUDA_SUCCESS) return;
  const std::string text = cat(doing, ": ", describe(result));
  if (is_sticky(result)) throw lost_gpu(text);
  throw device_error(text);
}

}  // namespace tessera::device::cuda
