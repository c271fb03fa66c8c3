#include "tessera/base/error.h"
#include "tessera/numeric/cuda/gpu_calls.h"

namespace tessera::numeric {
namespace {

[[noreturn]] void refuse() { throw missing_library("Tessera was built without CUDA's headers"); }

}  // namespace

void transform_on_gpu(native_call&, const fft_lines&, bool) { refuse(); }
void multiply_on_gpu(native_call&, const product_stack&, product_type, int) { refuse(); }

}  // namespace tessera::numeric
