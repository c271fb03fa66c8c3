#pragma once

#include "tessera/numeric/blas/product.h"
#include "tessera/numeric/fft/transform.h"
#include "tessera/runtime/native_call.h"

/// Numeric work on GPUs, put on the queue of a call by NVIDIA's libraries. Throws `missing_library`, `device_error`.
namespace tessera::numeric {

struct product_stack;

/// By cuFFT: the launch of `launch_fft`.
void transform_on_gpu(native_call& call, const fft_lines& lines, bool wide);
/// By cuBLAS: the launch of `launch_product`, whose arrays begin with parameter `first_array`. Not for integers.
void multiply_on_gpu(native_call& call, const product_stack& stack, product_type type, int first_array);

}  // namespace tessera::numeric
