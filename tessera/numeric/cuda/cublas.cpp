// Products of matrices by cuBLAS, opened at run time.
#include <cublas_v2.h>

#include <algorithm>
#include <array>
#include <memory>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/numeric/cuda/gpu_calls.h"
#include "tessera/numeric/launch.h"
#include "tessera/numeric/library/shared_library.h"

namespace tessera::numeric {
namespace {

struct cublas_table {
  cublas_table()
      : library("cuBLAS", cuda_files({"libcublas.so.13", "libcublas.so.12", "libcublas.so"}),
                "install CUDA's libraries (Debian: libcublas12; PyPI: nvidia-cublas), or set CUDA_HOME") {
    library.require(create, "cublasCreate_v2");
    library.require(destroy, "cublasDestroy_v2");
    library.require(set_stream, "cublasSetStream_v2");
    library.require(set_math_mode, "cublasSetMathMode");
    library.require(gemm, "cublasGemmStridedBatchedEx_64");
  }
  shared_library library;
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasSetMathMode) set_math_mode = nullptr;
  cublasStatus_t (*gemm)(cublasHandle_t, cublasOperation_t, cublasOperation_t, std::int64_t, std::int64_t, std::int64_t,
                         const void*, const void*, cudaDataType, std::int64_t, long long, const void*, cudaDataType,
                         std::int64_t, long long, const void*, void*, cudaDataType, std::int64_t, long long,
                         std::int64_t, cublasComputeType_t, cublasGemmAlgo_t) = nullptr;
};

const cublas_table& cublas() {
  static const cublas_table* const table = new cublas_table;  // used by threads that outlive static objects
  return *table;
}

void check(cublasStatus_t status, const char* doing) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw out_of_memory(cat("cuBLAS has no memory for ", doing));
  throw device_error(cat("cuBLAS fails at ", doing, ": error ", static_cast<int>(status)));
}

struct handle {
  explicit handle(void* queue) {
    check(cublas().create(&value), "its start");
    check(cublas().set_stream(value, static_cast<cudaStream_t>(queue)), "choosing a queue");
    // Products of float32 are not rounded to TF32.
    check(cublas().set_math_mode(value, CUBLAS_DEFAULT_MATH), "choosing its precision");
  }
  ~handle() { cublas().destroy(value); }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;
  cublasHandle_t value = nullptr;
};

struct number_type {
  cudaDataType_t data;
  cublasComputeType_t compute;
  std::int64_t bytes;
};

number_type type_of(product_type type) {
  switch (type) {
    case product_type::float32:
      return {CUDA_R_32F, CUBLAS_COMPUTE_32F, 4};
    case product_type::float64:
      return {CUDA_R_64F, CUBLAS_COMPUTE_64F, 8};
    case product_type::complex64:
      return {CUDA_C_32F, CUBLAS_COMPUTE_32F, 8};
    default:
      return {CUDA_C_64F, CUBLAS_COMPUTE_64F, 16};
  }
}

}  // namespace

void multiply_on_gpu(native_call& call, const product_stack& stack, product_type type, int first_array) {
  const number_type t = type_of(type);
  const box& points = call.points();
  const std::int64_t m = stack.rows, n = stack.columns, k = stack.depth, first = points.lo[0], matrix = points.lo[1];
  const std::int64_t each_a = stack.a_is_one ? 0 : m * k, each_b = stack.b_is_one ? 0 : k * n;
  // Matrices by rows are the transposes of those by columns: c^T = b^T a^T.
  const std::int64_t a_step = std::max<std::int64_t>(1, stack.a_is_transposed ? m : k),
                     b_step = std::max<std::int64_t>(1, stack.b_is_transposed ? k : n);
  const std::byte* const a =
      call.array(first_array + 1).data + (matrix * each_a + first * (stack.a_is_transposed ? 1 : k)) * t.bytes;
  const std::byte* const b = call.array(first_array + 2).data + matrix * each_b * t.bytes;
  std::byte* const c = call.array(first_array).data + (matrix * m + first) * n * t.bytes;
  constexpr std::array<double, 2> one_wide{1, 0}, zero_wide{0, 0};
  constexpr std::array<float, 2> one{1, 0}, zero{0, 0};
  const bool wide = type == product_type::float64 || type == product_type::complex128;
  const auto& h = call.handle<handle>("cublas", [&] { return std::make_shared<handle>(call.queue()); });
  check(cublas().gemm(h.value, stack.b_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                      stack.a_is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n, points.hi[0] - first, k,
                      wide ? static_cast<const void*>(one_wide.data()) : one.data(), b, t.data, b_step, each_b, a,
                      t.data, a_step, each_a, wide ? static_cast<const void*>(zero_wide.data()) : zero.data(), c,
                      t.data, n, m * n, points.hi[1] - matrix, t.compute, CUBLAS_GEMM_DEFAULT),
        "a product of matrices");
}

}  // namespace tessera::numeric
