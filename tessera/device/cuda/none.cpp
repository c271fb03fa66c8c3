// What the CUDA backend answers where Tessera was built without CUDA's headers.

#include "tessera/base/error.h"
#include "tessera/device/cuda/compile/nvrtc.h"

namespace tessera::device {
namespace {

constexpr const char* reason =
    "this build of Tessera has no CUDA: it was made where CUDA's headers (cuda.h, nvrtc.h) are not installed";

}  // namespace

bool nvrtc_available(std::string* refusal) {
  if (refusal != nullptr) *refusal = reason;
  return false;
}

std::string nvrtc_version() { throw compile_error(reason); }

std::vector<std::byte> compile_cubin(const source_desc&, int) { throw compile_error(reason); }

std::string nvrtc_identity(int) { throw compile_error(reason); }

int count_gpus(std::string* refusal) {
  if (refusal != nullptr) *refusal = reason;
  return 0;
}

std::int64_t gpu_memory(int) { throw device_error(reason); }

std::unique_ptr<backend> make_cuda(const cuda_options&) { throw device_error(reason); }

}  // namespace tessera::device
