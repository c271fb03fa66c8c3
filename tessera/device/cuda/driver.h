#pragma once

#include <cuda.h>

#include <string>
#include <string_view>

#include "tessera/base/error.h"

/// The CUDA driver, opened at run time: the library is never linked, so one build runs with and without a GPU.
namespace tessera::device::cuda {

// The versioned names of the driver's functions are macros of cuda.h, so only a macro can both name and declare them.
// clang-format off
#define TESSERA_CUDA_FUNCTIONS(f) \
  f(cuInit) f(cuGetErrorName) f(cuGetErrorString) f(cuDeviceGetCount) f(cuDeviceGet) f(cuDeviceGetName) \
  f(cuDeviceGetAttribute) f(cuDevicePrimaryCtxRetain) f(cuCtxSetCurrent) f(cuCtxGetCurrent) f(cuMemGetInfo) \
  f(cuModuleLoadData) f(cuModuleUnload) f(cuModuleGetFunction) f(cuModuleGetGlobal) f(cuFuncSetAttribute) \
  f(cuLaunchKernel) f(cuStreamCreate) f(cuStreamDestroy) f(cuStreamQuery) f(cuStreamSynchronize) \
  f(cuStreamWaitEvent) f(cuStreamWaitValue64) f(cuStreamWriteValue64) f(cuEventCreate) f(cuEventDestroy) f(cuEventRecord) \
  f(cuEventSynchronize) f(cuEventQuery) f(cuMemHostAlloc) f(cuMemHostRegister) f(cuMemHostUnregister) f(cuMemcpyAsync) f(cuMemcpy2DAsync) f(cuMemcpy3DAsync) \
  f(cuMemcpyDtoH) f(cuMemcpyDtoDAsync) f(cuMemsetD8Async) f(cuMemsetD16Async) f(cuMemsetD32Async) f(cuMemAllocAsync) f(cuMemFreeAsync) \
  f(cuDeviceGetDefaultMemPool) f(cuMemPoolSetAttribute) f(cuMemAddressReserve) f(cuMemAddressFree) f(cuMemCreate) \
  f(cuMemRelease) f(cuMemMap) f(cuMemUnmap) f(cuMemSetAccess) f(cuDeviceCanAccessPeer)
// clang-format on

/// The driver's functions under their own names: `driver().cuInit(0)`.
struct driver_functions {
#define TESSERA_CUDA_DECLARE(name) decltype(&::name) name = nullptr;  // NOLINT: it declares a name
  TESSERA_CUDA_FUNCTIONS(TESSERA_CUDA_DECLARE)
#undef TESSERA_CUDA_DECLARE
};

/// Opens and initialises the driver on the first call. False where there is none or it cannot be used; `reason` says so
/// in one sentence. Thread-safe, as are all functions here.
[[nodiscard]] bool driver_available(std::string* reason = nullptr);

/// Requires `driver_available()`.
[[nodiscard]] const driver_functions& driver();

/// "illegal memory access (CUDA_ERROR_ILLEGAL_ADDRESS)".
[[nodiscard]] std::string describe(CUresult result);

/// True for errors after which the GPU's context is lost for the whole process.
[[nodiscard]] bool is_sticky(CUresult result) noexcept;

/// A call met a GPU that was already lost: whose fault that is, the completion thread finds out and tells.
class lost_gpu : public device_error {
 public:
  using device_error::device_error;
};

/// Throws `device_error` that says what was being done, or `lost_gpu`, unless `result` is success.
void check(CUresult result, std::string_view doing);

}  // namespace tessera::device::cuda
